"""Workspaces: the tenants a person can reach, their limits and what was used of them."""

from kobana_mcp.registry import Tool, tools

tools.add(
    Tool(
        name="workspaces_list",
        title="List workspaces",
        description=(
            "Lists the workspaces the person can reach, newest first, with their monthly limits and what was used of "
            "them. Begin here when another tool answers workspace_required: the client then sends the chosen id in the "
            "X-Workspace-Id header. Returns data and meta.next_cursor: pass that as cursor for the next page; null "
            "means that this was the last."
        ),
        route="inbox-api:workspace-list",
        method="GET",
        scope="inbox.workspaces:read",
        read_only=True,
        destructive=False,
        idempotent=True,
    )
)

tools.add(
    Tool(
        name="workspaces_get",
        title="Read a workspace",
        description=(
            "Reads one workspace by its id or external_id: label, e-mail prefix, monthly limits, what was used of "
            "them, and free metadata. Take the id from workspaces_list. For the use by day and by inbox call "
            "workspaces_usage."
        ),
        route="inbox-api:workspace-detail",
        method="GET",
        scope="inbox.workspaces:read",
        read_only=True,
        destructive=False,
        idempotent=True,
    )
)

tools.add(
    Tool(
        name="workspaces_usage",
        title="See what a workspace used",
        description=(
            "Returns the e-mails received and the cost of one month against the workspace's limits, in all, by day and "
            "by inbox; the current month unless month (YYYY-MM) says otherwise. Use it when mail is rejected for quota "
            "or somebody asks what was spent. Take the id from workspaces_list."
        ),
        route="inbox-api:workspace-usage",
        method="GET",
        scope="inbox.workspaces:read",
        read_only=True,
        destructive=False,
        idempotent=True,
    )
)

tools.add(
    Tool(
        name="workspaces_create",
        title="Create a workspace",
        description=(
            "Creates a workspace, a tenant of its own with separate inboxes, agents, webhooks and mail, in an "
            "organization the person owns; organization is needed from a person who owns several. Give an external_id "
            "of your own: a second call with it answers conflict instead of making another workspace. Returns the new "
            "workspace; go on with inboxes_create there."
        ),
        route="inbox-api:workspace-list",
        method="POST",
        question="Create the workspace “{arguments.label}”?",
        scope="inbox.workspaces:write",
        read_only=False,
        destructive=False,
        idempotent=False,
    )
)

tools.add(
    Tool(
        name="workspaces_update",
        title="Change a workspace",
        description=(
            "Changes a workspace's label, e-mail prefix, monthly limits or free metadata; what is left out keeps its "
            "value. A lower limit counts at once: mail over it is rejected. Take the id from workspaces_list. Returns "
            "the workspace as it is now."
        ),
        route="inbox-api:workspace-detail",
        method="PATCH",
        subject="inbox-api:workspace-detail",
        question="Change the workspace “{label}”?",
        scope="inbox.workspaces:write",
        read_only=False,
        destructive=False,
        idempotent=True,
    )
)

tools.add(
    Tool(
        name="workspaces_delete",
        title="Delete a workspace",
        description=(
            "Deletes a workspace with everything in it: its inboxes stop receiving, its webhooks stop, and its mail, "
            "agents and events are out of reach for everybody. There is no way back. The server asks the user to "
            "confirm before anything happens. Take the id from workspaces_list. Answers status 204; a second call "
            "answers not_found."
        ),
        route="inbox-api:workspace-detail",
        method="DELETE",
        subject="inbox-api:workspace-detail",
        question=(
            "Delete the workspace “{label}” with everything in it? Its inboxes stop receiving mail, its webhooks stop, "
            "and all its mail, agents and events are out of reach for everybody. This cannot be undone."
        ),
        scope="inbox.workspaces:write",
        read_only=False,
        destructive=True,
        idempotent=True,
    )
)
