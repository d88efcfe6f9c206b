"""What the specification asks of every answer, whatever the method: shown over many answers at once."""

import json
import re

import pytest

from inbox.models import Inbox
from kobana_mcp.dispatch import METHODS
from kobana_mcp.protocol import errors
from kobana_mcp.protocol.eras import MODERN

META_KEY = re.compile(r"([a-zA-Z]([a-zA-Z0-9-]*[a-zA-Z0-9])?\.)*[a-zA-Z]([a-zA-Z0-9-]*[a-zA-Z0-9])?/[a-zA-Z0-9][\w.-]*")
#: What 2026-07-28 defines below -32019, and the class that means it.
DEFINED = {-32020: errors.HeaderMismatch, -32021: errors.MissingCapability, -32022: errors.UnsupportedProtocolVersion}
MAY_ASK = {"tools/call", "resources/read", "prompts/get"}
FORM = {"elicitation": {"form": {}}, "sampling": {}, "roots": {}}


def every_error(found=errors.MCPError):
    return {found}.union(*map(every_error, found.__subclasses__()))


@pytest.fixture
def answers(mcp, tenant):
    """A result of every method of the era, and refusals of every rung that a client reaches."""
    mcp.capabilities = FORM
    deletion = {"name": "inboxes_delete", "arguments": {"id": str(tenant.inbox.pk)}}
    sent = [mcp.send(method, {"protocolVersion": mcp.version}) for method in METHODS[mcp.era]]
    sent += [mcp.send("tools/call", {"name": "workspaces_list"}), mcp.send("tools/call", deletion)]
    sent += [mcp.send("no/such"), mcp.send("tools/call", {"name": "no_such"}), mcp.send("tools/list", {"cursor": "x"})]
    sent += [mcp.send("tools/list", headers={name: "x"}) for name in ("Mcp-Method", "MCP-Protocol-Version", "Origin")]
    sent += [mcp.post(raw, headers=mcp.headers_for("x")) for raw in (b"{", b"[]", b"{}", b"\xff")]
    sent += [mcp.send("tools/list", headers={"Authorization": None})]
    return [json.loads(answer.content) for answer in sent]


@pytest.mark.proves("result-or-error", "error-members", "error-code")
def test_answer_has_a_result_or_an_error_and_nothing_beside_it(answers):
    assert len([said for said in answers if "result" in said]) >= 3
    for said in answers:
        assert said["jsonrpc"] == "2.0"
        assert ("result" in said) != ("error" in said)
        assert set(said) <= {"jsonrpc", "id", "result", "error"}
        if "error" in said:
            assert type(said["error"]["code"]) is int and said["error"]["message"]


@pytest.mark.proves("result-type", "result-type-known", "meta-keys")
def test_result_says_its_type_where_the_era_has_types(answers, era):
    results = [said["result"] for said in answers if "result" in said]
    types = {result.get("resultType") for result in results}
    assert types == ({"complete", "input_required"} if era.stamps_results else {None})
    for result in results:
        assert all(META_KEY.fullmatch(key) for key in result.get("_meta", {}))


@pytest.mark.proves("cache-hints", "cache-retries")
def test_hints_of_caching_stand_where_the_specification_wants_them_and_nowhere_else(mcp, tenant):
    mcp.capabilities = FORM
    cached = {"server/discover", "tools/list"} if mcp.era.stamps_results else set()
    for method in METHODS[mcp.era]:
        params = {"protocolVersion": mcp.version, "name": "inboxes_delete", "arguments": {"id": str(tenant.inbox.pk)}}
        hints = {"ttlMs", "cacheScope"} & set(json.loads(mcp.send(method, params).content).get("result", {}))
        if method not in MAY_ASK and not method.startswith(("prompts/", "resources/")):
            assert bool(hints) == (method in cached), method
        elif method in MAY_ASK:
            assert not hints


@pytest.mark.proves("cache-pages")
def test_all_pages_of_a_list_have_the_same_scope(settings, mcp_for, tenant):
    settings.KOBANA_MCP = {**settings.KOBANA_MCP, "PAGE_SIZE": 1}
    modern = mcp_for(tenant.owner)
    first = modern.result("tools/list")
    second = modern.result("tools/list", {"cursor": first["nextCursor"]})
    assert first["cacheScope"] == second["cacheScope"] == "private"


@pytest.mark.proves("ask-where")
@pytest.mark.parametrize("method", sorted(set(METHODS[MODERN]) - MAY_ASK))
def test_other_methods_than_calls_and_reads_never_ask(mcp_for, tenant, method):
    modern = mcp_for(tenant.owner)
    modern.capabilities = FORM
    assert json.loads(modern.send(method).content).get("result", {}).get("resultType") in (None, "complete")


@pytest.mark.proves("form-sensitive")
def test_form_asks_for_one_yes_or_no_and_for_nothing_else(mcp_for, tenant):
    modern = mcp_for(tenant.owner)
    modern.capabilities = FORM
    asked = modern.call("inboxes_delete", {"id": str(tenant.inbox.pk)})["inputRequests"]["confirm"]["params"]
    assert {name: field["type"] for name, field in asked["requestedSchema"]["properties"].items()} == {
        "confirm": "boolean"
    }


@pytest.mark.proves("codes-legacy", "codes-reserved", "codes-meaning")
def test_codes_in_the_range_of_the_specification_are_the_defined_ones():
    codes = {error: error.code for error in every_error()}
    assert not [code for code in codes.values() if -32019 <= code <= -32003 or -32001 <= code <= -32000]
    reserved = {error: code for error, code in codes.items() if -32099 <= code <= -32020}
    assert {code: error for error, code in reserved.items()} == DEFINED


@pytest.mark.proves("refused-by-status")
def test_notification_that_is_not_accepted_is_refused_by_its_status_and_without_id(mcp):
    answer = mcp.send("notifications/initialized", id=None, headers={"MCP-Protocol-Version": "1999-01-01"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, -32022)
    assert "id" not in answer.json()


@pytest.mark.proves("cancel-race")
def test_cancellation_of_what_is_done_or_never_was_does_no_harm(mcp, tenant):
    for reason in ({"requestId": 1}, {"requestId": "never"}, {}, {"requestId": {"a": []}}):
        answer = mcp.send("notifications/cancelled", reason, id=None)
        assert (answer.status_code, answer.content) == (202, b"")
    assert Inbox.objects.live().filter(pk=tenant.inbox.pk).exists()
    assert mcp.tools()


@pytest.mark.proves("status-codes")
def test_refusals_of_authorization_have_their_own_status_in_every_era(mcp, mcp_for, tenant):
    narrow = mcp_for(tenant.owner, "inbox.emails:read", era=mcp.era)
    refused = narrow.send("tools/call", {"name": "workspaces_list"})
    assert refused.status_code == 403 and 'error="insufficient_scope"' in refused.headers["WWW-Authenticate"]
    assert mcp.send("tools/list", headers={"Authorization": None}).status_code == 401
    in_url = mcp.client.post(f"/mcp?access_token={mcp.token}", {}, content_type="application/json")
    assert in_url.status_code == 400
