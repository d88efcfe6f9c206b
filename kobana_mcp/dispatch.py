"""(era, method) -> handler. The table is the version gate: no row, no method."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from kobana_mcp import registry
from kobana_mcp.context import Context
from kobana_mcp.handlers import lifecycle, tools
from kobana_mcp.protocol.eras import LEGACY, MODERN, Era
from kobana_mcp.protocol.errors import MethodNotFound

SERVER_INFO = "io.modelcontextprotocol/serverInfo"
#: What comes back is filtered by the caller's rights, so it must be neither reused nor shared (utilities/caching).
UNCACHED: Mapping[str, Any] = MappingProxyType({"ttlMs": 0, "cacheScope": "private"})


@dataclass(frozen=True)
class Method:
    """A row of the table.

    Args:
        handler: makes the result.
        shelf: where a capability that is advertised has something; the method is not there while it is empty.
        cacheable: the result carries cache hints in the modern era.
    """

    handler: Callable[[Context], dict[str, Any]]
    shelf: registry.Shelf[Any] | None = None
    cacheable: bool = False


BOTH: Mapping[str, Method] = {
    "tools/list": Method(tools.list_tools, registry.tools, cacheable=True),
    "tools/call": Method(tools.call_tool, registry.tools),
}

METHODS: Mapping[Era, Mapping[str, Method]] = MappingProxyType(
    {
        MODERN: {**BOTH, "server/discover": Method(lifecycle.discover, cacheable=True)},
        LEGACY: {**BOTH, "initialize": Method(lifecycle.initialize), "ping": Method(lifecycle.ping)},
    }
)


def dispatch(context: Context) -> dict[str, Any]:
    """The result of the message's method. Raises MethodNotFound, and whatever the handler raises."""
    method = METHODS[context.era].get(context.message.method or "")
    if method is None or (method.shelf is not None and not len(method.shelf)):
        raise MethodNotFound
    result = method.handler(context)
    return _stamped(method, result) if context.era.stamps_results else result


def _stamped(method: Method, result: dict[str, Any]) -> dict[str, Any]:
    """A result with what the modern era's results carry besides (2026-07-28, "Per-response protocol fields")."""
    hints = UNCACHED if method.cacheable else {}
    meta = {**result.pop("_meta", {}), SERVER_INFO: lifecycle.server_info()}
    return {"resultType": "complete", **result, **hints, "_meta": meta}
