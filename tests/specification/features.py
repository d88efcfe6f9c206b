"""Requirements on what a server offers: tools, lists and their caching, and asking the person behind the client."""

from tests.specification.base import NO_STREAM
from tests.specification.row import ALL, JUNE, LEGACY, MODERN, SINCE_JUNE, Row

MRTR = "basic/patterns/mrtr"
NO_URL = "no URL is ever put before a person: forms only"
SIX = "part 6 (resources, prompts, completion)"

TOOLS = (
    Row("tools-declared", ALL, "server/tools, Capabilities", "A server with tools says so in its capabilities."),
    Row("tools-listed", MODERN, "server/tools, Capabilities", "tools/list is answered where tools are declared."),
    Row(
        "tools-steady", MODERN, "server/tools, Capabilities", "The list depends on no connection and no other request."
    ),
    Row("tools-schema", ALL, "server/tools, Tool", "An input schema is a JSON Schema, never null."),
    Row("tools-inputs", ALL, "server/tools, Security", "All arguments are validated."),
    Row("tools-access", ALL, "server/tools, Security", "Access is controlled."),
    Row("tools-rate", ALL, "server/tools, Security", "Calls are limited in their rate."),
    Row("tools-outputs", ALL, "server/tools, Security", "What a tool puts out is made safe to pass on."),
    Row(
        "tools-output-schema",
        SINCE_JUNE,
        "server/tools, Output Schema",
        "Structured results fit the schema that is declared.",
    ),
)

LISTS = (
    Row("cache-hints", MODERN, "utilities/caching, Cacheable Results", "discover and lists tell how to cache them."),
    Row("cache-hints-rest", MODERN, "utilities/caching, Cacheable Results", "So do resources and prompts.", later=SIX),
    Row("cache-ttl", MODERN, "utilities/caching, ttlMs", "The time to live is not negative."),
    Row("cache-pages", MODERN, "utilities/caching, Pagination", "All pages of a list have the same scope."),
    Row("cache-public", MODERN, "utilities/caching, Security", "Access control does not lean on the scope of a cache."),
    Row("cache-retries", MODERN, "utilities/caching, Cache Key", "What came after a question carries no hints."),
)

ASKING = (
    Row("ask-in-result", MODERN, MRTR, "A person is asked by a result, never by a request of the server."),
    Row("ask-where", MODERN, f"{MRTR}, Supported Requests", "Only calls, reads and prompts may ask."),
    Row("ask-keys", MODERN, f"{MRTR}, Server Requirements", "Each question has a key of its own."),
    Row("ask-kinds", MODERN, f"{MRTR}, Server Requirements", "A question is one of the three kinds."),
    Row("ask-something", MODERN, f"{MRTR}, Server Requirements", "It carries questions, or a state, or both."),
    Row("ask-declared", MODERN, f"{MRTR}, Server Requirements", "Nothing is asked that the client cannot ask for."),
    Row("ask-no-answer", MODERN, f"{MRTR}, Server Requirements", "Nobody waits for the answer: it may never come."),
    Row(
        "state-hostile", MODERN, f"{MRTR}, Server Requirements", "A state that comes back may be forged: it is sealed."
    ),
    Row("state-rejected", MODERN, f"{MRTR}, Server Requirements", "A state that fails its check is refused."),
    Row("state-once", MODERN, f"{MRTR}, Server Requirements", "What may happen once, the server itself counts."),
)

FORMS = (
    Row("form-sensitive", MODERN, "client/elicitation, Form Mode Security", "No secrets are asked for in a form."),
    Row("form-mode", MODERN, "client/elicitation, Capabilities", "No mode is used that the client lacks."),
    Row("form-members", MODERN, "client/elicitation, Form Mode", "A form has its mode, a message and a schema."),
    Row("form-declined", MODERN, "client/elicitation, Error Handling", "Declined and cancelled are handled."),
    Row("form-bound", MODERN, "client/elicitation, Security", "A question belongs to one client and one person."),
    Row("form-identity", MODERN, "client/elicitation, Identifying the User", "Who answers is known by the token."),
    Row("form-state", MODERN, "client/elicitation, Statefulness", "What is kept is kept from others."),
    Row("url-mode", MODERN, "client/elicitation, URL Mode", "URL, message, mode.", not_applicable=NO_URL),
    Row("url-safe", MODERN, "client/elicitation, Safe URL Handling", "No secrets in it.", not_applicable=NO_URL),
    Row("url-phishing", MODERN, "client/elicitation, Phishing", "Who opens it is known.", not_applicable=NO_URL),
    Row("url-oauth", MODERN, "client/elicitation, OAuth Flows", "Not for signing in here.", not_applicable=NO_URL),
    Row(
        "elicitation-legacy",
        JUNE,
        "client/elicitation",
        "No secrets are asked for.",
        not_applicable="nobody is asked anything in the legacy eras",
    ),
    Row(
        "sampling-tools",
        MODERN,
        "client/sampling",
        "Tools and results in balance, only where declared.",
        not_applicable="this server asks no model",
    ),
)

LATER = (
    Row("logging", ALL, "utilities/logging", "Declared, no secrets, by level.", not_applicable=NO_STREAM),
    Row("resources-declared", ALL, "server/resources, Capabilities", "A server with resources says so.", later=SIX),
    Row("resources-listed", MODERN, "server/resources, Capabilities", "resources/list is answered, steady.", later=SIX),
    Row("resources-missing", MODERN, "server/resources, Error Handling", "-32602, never no contents.", later=SIX),
    Row("resources-uris", ALL, "server/resources, Security", "URIs are validated; no way out of a path.", later=SIX),
    Row("resources-scheme", SINCE_JUNE, "server/resources, Custom URI Schemes", "RFC 3986 is kept to.", later=SIX),
    Row("resources-binary", ALL, "server/resources, Security", "Binary contents are encoded.", later=SIX),
    Row("prompts-declared", ALL, "server/prompts, Capabilities", "A server with prompts says so.", later=SIX),
    Row("prompts-listed", MODERN, "server/prompts, Capabilities", "prompts/list is answered, steady.", later=SIX),
    Row("prompts-media", ALL, "server/prompts, Image, Audio", "Base64, with its media type.", later=SIX),
    Row("prompts-embedded", ALL, "server/prompts, Embedded Resources", "URI, media type, contents.", later=SIX),
    Row("prompts-validated", ALL, "server/prompts, Security", "What goes in and out is validated.", later=SIX),
    Row(
        "completion-declared", ALL, "utilities/completion, Capabilities", "A server that completes says so.", later=SIX
    ),
    Row("completion-safe", ALL, "utilities/completion, Security", "Limited, validated, nothing disclosed.", later=SIX),
    Row("roots", LEGACY, "client/roots", "Only where declared.", not_applicable="this server asks for no roots"),
)

ROWS = TOOLS + LISTS + ASKING + FORMS + LATER
