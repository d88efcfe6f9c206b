"""Requirements on messages, versions and the way a client opens: basic/index, basic/lifecycle, basic/versioning."""

from tests.specification.row import ALL, JUNE, LEGACY, MARCH, MODERN, SINCE_JUNE, Row

NO_STREAM = "answers are single JSON objects: there is no stream on which this could happen"

MESSAGES = (
    Row("json-rpc", ALL, "basic/index, Messages", "Only JSON-RPC 2.0 is spoken."),
    Row("utf-8", ALL, "basic/transports, first paragraph", "Messages are read and written as UTF-8."),
    Row("id-type", ALL, "basic/index, Requests", "A request has a string or an integer as its id."),
    Row("id-null", ALL, "basic/index, Requests", "null is no id."),
    Row("result-id", ALL, "basic/index, Responses", "A result repeats the id of its request."),
    Row("result-or-error", ALL, "basic/index, Responses", "An answer has a result or an error, never both."),
    Row("result-type", MODERN, "basic/index, Result Responses", "Every result says its type."),
    Row("result-type-known", MODERN, "basic/index, ResultType", "No type of result but the two of the core is sent."),
    Row("error-id", ALL, "basic/index, Error Responses", "An error repeats the id wherever it could be read."),
    Row("error-members", ALL, "basic/index, Error Responses", "An error has a code and a message."),
    Row("error-code", ALL, "basic/index, Error Responses", "The code is an integer."),
    Row("codes-legacy", MODERN, "basic/index, Error Codes", "No new code between -32000 and -32019."),
    Row("codes-reserved", MODERN, "basic/index, Error Codes", "Below -32019 only the codes the specification defines."),
    Row("codes-meaning", MODERN, "basic/index, Error Codes", "Those codes in their own meaning only."),
    Row(
        "codes-retired",
        MODERN,
        "basic/index, Error Codes",
        "-32002 and -32042 are not sent any more.",
        later="part 6 (resources are where -32002 was sent)",
    ),
    Row("notification-silent", ALL, "basic/index, Notifications", "A notification is never answered."),
    Row(
        "batch-received",
        MARCH,
        "basic/index, Batching",
        "Batches can be received.",
        page="batches, which the next revision removed, are refused with 400 in every era",
    ),
)

STATE_AND_META = (
    Row("stateless", MODERN, "basic/index, Statelessness", "Nothing is taken from earlier requests."),
    Row(
        "state-named", MODERN, "basic/index, Statelessness", "State that spans requests comes back by an explicit name."
    ),
    Row("meta-reserved", SINCE_JUNE, "basic/index, _meta", "Nothing is assumed of values under reserved keys."),
    Row("meta-keys", SINCE_JUNE, "basic/index, _meta", "Keys that are sent have the form prescribed: prefix and name."),
    Row("meta-required", MODERN, "basic/index, Per-request fields", "Without a required field: -32602 and 400."),
    Row("capability-undeclared", MODERN, "basic/index, Per-request fields", "Only declared capabilities are used."),
    Row(
        "capability-missing",
        MODERN,
        "basic/index, Per-request fields",
        "A request that needs an undeclared capability is answered -32021 and 400.",
        page="a destructive tool answers confirmation_required in its result, so that a model can read it",
    ),
    Row(
        "meta-subscription",
        MODERN,
        "basic/index, Per-response fields",
        "Notifications of a subscription name it.",
        not_applicable=NO_STREAM,
    ),
    Row(
        "meta-trace",
        MODERN,
        "basic/index, OpenTelemetry",
        "Trace keys have W3C's formats.",
        not_applicable="this server sends none, and ignores those it gets",
    ),
    Row(
        "icons",
        MODERN,
        "basic/index, icons",
        "Consumers of icons guard against what they are.",
        not_applicable="this server neither sends nor reads icons",
    ),
)

SCHEMAS = (
    Row("schema-dialect", MODERN, "basic/index, JSON Schema", "Schemas without a dialect are JSON Schema 2020-12."),
    Row("schema-valid", MODERN, "basic/index, Schema Validation", "The schemas that are sent are valid ones."),
    Row(
        "schema-other-dialect",
        MODERN,
        "basic/index, JSON Schema",
        "A dialect that is not supported is told by an error.",
        not_applicable="the server reads no schema but its own, all of them 2020-12",
    ),
    Row(
        "schema-reference",
        MODERN,
        "basic/index, $ref Resolution",
        "References to other documents are not fetched by themselves.",
    ),
)

OPENING = (
    Row(
        "initialize-answer", LEGACY, "basic/lifecycle, Initialization", "The server tells its capabilities and itself."
    ),
    Row("initialize-same", LEGACY, "basic/lifecycle, Version Negotiation", "A spoken version is answered as asked."),
    Row("initialize-other", LEGACY, "basic/lifecycle, Version Negotiation", "Any other by one the server speaks."),
    Row("operation-version", JUNE, "basic/lifecycle, Operation", "The negotiated version is kept to."),
    Row("operation-capabilities", JUNE, "basic/lifecycle, Operation", "Only negotiated capabilities are used."),
    Row(
        "initialize-in-batch",
        MARCH,
        "basic/lifecycle, Initialization",
        "initialize is never part of a batch.",
        page="there are no batches at all",
    ),
    Row("version-unsupported", MODERN, "basic/versioning, Negotiation", "-32022, with the versions spoken."),
    Row("version-discover", MODERN, "basic/versioning, Negotiation", "server/discover is there."),
    Row(
        "extensions",
        MODERN,
        "basic/versioning, Extension Negotiation",
        "An extension the other side lacks is not used; its identifier has the form of a _meta key.",
        not_applicable="this server has no extensions",
    ),
    Row("ping", LEGACY, "basic/utilities/ping, Behavior", "ping is answered promptly by an empty result."),
)

ROWS = MESSAGES + STATE_AND_META + SCHEMAS + OPENING
