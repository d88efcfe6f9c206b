"""Pages of a list, by a cursor that only this server can make, for one list and one person (utilities/pagination)."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from django.core import signing

from kobana_mcp.conf import conf
from kobana_mcp.context import Context
from kobana_mcp.protocol.errors import InvalidParams

SALT = "kobana_mcp.cursor"
T = TypeVar("T")


def page(context: Context, member: str, items: Sequence[T], describe: Callable[[Sequence[T]], Any]) -> dict[str, Any]:
    """The page of ``items`` that the request's cursor points at, described, under ``member``.

    There is no ``nextCursor`` on the last page. Raises InvalidParams for a cursor that was not made for this list and
    this person.
    """
    owner = [context.message.method, str(context.principal.user.pk)]
    start = _start(context.params.get("cursor"), owner)
    end = start + conf.PAGE_SIZE
    result: dict[str, Any] = {member: describe(items[start:end])}
    if end < len(items):
        result["nextCursor"] = signing.dumps([*owner, end], salt=SALT)
    return result


def _start(cursor: Any, owner: list[Any]) -> int:
    if cursor is None:
        return 0
    try:
        *made_for, start = signing.loads(cursor, salt=SALT)
    except (signing.BadSignature, TypeError, AttributeError, ValueError):
        raise InvalidParams("The cursor is not valid") from None
    if made_for != owner:
        raise InvalidParams("The cursor is not valid")
    return int(start)
