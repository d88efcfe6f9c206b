"""Arguments are read once, in their type and place; a call that would cost too much to check is refused unread."""

import pytest

from kobana_mcp import arguments
from kobana_mcp.arguments import MOST_ENTRIES, MOST_FAULTS, InvalidArguments, read
from kobana_mcp.schemas import Shape

PROPERTIES = {
    "n": {"type": "integer"},
    "yes": {"type": "boolean"},
    "ids": {"anyOf": [{"type": "integer"}, {"type": "array", "items": {"type": "integer"}}]},
    "csv": {"type": "array", "items": {"type": "integer"}},
    "word": {"type": "string"},
    "null": {"anyOf": [{"type": "string"}, {"type": "null"}]},
}
QUERY = Shape({"type": "object", "properties": PROPERTIES}, dict.fromkeys(PROPERTIES, "query"), {"csv": ","})
CLOSED = Shape({**QUERY.schema, "additionalProperties": False}, {}, {})


@pytest.mark.parametrize(
    ("given", "sent"),
    [
        ({"n": 5}, {"n": "5"}),
        ({"n": "5"}, {"n": "5"}),
        ({"n": 5.0}, {"n": "5"}),
        ({"yes": True}, {"yes": "true"}),
        ({"ids": [1, 2]}, {"ids": ["1", "2"]}),
        ({"ids": 1}, {"ids": "1"}),
        ({"csv": [1, 2, 3]}, {"csv": "1,2,3"}),
        ({"word": "123"}, {"word": "123"}),
        ({"null": None}, {}),
    ],
)
def test_query_argument_is_spelled_as_its_parameter_wants_it(given, sent):
    assert read(QUERY, given).query == sent


@pytest.mark.parametrize(
    "given",
    [
        {"csv": [1] * (MOST_ENTRIES + 1)},
        {"csv": [[1] * 900] * 900},
        {f"unknown{n}": n for n in range(MOST_ENTRIES + 1)},
        {"csv": [{}] * 300_000},
    ],
    ids=["long", "deep", "wide", "bomb"],
)
def test_call_of_a_size_no_honest_one_has_is_refused_before_it_is_checked(given, monkeypatch):
    monkeypatch.setattr(arguments, "_validator", lambda shape: pytest.fail("it was checked"))
    with pytest.raises(InvalidArguments) as refused:
        read(CLOSED, given)
    assert list(refused.value.faults) == [""]


def test_faults_are_told_up_to_a_number_anybody_can_read():
    with pytest.raises(InvalidArguments) as refused:
        read(CLOSED, {"csv": ["x"] * 900})
    assert len(refused.value.faults) == MOST_FAULTS


@pytest.mark.parametrize(
    ("pattern", "text", "fits"),
    [
        ("^a$", "a", True),
        ("^a$", "a\n", False),
        (r"^a\$$", "a$", True),
        (r"^[$a]+$", "a$", True),
        (r"^[$a]+$", "a$\n", False),
        (r"^(a|b$)", "b\n", False),
        (r"\S", " x ", True),
        (r"\S", " \t", False),
    ],
)
def test_end_of_a_pattern_is_the_very_end_as_everywhere_but_in_python(pattern, text, fits):
    schema = {"type": "object", "properties": {"word": {"type": "string", "pattern": pattern}}}
    shape = Shape(schema, {"word": "body"}, {})
    if fits:
        assert read(shape, {"word": text}).body == {"word": text}
    else:
        with pytest.raises(InvalidArguments) as refused:
            read(shape, {"word": text})
        assert refused.value.faults == {"word": [f"Must match the pattern {pattern}."]}


@pytest.mark.parametrize(
    ("given", "taken"),
    [
        ({"marks": [1.0, 2]}, {"marks": [1, 2]}),
        ({"inner": {"mark": 1.0, "other": 1.0}}, {"inner": {"mark": 1, "other": 1.0}}),
        ({"either": 1.0}, {"either": 1}),
        ({"either": [1.0, 2.0]}, {"either": [1, 2]}),
        ({"number": 1.0}, {"number": 1.0}),
        ({"both": 1.0}, {"both": 1.0}),
        ({"free": {"a": 1.0}}, {"free": {"a": 1.0}}),
        ({"mark": 1e300}, {"mark": int(1e300)}),
    ],
)
def test_whole_number_is_an_integer_where_the_schema_wants_one_at_whatever_depth(given, taken):
    """JSON Schema says that 1.0 is an integer; serializers say that it is none."""
    mark, number = {"type": "integer"}, {"type": "number"}
    properties = {
        "mark": mark,
        "number": number,
        "marks": {"type": "array", "items": mark},
        "inner": {"type": "object", "properties": {"mark": mark}},
        "either": {"anyOf": [mark, {"type": "array", "items": mark}, {"type": "null"}]},
        "both": {"anyOf": [mark, number]},
        "free": {"type": "object", "additionalProperties": True},
    }
    found = read(Shape({"type": "object", "properties": properties}, {}, {}), given).plain
    assert repr(found) == repr(taken)
