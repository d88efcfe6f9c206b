"""Two gunicorns on one PostgreSQL: what one asked, the other may be told; what was said once, happens once."""

import secrets
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from django.db import connection

from kobana_mcp.protocol.eras import MODERN
from kobana_mcp.testing import MCPClient
from tests.door.raw import opened

pytestmark = pytest.mark.skipif(connection.vendor == "sqlite", reason="two servers need a database between them")

RETRIES = 30
YES = {"confirm": {"action": "accept", "content": {"confirm": True}}}


@pytest.fixture(scope="module")
def database():
    """A database of its own beside the tests'; gives its URL."""
    given, name = connection.settings_dict, f"kobana_replicas_{secrets.token_hex(4)}"
    server = f"{given['USER']}@{given['HOST']}:{given['PORT'] or 5432}"
    with psycopg.connect(f"postgresql://{server}/postgres", autocommit=True, password=given["PASSWORD"]) as admin:
        admin.execute(f'CREATE DATABASE "{name}"')
        yield f"postgres://{given['USER']}:{given['PASSWORD']}@{given['HOST']}:{given['PORT'] or 5432}/{name}"
        admin.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@pytest.fixture(scope="module")
def servers(database, tmp_path_factory):
    """A client of each server, the first one's facts, and what the first listed before the second was there."""
    shared = {"DATABASE_URL": database, "SECRET_KEY": secrets.token_urlsafe(50), "WEB_CONCURRENCY": "2"}
    shared["DJANGO_SETTINGS_MODULE"] = "tests.cases.settings"
    folders = [tmp_path_factory.mktemp(name) for name in ("one", "two")]
    with opened("tests.replicas.fill.first", folders[0], **shared) as one:
        clients = [client_of(one, one.facts["token"])]
        before = [clients[0].tools() for _ in range(8)]
        with opened("tests.replicas.fill.second", folders[1], **shared) as two:
            yield [*clients, client_of(two, one.facts["token"])], one.facts, before


def client_of(door, token):
    return MCPClient(door, token, MODERN.versions[0], capabilities={"elicitation": {}})


def test_what_an_administrator_changed_elsewhere_counts_on_the_next_request_of_every_server(servers):
    clients, _, before = servers
    assert all("agents_list" in names for names in before)
    for client in clients:
        for _ in range(8):
            assert "agents_list" not in client.tools()


def test_thirty_retries_of_one_yes_over_two_servers_run_it_once(servers):
    clients, facts, _ = servers
    arguments = {"id": facts["inbox"]}
    state = clients[0].call("inboxes_delete", arguments)["requestState"]
    params = {"name": "inboxes_delete", "arguments": arguments, "requestState": state, "inputResponses": YES}

    def again(number):
        return clients[number % 2].send("tools/call", params, id=number).json()

    with ThreadPoolExecutor(RETRIES) as pool:
        answers = list(pool.map(again, range(RETRIES)))
    done = [answer["result"] for answer in answers if "result" in answer and not answer["result"].get("isError")]
    assert len(done) == 1
    refused = [answer["error"]["code"] for answer in answers if "error" in answer]
    gone = [answer["result"] for answer in answers if answer.get("result", {}).get("isError")]
    assert set(refused) <= {-32602} and len(refused) + len(gone) == RETRIES - 1
    assert clients[1].refusal("inboxes_get", arguments)["code"] == "not_found"
    events = clients[1].data("system_events_list", {"slug": "inbox.deleted"})["data"]
    assert [event["inbox_id"] for event in events] == [facts["inbox"]]
