"""Which protocol revision a message belongs to, and what the eras differ in."""

import pytest

from kobana_mcp.protocol import eras
from kobana_mcp.protocol.eras import (
    DEFAULT_LEGACY,
    ERAS,
    LEGACY,
    MODERN,
    SUPPORTED,
    Revision,
    classify,
    refuse_unspoken,
)
from kobana_mcp.protocol.errors import (
    BodyTooLarge,
    HeaderMismatch,
    InvalidParams,
    InvalidRequest,
    MCPError,
    MethodNotFound,
    RateLimited,
    UnsupportedProtocolVersion,
)
from kobana_mcp.protocol.messages import CAPABILITIES_KEY, VERSION_KEY, Kind, Message

NEW = "2026-07-28"
ENVELOPE = {VERSION_KEY: NEW, CAPABILITIES_KEY: {}}


def message(meta=None, kind=Kind.REQUEST, **params):
    params = params if meta is None else {**params, "_meta": meta}
    if kind is Kind.RESPONSE:
        return Message(None, None, params, kind)
    return Message("tools/list", 1 if kind is Kind.REQUEST else None, params, kind)


def headers(version=None, **more):
    sent = {"mcp_method": "tools/list", "mcp_protocol_version": version, **more}
    return {name.replace("_", "-"): value for name, value in sent.items() if value is not None}


def test_supported_versions_are_the_three_in_this_order():
    assert SUPPORTED == ("2026-07-28", "2025-06-18", "2025-03-26")
    assert [version for era in ERAS for version in era.versions] == list(SUPPORTED)


@pytest.mark.parametrize(
    ("meta", "version", "expected"),
    [
        ({**ENVELOPE, VERSION_KEY: 20260728}, NEW, InvalidParams),
        ({**ENVELOPE, VERSION_KEY: None}, None, InvalidParams),
        ({**ENVELOPE, VERSION_KEY: [NEW]}, "1999-01-01", InvalidParams),
        (ENVELOPE, None, HeaderMismatch),
        (ENVELOPE, "", HeaderMismatch),
        (ENVELOPE, f"{NEW},{NEW}", HeaderMismatch),
        ({**ENVELOPE, VERSION_KEY: f"{NEW},{NEW}"}, f"{NEW},{NEW}", HeaderMismatch),
        (ENVELOPE, "2025-06-18", HeaderMismatch),
        ({**ENVELOPE, VERSION_KEY: "2025-06-18"}, NEW, HeaderMismatch),
        ({**ENVELOPE, VERSION_KEY: "v999.0.0"}, NEW, HeaderMismatch),
        ({**ENVELOPE, VERSION_KEY: "2025-06-18"}, "2025-06-18", InvalidParams),
        ({**ENVELOPE, VERSION_KEY: "2025-03-26"}, "2025-03-26", InvalidParams),
        ({**ENVELOPE, VERSION_KEY: "1900-01-01"}, "1900-01-01", UnsupportedProtocolVersion),
        ({**ENVELOPE, VERSION_KEY: "2025-11-25"}, "2025-11-25", UnsupportedProtocolVersion),
        ({**ENVELOPE, VERSION_KEY: ""}, "", UnsupportedProtocolVersion),
        ({VERSION_KEY: NEW}, NEW, InvalidParams),
        ({**ENVELOPE, CAPABILITIES_KEY: None}, NEW, InvalidParams),
        ({**ENVELOPE, CAPABILITIES_KEY: []}, NEW, InvalidParams),
        (None, NEW, InvalidParams),
        ({}, NEW, InvalidParams),
        ({CAPABILITIES_KEY: {}}, NEW, InvalidParams),
        (None, "", UnsupportedProtocolVersion),
        (None, "2025-11-25", UnsupportedProtocolVersion),
        (None, "2025-06-18,2025-06-18", UnsupportedProtocolVersion),
        (None, "2025-06-18, 2025-03-26", UnsupportedProtocolVersion),
        ({"progressToken": 1}, "1999-01-01", UnsupportedProtocolVersion),
    ],
)
def test_request_whose_version_is_unclear_is_refused_v_06_v_07(meta, version, expected):
    with pytest.raises(MCPError) as caught:
        classify(message(meta), headers(version))
    assert type(caught.value) is expected
    assert caught.value.http_status == 400


@pytest.mark.parametrize(
    ("meta", "version", "era", "settled"),
    [
        (ENVELOPE, NEW, MODERN, NEW),
        (ENVELOPE, f" \t{NEW} ", MODERN, NEW),
        ({**ENVELOPE, "com.example/x": [1], "progressToken": 0}, NEW, MODERN, NEW),
        (None, None, LEGACY, DEFAULT_LEGACY),
        ({}, None, LEGACY, DEFAULT_LEGACY),
        ({"progressToken": "abc"}, None, LEGACY, DEFAULT_LEGACY),
        (None, "2025-06-18", LEGACY, "2025-06-18"),
        (None, " 2025-03-26 ", LEGACY, "2025-03-26"),
        ({"progressToken": "abc"}, "2025-06-18", LEGACY, "2025-06-18"),
    ],
)
@pytest.mark.proves("default-version")
def test_envelope_makes_it_modern_and_nothing_else_v_05_v_07_t_14(meta, version, era, settled):
    assert classify(message(meta), headers(version)) == eras.Revision(era, settled)


