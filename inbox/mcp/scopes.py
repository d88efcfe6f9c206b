"""The rights a person can give to a client: to see, and to change, each family."""

from kobana_mcp.registry import Scope, scopes

FAMILIES = {
    "emails": "e-mails",
    "inboxes": "inboxes",
    "workspaces": "workspaces",
    "agents": "agents",
    "agent_runs": "agent runs",
    "webhooks": "webhooks",
    "system_events": "system events",
}
#: Families of which there is nothing to change.
READ_ONLY = ("agent_runs", "system_events")

for family, words in FAMILIES.items():
    name = f"inbox.{family}"
    scopes.add(Scope(name=f"{name}:read", description=f"See {words}"))
    both: tuple[str, ...] = (f"{name}:read",)
    if family not in READ_ONLY:
        scopes.add(Scope(name=f"{name}:write", description=f"Change {words}", implies=both))
        both = (f"{name}:write",)
    # The public API's own name of the right, from before reading and changing were told apart.
    scopes.add(Scope(name=name, description=f"See and change {words}", implies=both))
