"""Changes to inboxes."""

import secrets
import uuid
from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.text import slugify

from inbox.conf import mail_domain
from inbox.errors import Conflict, InvalidFields, Unprocessable
from inbox.models import Agent, Inbox, User, Workspace
from inbox.services import events, rows

LONGEST_LOCAL_PART = 64
TOKEN_LENGTH = 7
TOKEN_ALPHABET = "abcdefghijklmnopqrstuvwxyz234567"  # noqa: S105 - base32 in lower case
#: Fields that count when an inbox is made, and that an upsert of an existing one may only repeat.
SET_AT_CREATION = ("email", "allowed_recipients")


@transaction.atomic
def create(workspace: Workspace, given: Mapping[str, Any], *, by: User) -> Inbox:
    """A new inbox; without an address, under one that is made for it.

    Raises InvalidFields for a missing label, Conflict for an address or external_id that is taken, Unprocessable for an
    address of another domain and for an agent that there is not.
    """
    if "label" not in given:
        raise InvalidFields({"label": ["This field is required."]})
    columns = _columns(workspace, given)
    if "email" in columns and not columns["email"].endswith(f"@{mail_domain()}"):
        raise _unprocessable("email", f"An inbox has an address at {mail_domain()}.")
    rows.refuse_id_of_another(Inbox, workspace, columns.get("external_id"))
    inbox = _inserted(workspace, columns)
    _record("inbox.created", inbox, by)
    return inbox


@transaction.atomic
def update(inbox: Inbox, given: Mapping[str, Any], *, by: User) -> Inbox:
    """Changes what is in ``given``. Raises NotFound for one deleted meanwhile, Unprocessable as ``create`` does."""
    held: Inbox = rows.held(Inbox, inbox)
    changed = rows.change(held, _columns(held.workspace, given))
    if changed:
        _record("inbox.updated", held, by, changed=changed)
    return held


@transaction.atomic
def upsert(workspace: Workspace, external_id: uuid.UUID, given: Mapping[str, Any], *, by: User) -> tuple[Inbox, bool]:
    """Changes the inbox of this external_id, or makes it; True for one that was made.

    Raises InvalidFields for an existing one whose address or senders are given otherwise than they are.
    """

    def changed(inbox: Inbox) -> Inbox:
        differing = [name for name in SET_AT_CREATION if name in given and given[name] != getattr(inbox, name)]
        if differing:
            raise InvalidFields(
                {name: ["Cannot be changed here; it is set when the inbox is made."] for name in differing}
            )
        return update(inbox, {name: value for name, value in given.items() if name not in SET_AT_CREATION}, by=by)

    return rows.upsert(
        Inbox,
        workspace,
        external_id,
        update=changed,
        create=lambda: create(workspace, {**given, "external_id": external_id}, by=by),
    )


@transaction.atomic
def add_recipient(inbox: Inbox, address: str, *, by: User) -> tuple[list[str], bool]:
    """Lets ``address``, or a whole ``@domain``, write to the inbox. The list afterwards, and whether it is new."""
    held: Inbox = rows.held(Inbox, inbox)
    if address in held.allowed_recipients:
        return list(held.allowed_recipients), False
    return _set_recipients(held, [*held.allowed_recipients, address], by), True


@transaction.atomic
def remove_recipient(inbox: Inbox, address: str, *, by: User) -> list[str]:
    """Takes ``address`` off the list of who may write; one that is not on it changes nothing. The list afterwards."""
    held: Inbox = rows.held(Inbox, inbox)
    if address not in held.allowed_recipients:
        return list(held.allowed_recipients)
    return _set_recipients(held, [each for each in held.allowed_recipients if each != address], by)


@transaction.atomic
def delete(inbox: Inbox, *, by: User) -> None:
    """Stop ``inbox`` from receiving, for good; its mail stays. Raises NotFound when somebody else was faster."""
    held: Inbox = rows.held(Inbox, inbox)
    held.deleted_at = timezone.now()
    held.save(update_fields=["deleted_at", "updated_at"])
    _record("inbox.deleted", held, by)


def _inserted(workspace: Workspace, columns: dict[str, Any]) -> Inbox:
    """The new row. A made address that happens to be taken is made anew."""
    for _ in range(5):
        inbox = Inbox(workspace=workspace, **{"email": _address(workspace, columns["label"]), **columns})
        try:
            rows.insert(inbox, _taken)
        except Conflict as conflict:
            if "email" in columns or "address" not in conflict.message:
                raise
        else:
            return inbox
    raise Conflict("No free address could be made for this label.")


def _taken(words: str) -> str:
    kind = "external_id" if "external_id" in words else "address"
    return f"There is already an inbox of this {kind}."


def _address(workspace: Workspace, label: str) -> str:
    """``{email_prefix}-{slug of the label}-{token}`` at the domain of all inboxes."""
    token = "".join(secrets.choice(TOKEN_ALPHABET) for _ in range(TOKEN_LENGTH))
    room = LONGEST_LOCAL_PART - TOKEN_LENGTH - 1
    words = "-".join(filter(None, (workspace.email_prefix, slugify(label))))[:room].strip("-") or "inbox"
    return f"{words}-{token}@{mail_domain()}"


def _columns(workspace: Workspace, given: Mapping[str, Any]) -> dict[str, Any]:
    columns = dict(given)
    if columns.get("agent_id") is not None:
        agent = Agent.objects.live().within(workspace).find(str(columns["agent_id"]))
        if agent is None:
            raise _unprocessable("agent_id", "There is no such agent.")
        columns["agent_id"] = agent.pk
    return columns


def _unprocessable(name: str, words: str) -> Unprocessable:
    return Unprocessable(details={"formErrors": [], "fieldErrors": {name: [words]}})


def _set_recipients(held: Inbox, wanted: list[str], by: User) -> list[str]:
    rows.change(held, {"allowed_recipients": wanted})
    _record("inbox.updated", held, by, changed=["allowed_recipients"])
    return wanted


def _record(slug: str, inbox: Inbox, by: User, **told: Any) -> None:
    shown = {"id": str(inbox.pk), "external_id": str(inbox.external_id), "label": inbox.label, "email": inbox.email}
    events.record(slug, inbox.workspace, inbox=inbox, by=by, payload={"inbox": shown, **told})
