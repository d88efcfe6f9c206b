"""One row per ``tools/call``, whatever became of it: evidence without secrets, tokens or results."""

import json
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic
from typing import Any

from django.utils.crypto import salted_hmac

from kobana_mcp.context import Context
from kobana_mcp.models import ToolCall

SALT = "kobana_mcp.audit"
MASK = "•••"
LONGEST_TEXT = 200
MOST_ENTRIES = 50

Outcome = ToolCall.Outcome


@dataclass
class Entry:
    """What is known of a call so far; written when the call ends."""

    tool: str
    arguments: Any
    secret_fields: tuple[str, ...] = ()
    tenant_key: str = ""
    outcome: str = Outcome.REFUSED
    status: int | None = None
    confirmation: uuid.UUID | None = None


@contextmanager
def recorded(context: Context, tool: str, arguments: Any) -> Iterator[Entry]:
    """Writes one row when the block ends, also when it ends by an exception."""
    entry, begun = Entry(tool, arguments), monotonic()
    try:
        yield entry
    finally:
        _write(entry, context, round((monotonic() - begun) * 1000))


def _write(entry: Entry, context: Context, duration_ms: int) -> None:
    principal = context.principal
    arguments = entry.arguments if isinstance(entry.arguments, Mapping) else {}
    masked = {name: MASK if name in entry.secret_fields else value for name, value in arguments.items()}
    ToolCall.objects.create(
        user=principal.user,
        username=principal.user.get_username(),
        client_id=principal.client.client_id,
        client_name=principal.client.name,
        tool=_text(entry.tool)[:64],
        tenant_key=entry.tenant_key,
        arguments=_brief(masked),
        arguments_digest=salted_hmac(SALT, json.dumps(arguments, sort_keys=True), algorithm="sha256").hexdigest(),
        outcome=entry.outcome,
        status=entry.status,
        duration_ms=duration_ms,
        confirmation=entry.confirmation,
    )


def _brief(value: Any) -> Any:
    """A value as every database can keep it: texts and collections cut, nothing in it that is no text."""
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, Mapping):
        return {_text(name): _brief(inner) for name, inner in list(value.items())[:MOST_ENTRIES]}
    if isinstance(value, list):
        return [_brief(inner) for inner in value[:MOST_ENTRIES]]
    return value


def _text(value: str) -> str:
    cut = value if len(value) <= LONGEST_TEXT else value[: LONGEST_TEXT - 1] + "…"
    return cut.encode("utf-8", "replace").decode().replace("\0", "�")