@pytest.mark.parametrize("meta", [None, {**ENVELOPE, VERSION_KEY: "1999-01-01"}])
def test_unspoken_version_is_answered_with_the_spoken_ones(meta):
    with pytest.raises(UnsupportedProtocolVersion) as caught:
        classify(message(meta), headers(" 1999-01-01"))
    assert caught.value.message == "Unsupported protocol version"
    assert caught.value.data == {"supported": list(SUPPORTED), "requested": "1999-01-01"}


def test_mirrored_headers_are_checked_in_the_modern_era_only():
    assert classify(message(), headers("2025-06-18", mcp_method="wrong", mcp_name="wrong")).era is LEGACY
    for wrong in ("wrong", None):
        with pytest.raises(HeaderMismatch):
            classify(message(ENVELOPE), headers(NEW, mcp_method=wrong))


def test_version_is_settled_before_the_mirrored_headers():
    with pytest.raises(UnsupportedProtocolVersion):
        classify(message({**ENVELOPE, VERSION_KEY: "1900-01-01"}), headers("1900-01-01", mcp_method="wrong"))


@pytest.mark.parametrize(
    ("meta", "version", "settled"),
    [
        (None, None, DEFAULT_LEGACY),
        (None, "2025-03-26", "2025-03-26"),
        (None, NEW, NEW),
        (ENVELOPE, NEW, NEW),
        ({VERSION_KEY: NEW}, None, NEW),
        (ENVELOPE, "2025-06-18", NEW),
    ],
)
def test_notification_of_a_spoken_version_is_taken_without_further_checks(meta, version, settled):
    told = message(meta, kind=Kind.NOTIFICATION)
    assert refuse_unspoken(told, headers(version, mcp_method="wrong")).version == settled


@pytest.mark.parametrize(
    ("meta", "version", "expected"),
    [
        (None, "", UnsupportedProtocolVersion),
        (None, "1999-01-01", UnsupportedProtocolVersion),
        (ENVELOPE, "1999-01-01", UnsupportedProtocolVersion),
        ({VERSION_KEY: "1999-01-01"}, NEW, UnsupportedProtocolVersion),
        ({VERSION_KEY: "1999-01-01"}, None, UnsupportedProtocolVersion),
        ({VERSION_KEY: 5}, NEW, InvalidParams),
    ],
)
def test_notification_of_an_unspoken_version_is_refused(meta, version, expected):
    with pytest.raises(expected):
        refuse_unspoken(message(meta, kind=Kind.NOTIFICATION), headers(version))


@pytest.mark.parametrize("version", [None, *LEGACY.versions])
def test_posted_response_is_taken_in_the_legacy_era_jr_19(version):
    assert refuse_unspoken(message(kind=Kind.RESPONSE), headers(version)).era is LEGACY


@pytest.mark.parametrize(("version", "expected"), [(NEW, InvalidRequest), ("1999-01-01", UnsupportedProtocolVersion)])
def test_posted_response_is_refused_elsewhere_jr_19(version, expected):
    with pytest.raises(expected) as caught:
        refuse_unspoken(message(kind=Kind.RESPONSE), headers(version))
    assert caught.value.request_id is None


@pytest.mark.parametrize(
    ("requested", "answered"),
    [
        ("2025-06-18", "2025-06-18"),
        ("2025-03-26", "2025-03-26"),
        ("2024-11-05", DEFAULT_LEGACY),
        ("2025-11-25", DEFAULT_LEGACY),
        ("2099-01-01", DEFAULT_LEGACY),
        (NEW, DEFAULT_LEGACY),
        ("", DEFAULT_LEGACY),
    ],
)
def test_initialize_is_answered_as_asked_or_with_the_default_v_02(requested, answered):
    assert eras.negotiate(requested) == answered


@pytest.mark.parametrize("requested", [None, 20250618, ["2025-06-18"], {}, True])
def test_initialize_without_a_version_string_is_refused(requested):
    with pytest.raises(InvalidParams):
        eras.negotiate(requested)


@pytest.mark.parametrize(
    ("error", "modern", "legacy"),
    [
        (MethodNotFound(), 404, 200),
        (InvalidRequest(), 400, 200),
        (InvalidParams(), 400, 200),
        (HeaderMismatch("x"), 400, 200),
        (MCPError(), 200, 200),
        (UnsupportedProtocolVersion("x", SUPPORTED), 400, 400),
        (RateLimited(1), 429, 429),
        (BodyTooLarge(1), 413, 413),
    ],
)
def test_http_status_tells_of_an_error_in_the_modern_era_jr_17(error, modern, legacy):
    assert (MODERN.status_of(error), LEGACY.status_of(error)) == (modern, legacy)


@pytest.mark.parametrize(
    ("meta", "capabilities"),
    [
        ({**ENVELOPE, CAPABILITIES_KEY: {"elicitation": {}}}, {"elicitation": {}}),
        ({VERSION_KEY: NEW, CAPABILITIES_KEY: "x"}, {}),
        ({CAPABILITIES_KEY: {"elicitation": {}}}, {}),
        (None, {}),
    ],
)
def test_capabilities_count_only_within_an_envelope(meta, capabilities):
    assert eras.client_capabilities(message(meta)) == capabilities


def test_results_are_structured_in_every_revision_but_the_first():
    revisions = [Revision(era, version) for era in ERAS for version in era.versions]
    assert [each.version for each in revisions if not each.has_structured_results] == ["2025-03-26"]
    assert all(set(era.structured_in) <= set(era.versions) for era in ERAS)
