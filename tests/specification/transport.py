"""Requirements of Streamable HTTP: basic/transports, basic/transports/streamable-http."""

from tests.specification.base import NO_STREAM
from tests.specification.row import ALL, JUNE, LEGACY, MODERN, SINCE_JUNE, Row

HTTP = "streamable-http"
NO_SESSION = "the server hands out no session, and ignores the header"

REQUESTS = (
    Row("endpoint", ALL, f"{HTTP}, introduction", "There is one path, and it takes POST."),
    Row("origin", ALL, f"{HTTP}, Security", "The Origin of every connection is checked."),
    Row("origin-403", MODERN, f"{HTTP}, Security", "An invalid Origin is answered 403."),
    Row("one-message", SINCE_JUNE, f"{HTTP}, Sending Messages", "A body is one message."),
    Row("no-responses", MODERN, f"{HTTP}, Sending Messages", "A response is no message of a client."),
    Row("accepted-202", ALL, f"{HTTP}, Sending Messages", "What needs no answer is accepted with 202 and no body."),
    Row(
        "refused-by-status", ALL, f"{HTTP}, Sending Messages", "A notification that is not accepted: a status of error."
    ),
    Row("answer-type", ALL, f"{HTTP}, Sending Messages", "A request is answered as JSON, one object, or as a stream."),
    Row("get", LEGACY, "basic/transports, Listening", "GET opens a stream or is answered 405."),
    Row("method-404", MODERN, f"{HTTP}, Protocol Version Header", "An unknown method: 404 and -32601."),
    Row(
        "default-version",
        JUNE,
        "basic/transports, Protocol Version Header",
        "Without a header, and by no other sign, 2025-03-26 is assumed (a SHOULD).",
        page="2025-06-18 is the default",
    ),
    Row("version-400", SINCE_JUNE, f"{HTTP}, Protocol Version Header", "A version not spoken: 400."),
    Row("version-listed", MODERN, f"{HTTP}, Protocol Version Header", "Its error lists the versions spoken."),
    Row("version-match", MODERN, f"{HTTP}, Protocol Version Header", "Header and envelope differ: 400 and -32020."),
    Row(
        "version-absent",
        MODERN,
        f"{HTTP}, Protocol Version Header",
        "A server without older clients refuses a request without the header.",
        not_applicable="this server has older clients; an envelope without the header is refused (version-match)",
    ),
)

HEADERS = (
    Row("headers-required", MODERN, f"{HTTP}, Standard Request Headers", "Mcp-Method, and Mcp-Name on tools/call."),
    Row(
        "headers-name-on-reads",
        MODERN,
        f"{HTTP}, Standard Request Headers",
        "Mcp-Name on resources/read and prompts/get.",
        page="there it may be absent; when it is sent it must agree",
    ),
    Row("headers-agree", MODERN, f"{HTTP}, Server Validation", "What a header says differs from the body: refused."),
    Row("headers-error", MODERN, f"{HTTP}, Server Validation", "The refusal is 400 and -32020."),
    Row("headers-case", MODERN, f"{HTTP}, Case Sensitivity", "Names of headers have no case; values have."),
    Row("headers-decoded", MODERN, f"{HTTP}, Server Validation", "Base64 is decoded before it is compared."),
    Row(
        "headers-markers", MODERN, f"{HTTP}, Value Encoding", "The markers of base64 count in this very spelling only."
    ),
    Row("param-invalid", MODERN, f"{HTTP}, Custom Headers", "Mcp-Param-* with octets no header has: refused."),
    Row("param-match", MODERN, f"{HTTP}, Custom Headers", "Mcp-Param-* equals the argument, or 400 and -32020."),
    Row("param-null", MODERN, f"{HTTP}, Custom Headers", "No header is expected for a null or absent argument."),
    Row("param-missing", MODERN, f"{HTTP}, Custom Headers", "An argument without its header is refused."),
    Row("x-name", MODERN, "server/tools, x-mcp-header", "The name is a token of HTTP, not empty."),
    Row(
        "x-unique",
        MODERN,
        "server/tools, x-mcp-header",
        "No name twice in a schema, whatever its case.",
    ),
    Row("x-type", MODERN, "server/tools, x-mcp-header", "Only on strings, integers and booleans."),
    Row("x-place", MODERN, "server/tools, x-mcp-header", "Only where properties alone lead."),
)

STREAMS = (
    Row("sse-related", ALL, f"{HTTP}, Receiving", "A stream carries what belongs to it.", not_applicable=NO_STREAM),
    Row("sse-closed", MODERN, f"{HTTP}, Cancellation", "A closed stream cancels.", not_applicable=NO_STREAM),
    Row("sse-once", LEGACY, "basic/transports, Multiple Connections", "No broadcast.", not_applicable=NO_STREAM),
    Row("sse-resume", LEGACY, "basic/transports, Resumability", "Event ids, replay.", not_applicable=NO_STREAM),
    Row("sse-response", LEGACY, "basic/transports, Listening", "No response on GET.", not_applicable=NO_STREAM),
    Row("session-id", LEGACY, "basic/transports, Sessions", "Visible ASCII.", not_applicable=NO_SESSION),
    Row("session-ended", LEGACY, "basic/transports, Sessions", "404 once ended.", not_applicable=NO_SESSION),
    Row("subscription-optin", MODERN, "patterns/subscriptions", "Only what was asked for.", not_applicable=NO_STREAM),
    Row("subscription-ack", MODERN, "patterns/subscriptions", "Acknowledged first.", not_applicable=NO_STREAM),
    Row("subscription-end", MODERN, "patterns/cancellation", "The server says so.", not_applicable=NO_STREAM),
    Row(
        "cancel-race",
        LEGACY,
        "basic/utilities/cancellation, Timing",
        "A cancellation that comes too late, or of nothing, does no harm.",
    ),
    Row(
        "cancel-reference", LEGACY, "utilities/cancellation", "Own requests only.", not_applicable="it cancels nothing"
    ),
    Row("progress", ALL, "progress", "Tokens, increase, end.", not_applicable="this server sends no progress"),
    Row("stdio", ALL, "basic/transports, stdio", "Lines, streams.", not_applicable="HTTP is the only transport here"),
    Row("custom", SINCE_JUNE, "basic/transports, Custom", "Keep the format.", not_applicable="no transport of its own"),
    Row("server-requests", MODERN, "basic/patterns, introduction", "The server starts no request."),
)

ROWS = REQUESTS + HEADERS + STREAMS
