"""Many at once at the token endpoint, on a database where they really meet."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection
from django.test import Client
from oauth2_provider.models import get_access_token_model

from kobana_mcp.protocol.eras import MODERN
from kobana_mcp.testing import MCPClient

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite has one writer at a time: run on PostgreSQL"),
]


def at_once(job, times=12):
    def run(_):
        try:
            return job()
        finally:
            connection.close()

    with ThreadPoolExecutor(times) as pool:
        return list(pool.map(run, range(times)))


def test_21_code_redeemed_by_twelve_at_once_gives_one_token(flow):
    code = flow.code()
    answers = at_once(lambda: flow.redeem(code))
    assert sorted(answer.status_code for answer in answers) == [200] + [400] * 11
    assert get_access_token_model().objects.count() == 1


def test_32_refresh_by_twelve_at_once_gives_each_a_pair_that_works(flow):
    first = flow.tokens()
    answers = at_once(lambda: flow.refresh(first["refresh_token"]))
    assert [answer.status_code for answer in answers] == [200] * 12
    for answer in answers:
        client = MCPClient(Client(), answer.json()["access_token"], MODERN.versions[0])
        assert client.send("tools/list").status_code == 200
