"""Fixture tools that ask before they answer (2026-07-28, basic/patterns/mrtr). What they have to remember is signed."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.core import signing

from kobana_mcp.context import Context
from kobana_mcp.protocol.eras import client_capabilities
from kobana_mcp.protocol.errors import InvalidParams

SALT: Final = "tests.conformance"
Run = Callable[[Mapping[str, Any], Context], Mapping[str, Any]]


def form(message: str, **properties: str) -> dict[str, Any]:
    """A request to put a form before the person; each property by its type."""
    fields = {name: {"type": kind} for name, kind in properties.items()}
    schema = {"type": "object", "properties": fields, "required": list(fields)}
    params = {"mode": "form", "message": message, "requestedSchema": schema}
    return {"method": "elicitation/create", "params": params}


def sampling(words: str) -> dict[str, Any]:
    message = {"role": "user", "content": {"type": "text", "text": words}}
    return {"method": "sampling/createMessage", "params": {"messages": [message], "maxTokens": 100}}


ROOTS: Final = {"method": "roots/list", "params": {}}


def asked(requests: Mapping[str, Any], state: Any = None) -> dict[str, Any]:
    sealed = {} if state is None else {"requestState": signing.dumps(state, salt=SALT)}
    return {"resultType": "input_required", "inputRequests": dict(requests), **sealed}


def answered(context: Context, keys: Mapping[str, Any]) -> bool:
    """Whether there is an answer under each of the keys."""
    given = context.params.get("inputResponses", {})
    return isinstance(given, Mapping) and all(isinstance(given.get(key), Mapping) for key in keys)


def state_of(context: Context) -> Any:
    """The state that came back; None where none did. Raises InvalidParams for one that was not made here."""
    if "requestState" not in context.params:
        return None
    try:
        return signing.loads(context.params["requestState"], salt=SALT)
    except (signing.BadSignature, TypeError, AttributeError):
        raise InvalidParams("requestState is not valid") from None


def said(words: str) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": words}]}


def asks(requests: Mapping[str, Any], done: str, state: str | None = None) -> Run:
    """A tool that asks once, and answers ``done`` when everything was answered and the state, if any, came back."""

    def run(arguments: Mapping[str, Any], context: Context) -> Mapping[str, Any]:
        if answered(context, requests) and state_of(context) == state:
            return said(done)
        return asked(requests, state)

    return run


def two_rounds(arguments: Mapping[str, Any], context: Context) -> Mapping[str, Any]:
    """Asks for a name, then for a colour. Which round it is stands in the state."""
    first, second = {"step1": form("Your name?", name="string")}, {"step2": form("Your colour?", color="string")}
    done = state_of(context)
    if done == 2 and answered(context, second):
        return said("Both questions are answered.")
    if done == 1 and answered(context, first):
        return asked(second, 2)
    return asked(second, 2) if done == 2 else asked(first, 1)


def what_is_declared(arguments: Mapping[str, Any], context: Context) -> Mapping[str, Any]:
    """Asks for whatever the client can be asked for."""
    every = {"elicitation": form("Your name?", name="string"), "sampling": sampling("Say hello"), "roots": ROOTS}
    declared = client_capabilities(context.message)
    requests = {name: request for name, request in every.items() if name in declared}
    return said("Done.") if not requests or answered(context, requests) else asked(requests)


CONFIRM = {"confirm": form("Go on?", ok="boolean")}
EVERYTHING = {"name": form("Your name?", name="string"), "greeting": sampling("Say hello"), "roots": ROOTS}

TOOLS: Final[Mapping[str, tuple[str, Run]]] = {
    "elicitation": ("Asks for a name.", asks({"user_name": form("Your name?", name="string")}, "Hello.")),
    "sampling": ("Asks the client's model.", asks({"capital": sampling("The capital of France?")}, "Asked a model.")),
    "list_roots": ("Asks for roots.", asks({"client_roots": ROOTS}, "Got the roots.")),
    "request_state": ("Asks, and remembers in a state.", asks(CONFIRM, "state-ok", "confirm")),
    "multiple_inputs": ("Asks for three things at once.", asks(EVERYTHING, "Got all three.", "everything")),
    "multi_round": ("Asks twice.", two_rounds),
    "tampered_state": ("Refuses a state that was changed.", asks(CONFIRM, "Untouched.", "sealed")),
    "capabilities": ("Asks for what the client declares.", what_is_declared),
}
