"""Agents: the language models that work on the mail."""

from kobana_mcp.registry import Tool, tools

tools.add(
    Tool(
        name="agents_list",
        title="List agents",
        description=(
            "Lists the agents of the workspace, newest first: label, model and system message. An agent works on the "
            "mail of every inbox that names it. Use q to find one by label. Returns data and meta.next_cursor: pass "
            "that as cursor for the next page; null means that this was the last."
        ),
        route="inbox-api:agent-list",
        method="GET",
        scope="inbox.agents:read",
        read_only=True,
        destructive=False,
        idempotent=True,
    )
)

tools.add(
    Tool(
        name="agents_get",
        title="Read an agent",
        description=(
            "Reads one agent by its id or external_id: label, model, system message and skills repository. Take the id "
            "from agents_list. What the agent did is in agent_runs_list with its agent_id."
        ),
        route="inbox-api:agent-detail",
        method="GET",
        scope="inbox.agents:read",
        read_only=True,
        destructive=False,
        idempotent=True,
    )
)

tools.add(
    Tool(
        name="agents_create",
        title="Create an agent",
        description=(
            "Creates an agent: a language model (llm_model, as its provider names it) with a system message that it is "
            "told before every e-mail. It does nothing until an inbox names it: give its id as agent_id to "
            "inboxes_update or inboxes_create. Prefer agents_upsert where the call may be repeated. Returns the agent."
        ),
        route="inbox-api:agent-list",
        method="POST",
        question="Create the agent “{arguments.label}” on the model {arguments.llm_model}?",
        scope="inbox.agents:write",
        read_only=False,
        destructive=False,
        idempotent=False,
    )
)

tools.add(
    Tool(
        name="agents_update",
        title="Change an agent",
        description=(
            "Changes an agent's label, model, system message or skills repository; what is left out keeps its value. "
            "It counts from the next e-mail on, in every inbox that names the agent; mail already processed is left as "
            "it is (emails_reprocess). Take the id from agents_list. Returns the agent as it is now."
        ),
        route="inbox-api:agent-detail",
        method="PATCH",
        subject="inbox-api:agent-detail",
        question="Change the agent “{label}”?",
        scope="inbox.agents:write",
        read_only=False,
        destructive=False,
        idempotent=True,
    )
)

tools.add(
    Tool(
        name="agents_upsert",
        title="Create or change an agent by your own id",
        description=(
            "Makes sure an agent of your own external_id (a UUID, given as id) is there: found, it is changed where "
            "the arguments say so; not found, it is created, and label, llm_model and system_message are needed. Safe "
            "to repeat: the same call leaves the same one agent. Returns the agent."
        ),
        route="inbox-api:agent-detail",
        method="PUT",
        question="Create or change the agent “{arguments.label}” of the external id {arguments.id}?",
        scope="inbox.agents:write",
        read_only=False,
        destructive=False,
        idempotent=True,
    )
)

tools.add(
    Tool(
        name="agents_delete",
        title="Delete an agent",
        description=(
            "Deletes one agent by its id. Inboxes that name it go on receiving, and nobody works on their mail. The "
            "server asks the user to confirm before anything happens. Take the id from agents_list. Answers status "
            "204; a second call answers not_found."
        ),
        route="inbox-api:agent-detail",
        method="DELETE",
        subject="inbox-api:agent-detail",
        question=(
            "Delete the agent “{label}” ({llm_model})? Inboxes that name it go on receiving mail, but nobody works on "
            "it."
        ),
        scope="inbox.agents:write",
        read_only=False,
        destructive=True,
        idempotent=True,
    )
)
