"""Budgets: per person and client, in one window, whatever the token, the replica, and the state of the storage."""

import logging
import os
import threading
import time
import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.test import RequestFactory

from kobana_mcp import ratelimit

REDIS = os.environ.get("TEST_REDIS_URL")


@pytest.fixture
def limits(settings):
    def set_to(**chosen):
        settings.KOBANA_MCP = {**settings.KOBANA_MCP, **chosen}

    set_to(RATE_LIMIT_STORAGE=f"memory://?{uuid.uuid4()}")
    return set_to


@pytest.fixture(autouse=True)
def forget():
    ratelimit._limiter.cache_clear()
    ratelimit._warn.cache_clear()


def remaining(answer):
    return int(answer.headers["X-RateLimit-Remaining"])


def test_calls_and_the_rest_are_charged_apart_and_the_headers_report_the_one_charged(limits, mcp):
    limits(CALLS_PER_MINUTE=5, REQUESTS_PER_MINUTE=50)
    first, second = mcp.send("tools/call", {"name": "workspaces_list"}), mcp.send("tools/list")
    assert (first.headers["X-RateLimit-Limit"], remaining(first)) == ("5", 4)
    assert (second.headers["X-RateLimit-Limit"], remaining(second)) == ("50", 49)
    assert int(first.headers["X-RateLimit-Reset"]) > 1_700_000_000


def test_new_token_buys_no_new_budget_and_another_person_has_his_own(limits, mcp_for, tenant):
    limits(REQUESTS_PER_MINUTE=2)
    statuses = [mcp_for(tenant.owner).send("tools/list").status_code for _ in range(3)]
    assert statuses == [200, 200, 429]
    assert mcp_for(tenant.admin).send("tools/list").status_code == 200


def test_refused_message_is_charged_as_well(limits, mcp):
    limits(REQUESTS_PER_MINUTE=50)
    before = remaining(mcp.send("tools/list"))
    for body, kind in ((b"{", "application/json"), (b"[]", "application/json"), (b"{}", "text/plain")):
        answer = mcp.post(body, headers=mcp.headers_for("x"), content_type=kind)
        assert answer.status_code in (400, 415)
        assert "X-RateLimit-Limit" in answer.headers
    assert remaining(mcp.send("tools/list")) == before - 4


def test_bad_tokens_are_counted_per_address_and_a_good_one_is_never_refused_for_it(limits, client, mcp):
    limits(FAILED_TOKENS_PER_MINUTE=2)
    headers = {"Authorization": "Bearer wrong"}
    answers = [client.post("/mcp", {}, content_type="application/json", headers=headers) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [401, 401, 429]
    assert int(answers[-1].headers["Retry-After"]) >= 1
    assert client.post("/mcp", {}, content_type="application/json").status_code == 401
    assert mcp.send("tools/list").status_code == 200
    elsewhere = client.post("/mcp", {}, content_type="application/json", headers=headers, REMOTE_ADDR="192.0.2.9")
    assert elsewhere.status_code == 401


@pytest.mark.parametrize(
    ("proxies", "sent", "address"),
    [
        (0, "203.0.113.7", "192.0.2.1"),
        (1, "198.51.100.66, 203.0.113.7", "203.0.113.7"),
        (2, "198.51.100.66, 203.0.113.7, 10.0.0.2", "203.0.113.7"),
        (2, "203.0.113.7", "203.0.113.7"),
        (1, "", "192.0.2.1"),
        (1, " , ", "192.0.2.1"),
    ],
)
def test_address_is_what_the_outermost_trusted_proxy_saw(limits, proxies, sent, address):
    limits(TRUSTED_PROXIES=proxies)
    request = RequestFactory().post("/mcp", REMOTE_ADDR="192.0.2.1", headers={"X-Forwarded-For": sent})
    assert ratelimit.address_of(request) == address


def test_storage_that_is_down_is_warned_of_once_a_minute_and_calls_are_served(limits, mcp, caplog):
    limits(RATE_LIMIT_STORAGE="redis://127.0.0.1:1/0")
    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            answer = mcp.send("tools/list")
            assert answer.status_code == 200
            assert remaining(answer) == int(answer.headers["X-RateLimit-Limit"])
    assert [record.message for record in caplog.records].count(
        "Rate limits cannot be counted: their storage cannot be reached"
    ) == 1


def test_storage_that_is_down_closes_the_door_where_the_settings_say_so(limits, mcp):
    limits(RATE_LIMIT_STORAGE="redis://127.0.0.1:1/0", RATE_LIMIT_FAILS_CLOSED=True)
    answer = mcp.send("tools/list")
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, 503)
    assert int(answer.headers["Retry-After"]) >= 1


def test_without_a_storage_nothing_is_counted_and_no_budget_is_told(limits, mcp, client):
    limits(RATE_LIMIT_STORAGE="", REQUESTS_PER_MINUTE=1, FAILED_TOKENS_PER_MINUTE=1)
    answers = [mcp.send("tools/list") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 200]
    assert not any(name.startswith("X-RateLimit") for answer in answers for name in answer.headers)
    headers = {"Authorization": "Bearer wrong"}
    assert {client.post("/mcp", {}, "application/json", headers=headers).status_code for _ in range(3)} == {401}


def test_counting_in_memory_forgets_old_windows_and_begins_no_thread(monkeypatch):
    storage = ratelimit.SweptMemory(wrap_exceptions=True)
    storage.timer.join()
    threads, now = threading.active_count(), time.time()
    assert [storage.incr("a", 60), storage.incr("a", 60), storage.get("a")] == [1, 2, 2]
    for n in range(50):
        storage.incr(f"other {n}", 60)
    monkeypatch.setattr(ratelimit, "time", lambda: now + 61)
    assert storage.get("a") == 0
    assert storage.incr("a", 60) == 1
    assert set(storage.expirations) == set(storage.storage) == {"a"}
    assert threading.active_count() == threads


def test_counting_in_memory_loses_nothing_between_threads():
    storage = ratelimit.SweptMemory(wrap_exceptions=True)
    with ThreadPoolExecutor(8) as pool:
        counts = list(pool.map(lambda _: storage.incr("k", 60), range(2000)))
    assert sorted(counts) == list(range(1, 2001))


@pytest.mark.skipif(REDIS is None, reason="set TEST_REDIS_URL to run on Redis")
def test_replicas_share_a_budget_in_redis(limits, mcp):
    limits(RATE_LIMIT_STORAGE=REDIS, REQUESTS_PER_MINUTE=2)
    statuses = []
    for _ in range(3):
        ratelimit._limiter.cache_clear()
        statuses.append(mcp.send("tools/list").status_code)
    assert statuses == [200, 200, 429]
