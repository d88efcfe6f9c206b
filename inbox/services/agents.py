"""Changes to agents."""

import uuid
from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone

from inbox.errors import InvalidFields
from inbox.models import Agent, Inbox, User, Workspace
from inbox.services import events, rows

NEEDED = ("label", "llm_model", "system_message")
TAKEN = "There is already an agent of this external_id."


@transaction.atomic
def create(workspace: Workspace, given: Mapping[str, Any], *, by: User) -> Agent:
    """A new agent. Raises InvalidFields for what is missing, Conflict for an external_id that is taken."""
    if missing := [name for name in NEEDED if name not in given]:
        raise InvalidFields({name: ["This field is required."] for name in missing})
    rows.refuse_id_of_another(Agent, workspace, given.get("external_id"))
    agent = Agent(workspace=workspace, **given)
    rows.insert(agent, lambda words: TAKEN)
    _record("agent.created", agent, by)
    return agent


@transaction.atomic
def update(agent: Agent, given: Mapping[str, Any], *, by: User) -> Agent:
    """Changes what is in ``given``. Raises NotFound for one deleted meanwhile."""
    held: Agent = rows.held(Agent, agent)
    changed = rows.change(held, given)
    if changed:
        _record("agent.updated", held, by, changed=changed)
    return held


@transaction.atomic
def upsert(workspace: Workspace, external_id: uuid.UUID, given: Mapping[str, Any], *, by: User) -> tuple[Agent, bool]:
    """Changes the agent of this external_id, or makes it; True for one that was made."""
    return rows.upsert(
        Agent,
        workspace,
        external_id,
        update=lambda agent: update(agent, given, by=by),
        create=lambda: create(workspace, {**given, "external_id": external_id}, by=by),
    )


@transaction.atomic
def delete(agent: Agent, *, by: User) -> None:
    """Ends ``agent``; its inboxes keep running without one. Raises NotFound when somebody else was faster."""
    held: Agent = rows.held(Agent, agent)
    held.deleted_at = timezone.now()
    held.save(update_fields=["deleted_at", "updated_at"])
    Inbox.objects.within(held.workspace).filter(agent=held).update(agent=None, updated_at=timezone.now())
    _record("agent.deleted", held, by)


def _record(slug: str, agent: Agent, by: User, **told: Any) -> None:
    shown = {"id": str(agent.pk), "external_id": str(agent.external_id), "label": agent.label}
    events.record(slug, agent.workspace, by=by, payload={"agent": shown, **told})
