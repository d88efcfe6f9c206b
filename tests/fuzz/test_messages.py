"""Whatever a message is turned into, it is answered as the contract says: never a crash, always one JSON object.

FUZZ_EXAMPLES is the number of messages; by default 2,000, the same in every run. With the variable set they are others
each time, and Hypothesis prints how to repeat the one that failed.
"""

import json
import logging
import math
import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kobana_mcp.protocol.eras import LEGACY, MODERN
from tests.cases.speech import ABSENT
from tests.fuzz.mutations import IDS, SEEDS, spoiled

KINDS = {"bytes": ["bytes"], "members": ["members"], "headers": ["headers"], "all": ["bytes", "members", "headers"]}
EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "2000")) // len(KINDS)
MANY = settings(
    max_examples=EXAMPLES,
    derandomize="FUZZ_EXAMPLES" not in os.environ,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
NUMBERS = st.integers(0, 10**6)
#: Statuses of refusals that come before the body is looked at.
UNREAD = (401, 405, 413, 415)


@pytest.fixture
def clients(settings, mcp_for, tenant):
    """The owner in both eras, with budgets that are not used up, and the log quiet about every refusal."""
    budgets = ("CALLS_PER_MINUTE", "REQUESTS_PER_MINUTE", "FAILED_TOKENS_PER_MINUTE")
    settings.KOBANA_MCP = {**settings.KOBANA_MCP, **dict.fromkeys(budgets, 10**9)}
    logging.disable(logging.WARNING)
    yield [mcp_for(tenant.owner, era=era) for era in (MODERN, LEGACY)]
    logging.disable(logging.NOTSET)


class Members(list):
    """The members of an object, those that come twice included."""


def strictly(text):
    """The value of a JSON text, objects as Members. Raises ValueError for anything that is no JSON."""

    def number(digits):
        if math.isinf(float(digits)):
            raise ValueError(digits)
        return float(digits)

    return json.loads(text, object_pairs_hook=Members, parse_float=number, parse_constant=lambda name: 1 // 0)


def readable_id(body):
    """The id of a message, found in another way than the server's; ABSENT where there is none to be echoed."""
    try:
        members = strictly(body.decode())
    except (ValueError, ZeroDivisionError, RecursionError):
        return ABSENT
    found = [value for key, value in members if key == "id"] if isinstance(members, Members) else []
    if len(found) != 1 or type(found[0]) not in (str, int):
        return ABSENT
    is_text = isinstance(found[0], int) or not any("\ud800" <= character <= "\udfff" for character in found[0])
    return found[0] if is_text else ABSENT


def is_response(body):
    """Whether a body looks like a response, whose id is not one of the sender's and so is not always told."""
    try:
        members = strictly(body.decode())
    except (ValueError, ZeroDivisionError, RecursionError):
        return False
    return isinstance(members, Members) and "method" not in dict(members)


def check(answer, body):
    """Everything that holds for whatever answer to whatever body."""
    assert answer.status_code < 500
    assert answer.headers["Cache-Control"] == "no-store"
    if answer.status_code == 202:
        assert answer.content == b""
        return
    assert answer.headers["Content-Type"] == "application/json"
    assert b"\n" not in answer.content
    said = dict(strictly(answer.content.decode()))
    assert len(said) == len(strictly(answer.content.decode())) and said["jsonrpc"] == "2.0"
    assert ("result" in said) != ("error" in said)
    code = dict(said["error"])["code"] if "error" in said else None
    assert code != -32603
    told, sent = said.get("id", ABSENT), readable_id(body)
    is_unread = answer.status_code in UNREAD or (answer.status_code == 403 and dict(said["error"]).get("code") == 403)
    if told == ABSENT:
        assert sent == ABSENT or is_unread or is_response(body) or code == 400
    else:
        assert (told, type(told)) == (sent, type(sent))


@pytest.mark.parametrize("kinds", KINDS.values(), ids=KINDS)
def test_spoiled_message_is_answered_by_one_json_object_and_never_by_a_crash(clients, kinds):
    steps = st.lists(st.tuples(st.sampled_from(kinds), NUMBERS, NUMBERS), max_size=4)

    @MANY
    @given(st.sampled_from(clients), st.integers(0, len(SEEDS) * len(IDS) - 1), steps)
    def answered(mcp, number, steps):
        body, headers = spoiled(mcp, number, steps)
        content_type = headers.pop("Content-Type", "application/json") or ""
        check(mcp.post(body, headers=headers, content_type=content_type), body)

    answered()
