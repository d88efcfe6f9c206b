"""Inboxes: the addresses of a workspace, and who may write to them."""

from kobana_mcp.registry import Tool, tools

tools.add(
    Tool(
        name="inboxes_list",
        title="List inboxes",
        description=(
            "Lists the inboxes of the workspace, newest first: address, label, status, the agent that handles the mail "
            "and who may write to it (allowed_recipients; empty means anyone). Use q to find one by label or address. "
            "Returns data and meta.next_cursor: pass that as cursor for the next page; null means that this was the "
            "last."
        ),
        route="inbox-api:inbox-list",
        method="GET",
        scope="inbox.inboxes:read",
        read_only=True,
        destructive=False,
        idempotent=True,
    )
)

tools.add(
    Tool(
        name="inboxes_get",
        title="Read an inbox",
        description=(
            "Reads one inbox by its id or external_id: address, label, status, agent, filters that reject mail, "
            "attachment limits and allowed_recipients, the addresses that may write to it. Use it to find out why mail "
            "to this address was rejected. Take the id from inboxes_list."
        ),
        route="inbox-api:inbox-detail",
        method="GET",
        scope="inbox.inboxes:read",
        read_only=True,
        destructive=False,
        idempotent=True,
    )
)

tools.add(
    Tool(
        name="inboxes_create",
        title="Create an inbox",
        description=(
            "Creates an inbox: an e-mail address that starts to receive at once. Without email the address is made up; "
            "without agent_id its mail is stored and nobody works on it (agents_list has the agents). Prefer "
            "inboxes_upsert where the call may be repeated: each call here makes another address. Returns the inbox "
            "with its address."
        ),
        route="inbox-api:inbox-list",
        method="POST",
        question="Create the inbox “{arguments.label}”?",
        scope="inbox.inboxes:write",
        read_only=False,
        destructive=False,
        idempotent=False,
    )
)

tools.add(
    Tool(
        name="inboxes_update",
        title="Change an inbox",
        description=(
            "Changes an inbox's label, agent, status, filters or attachment limits; what is left out keeps its value. "
            "Status inactive stops receiving. The address is fixed, and who may write is changed with "
            "inboxes_add_recipient and inboxes_remove_recipient. Take the id from inboxes_list. Returns the inbox as "
            "it is now."
        ),
        route="inbox-api:inbox-detail",
        method="PATCH",
        subject="inbox-api:inbox-detail",
        question="Change the inbox “{label}” ({email})?",
        scope="inbox.inboxes:write",
        read_only=False,
        destructive=False,
        idempotent=True,
    )
)

tools.add(
    Tool(
        name="inboxes_upsert",
        title="Create or change an inbox by your own id",
        description=(
            "Makes sure an inbox of your own external_id (a UUID, given as id) is there: found, it is changed where "
            "the arguments say so; not found, it is created, and label is needed. Safe to repeat: the same call leaves "
            "the same one inbox. For an inbox that exists, email and allowed_recipients may only repeat what it has. "
            "Returns the inbox."
        ),
        route="inbox-api:inbox-detail",
        method="PUT",
        question="Create or change the inbox “{arguments.label}” of the external id {arguments.id}?",
        scope="inbox.inboxes:write",
        read_only=False,
        destructive=False,
        idempotent=True,
    )
)

tools.add(
    Tool(
        name="inboxes_delete",
        title="Delete an inbox",
        description=(
            "Deletes one inbox by its id: its address stops receiving mail at once, the mail it holds is kept. The "
            "server asks the user to confirm before anything happens. Take the id from inboxes_list. Answers status "
            "204; a second call answers not_found."
        ),
        route="inbox-api:inbox-detail",
        method="DELETE",
        subject="inbox-api:inbox-detail",
        question=(
            "Delete the inbox “{label}” ({email})? Its address stops receiving mail at once. The mail it holds is kept."
        ),
        scope="inbox.inboxes:write",
        read_only=False,
        destructive=True,
        idempotent=True,
    )
)

tools.add(
    Tool(
        name="inboxes_add_recipient",
        title="Let an address write to an inbox",
        description=(
            "Adds one address, or a whole domain as @example.com, to those that may write to an inbox. Mind that an "
            "empty list lets anyone write: the first entry shuts everybody else out. The server asks the user to "
            "confirm first. Adding an entry that is there already changes nothing. Take the id from inboxes_list. "
            "Returns the inbox with allowed_recipients."
        ),
        route="inbox-api:inbox-add-recipient",
        method="POST",
        subject="inbox-api:inbox-detail",
        question=(
            "Let “{arguments.email}” write to the inbox “{label}” ({email})? Once its list has an entry, only those on "
            "it may write."
        ),
        scope="inbox.inboxes:write",
        read_only=False,
        destructive=True,
        idempotent=True,
    )
)

tools.add(
    Tool(
        name="inboxes_remove_recipient",
        title="Stop an address from writing to an inbox",
        description=(
            "Removes one address or @domain from those that may write to an inbox; its mail is rejected from then on. "
            "Mind that with the last entry gone anyone may write. The server asks the user to confirm first. Take the "
            "id from inboxes_list and the entry from its allowed_recipients. Returns the inbox."
        ),
        route="inbox-api:inbox-add-recipient",
        method="DELETE",
        subject="inbox-api:inbox-detail",
        question=(
            "Take “{arguments.email}” off the list of those that may write to the inbox “{label}” ({email})? An empty "
            "list lets anyone write."
        ),
        scope="inbox.inboxes:write",
        read_only=False,
        destructive=True,
        idempotent=True,
    )
)
