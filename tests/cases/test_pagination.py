"""Case PG: a cursor is good for one list and one person, and nothing but a cursor is one."""

import pytest
from django.core import signing

from kobana_mcp.dispatch import METHODS
from kobana_mcp.handlers.paging import SALT
from kobana_mcp.protocol.eras import LEGACY, MODERN
from tests.cases.speech import in_era, refusal

#: The lists that there are.
LISTS = [
    method
    for method in ("tools/list", "prompts/list", "resources/list", "resources/templates/list")
    if method in METHODS[MODERN] and method in METHODS[LEGACY]
]


@pytest.fixture
def short_pages(settings):
    settings.KOBANA_MCP = {**settings.KOBANA_MCP, "PAGE_SIZE": 2}


GARBAGE = ["bogus", "%%%", "e30=", "MTo5OTk5OTk5", "A" * 10_000, "", "\0", 5, 0, True, {}, [], 1.5]


@pytest.mark.parametrize("method", LISTS)
@pytest.mark.parametrize("cursor", GARBAGE, ids=lambda cursor: repr(cursor)[:20])
def test_pg_01_what_is_no_cursor_is_refused_and_never_the_first_page(mcp, method, cursor):
    assert refusal(mcp.send(method, {"cursor": cursor})) == in_era(mcp, 400, -32602)


@pytest.mark.parametrize("method", LISTS)
def test_pg_01_null_is_read_as_absent(mcp, method):
    assert mcp.result(method, {"cursor": None}) == mcp.result(method)


def cursor_of(mcp):
    return mcp.result("tools/list")["nextCursor"]


def test_pg_01_a_cursor_leads_to_the_next_page_until_there_is_none(mcp, short_pages):
    names = mcp.tools()
    assert len(names) == len(set(names)) > 2
    first = mcp.result("tools/list")
    assert [tool["name"] for tool in first["tools"]] == names[:2]
    last = signing.dumps([*signing.loads(first["nextCursor"], salt=SALT)[:-1], len(names) - 1], salt=SALT)
    assert "nextCursor" not in mcp.result("tools/list", {"cursor": last})


def test_pg_01_a_cursor_of_another_person_or_another_list_is_refused(mcp, mcp_for, tenant, era, short_pages):
    foreign = cursor_of(mcp_for(tenant.admin, era=era))
    method, person, place = signing.loads(cursor_of(mcp), salt=SALT)
    other_list = signing.dumps(["prompts/list", person, place], salt=SALT)
    changed = cursor_of(mcp)[:-1] + ("a" if cursor_of(mcp)[-1] != "a" else "b")
    for cursor in (foreign, other_list, changed):
        assert refusal(mcp.send("tools/list", {"cursor": cursor})) == in_era(mcp, 400, -32602)
    assert method == "tools/list"
