"""What the inbox offers to assistants: a block a tool, each pointing at the route that does the work.

The order of these imports is the order of the catalogue. A client probes a server with its first tool, so the first one
reads, and needs no workspace.
"""

from inbox.mcp import scopes  # noqa: F401, I001 - the order is the catalogue's
from inbox.mcp import workspaces  # noqa: F401
from inbox.mcp import emails  # noqa: F401
from inbox.mcp import inboxes  # noqa: F401
from inbox.mcp import agents  # noqa: F401
from inbox.mcp import agent_runs  # noqa: F401
from inbox.mcp import webhooks  # noqa: F401
from inbox.mcp import webhook_deliveries  # noqa: F401
from inbox.mcp import system_events  # noqa: F401
