import pytest

from kobana_mcp.registry import AlreadyRegistered, Scope, Shelf, Tool

GOOD = {
    "name": "notes_list",
    "title": "List notes",
    "description": "Lists notes.",
    "scope": "notes:read",
    "read_only": True,
    "destructive": False,
    "idempotent": True,
    "route": "note-list",
}


@pytest.mark.parametrize("risk", ["read_only", "destructive", "idempotent"])
def test_tool_that_leaves_out_a_risk_cannot_be_declared(risk):
    with pytest.raises(TypeError, match=risk):
        Tool(**{name: value for name, value in GOOD.items() if name != risk})


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"name": "notes.list"}, "letters, digits and underscores"),
        ({"name": "n" * 65}, "1 to 64"),
        ({"description": ""}, "title and description"),
        ({"destructive": True, "question": "Sure?"}, "only reads destroys nothing"),
        ({"method": "POST"}, "only GET, is read-only"),
        ({"read_only": False}, "only GET, is read-only"),
        ({"method": "TRACE"}, "the method is one of"),
        ({"route": ""}, "a route or a run function"),
        ({"run": lambda arguments, context: {}}, "not both"),
        ({"route": "", "run": lambda arguments, context: {}}, "run and input_schema go together"),
        ({"method": "DELETE", "read_only": False, "destructive": True}, "has a question to ask"),
        ({"method": "DELETE", "read_only": False}, "what deletes is destructive"),
        ({"scope": ""}, "needs a scope"),
        ({"question": "Delete {}?"}, "plain {field} placeholders"),
        ({"question": "Delete {name?"}, "plain {field} placeholders"),
        ({"question": "Delete {name.x}?"}, "plain {field} placeholders"),
    ],
)
def test_tool_that_makes_no_sense_cannot_be_declared(changes, words):
    with pytest.raises(ValueError, match=words):
        Tool(**{**GOOD, **changes})


def test_two_tools_of_one_name_are_refused_at_once():
    shelf = Shelf()
    shelf.add(Tool(**GOOD))
    with pytest.raises(AlreadyRegistered, match="notes_list"):
        shelf.add(Tool(**GOOD))


def test_shelf_keeps_the_order_of_registration():
    shelf = Shelf()
    for name in ("c", "a", "b"):
        shelf.add(Scope(name=name, description=name))
    assert [scope.name for scope in shelf] == ["c", "a", "b"]


def test_what_stands_temporarily_is_gone_afterwards_also_when_the_block_breaks():
    shelf = Shelf()
    shelf.add(Scope(name="stays", description="-"))
    with pytest.raises(ZeroDivisionError), shelf.temporarily(Scope(name="guest", description="-")):
        assert [scope.name for scope in shelf] == ["stays", "guest"]
        raise ZeroDivisionError
    with shelf.temporarily(Scope(name="guest", description="-"), alone=True):
        assert [scope.name for scope in shelf] == ["guest"]
    assert [scope.name for scope in shelf] == ["stays"]
