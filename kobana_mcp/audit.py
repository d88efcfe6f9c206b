"""One row per ``tools/call``, whatever became of it: evidence without secrets, tokens or results."""

import json
import logging
import uuid
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic
from typing import Any

from django.db import DatabaseError
from django.utils.crypto import salted_hmac

from kobana_mcp.conf import conf
from kobana_mcp.context import Context
from kobana_mcp.models import ToolCall
from kobana_mcp.registry import MASK

logger = logging.getLogger("kobana_mcp")

SALT = "kobana_mcp.audit"
LONGEST_TEXT = 200
MOST_ENTRIES = 50
LONGEST_ROW = 8_000

Outcome = ToolCall.Outcome


@dataclass
class Entry:
    """What is known of a call so far; written when the call ends.

    Args:
        shown_fields: the arguments that are recorded in clear; all others, misspelt ones too, may be secrets.
    """

    tool: str
    arguments: Any
    shown_fields: Collection[str] = frozenset()
    tenant_key: str = ""
    outcome: str = Outcome.REFUSED
    status: int | None = None
    confirmation: uuid.UUID | None = None


@contextmanager
def recorded(context: Context, tool: str, arguments: Any) -> Iterator[Entry]:
    """Writes one row when the block ends, also when it ends by an exception. Nothing where the settings say so."""
    entry, begun = Entry(tool, arguments), monotonic()
    if not conf.AUDIT:
        yield entry
        return
    try:
        yield entry
    except BaseException:
        _write(entry, context, round((monotonic() - begun) * 1000))
        raise
    try:
        _write(entry, context, round((monotonic() - begun) * 1000))
    except DatabaseError:
        if entry.outcome != Outcome.SUCCEEDED:
            raise
        # It was done: an error now would have it done again.
        logger.exception("Tool %s ran, and its audit row could not be written", entry.tool)


def _write(entry: Entry, context: Context, duration_ms: int) -> None:
    principal = context.principal
    arguments = entry.arguments if isinstance(entry.arguments, Mapping) else {}
    masked = {name: value if name in entry.shown_fields else MASK for name, value in arguments.items()}
    ToolCall.objects.create(
        user=principal.user,
        username=principal.user.get_username(),
        client_id=principal.client.client_id,
        client_name=principal.client.name,
        tool=_text(entry.tool)[:64],
        tenant_key=entry.tenant_key,
        arguments=_kept(masked),
        arguments_digest=salted_hmac(SALT, json.dumps(arguments, sort_keys=True), algorithm="sha256").hexdigest(),
        outcome=entry.outcome,
        status=entry.status,
        duration_ms=duration_ms,
        confirmation=entry.confirmation,
    )


def _kept(arguments: Mapping[str, Any]) -> Any:
    """The arguments as the row holds them; of a call too big for that, the names alone."""
    brief = _brief(arguments)
    if len(json.dumps(brief)) <= LONGEST_ROW:
        return brief
    return dict.fromkeys(list(brief)[:MOST_ENTRIES], "…")


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
