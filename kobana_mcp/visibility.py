"""What this caller may run: the scope of the token, and the permission classes of the view behind each tool."""

from kobana_mcp import registry, routes
from kobana_mcp.bridge import is_permitted
from kobana_mcp.context import Context
from kobana_mcp.registry import Tool
from kobana_mcp.schemas import is_sound


def visible_tools(context: Context) -> list[Tool]:
    """Every tool the caller can actually run, in the order of registration."""
    return [t for t in registry.tools if is_sound(t) and has_scope(t, context) and is_allowed(t, context)]


def has_scope(tool: Tool, context: Context) -> bool:
    return context.principal.allow_scopes(tool.scopes)


def is_allowed(tool: Tool, context: Context) -> bool:
    """Whether the person may, had the token every scope the tool needs: nobody shall consent in vain."""
    if tool.run is not None:
        return True
    return is_permitted(routes.of(tool), context.principal.holding(tool.scopes), context)
