"""Changes to webhooks."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone

from inbox import tasks
from inbox.errors import InvalidFields, Unprocessable
from inbox.events import CATALOGUE
from inbox.models import Inbox, SystemEvent, User, Webhook, WebhookAuth, WebhookDelivery, WebhookStatus, Workspace
from inbox.services import credentials, deliveries, events, rows

CHANGEABLE = ("url", "label", "status", "inbox_id", "subscribed_events")
FIXED = ("external_id", "auth")
SET_AT_CREATION = "Is set when the webhook is made and cannot be changed: make another webhook."
REQUIRED = "This field is required."


@dataclass(frozen=True)
class Saved:
    """What became of a webhook.

    Args:
        signing_secret: of one that was made, in clear, for the one time it is shown.
    """

    webhook: Webhook
    signing_secret: str | None = None

    def __repr__(self) -> str:
        return f"Saved({self.webhook!r})"


@transaction.atomic
def create(workspace: Workspace, given: Mapping[str, Any], *, by: User) -> Saved:
    """A new webhook.

    Args:
        given: its fields and, in clear, the credentials its ``auth`` needs.

    Raises InvalidFields for what a webhook cannot be made without, Conflict for an external_id that is taken,
    Unprocessable for an inbox or an event that there is not.
    """
    needed = ("label", "url", *credentials.NEEDED[given.get("auth", WebhookAuth.NONE)])
    if missing := [name for name in needed if name not in given]:
        raise InvalidFields({name: [REQUIRED] for name in missing})
    columns = _columns(workspace, given)
    rows.refuse_id_of_another(Webhook, workspace, given.get("external_id"))
    webhook = Webhook(workspace=workspace, **{name: given[name] for name in FIXED if name in given}, **columns)
    credentials.keep(webhook, given)
    secret = credentials.keep_new_signing_secret(webhook)
    rows.insert(webhook, lambda words: "There is already a webhook of this external_id.")
    _record("webhook.created", webhook, by)
    return Saved(webhook, secret)


@transaction.atomic
def update(webhook: Webhook, given: Mapping[str, Any], *, by: User) -> Webhook:
    """Changes what is in ``given``. Raises NotFound for one deleted meanwhile, Unprocessable as ``create`` does."""
    held: Webhook = rows.held(Webhook, webhook)
    wanted = _columns(held.workspace, given)
    if wanted.get("status") == WebhookStatus.ACTIVE and held.status != WebhookStatus.ACTIVE:
        # It was switched off, perhaps for its failures: it begins anew.
        Webhook.objects.filter(pk=held.pk).update(consecutive_failures=0)
        held.consecutive_failures = 0
    changed = rows.change(held, wanted)
    if changed:
        _record("webhook.updated", held, by, changed=changed)
    return held


@transaction.atomic
def upsert(workspace: Workspace, external_id: uuid.UUID, given: Mapping[str, Any], *, by: User) -> Saved:
    """Changes the webhook of this external_id, or makes it.

    Raises InvalidFields for an existing one whose ``auth`` or credentials are given otherwise, Conflict for an id that
    is another webhook's own, and what ``create`` raises.
    """

    def changed(webhook: Webhook) -> Saved:
        held: Webhook = rows.held(Webhook, webhook)
        if differing := credentials.differing(held, given):
            raise InvalidFields({name: [SET_AT_CREATION] for name in differing})
        return Saved(update(held, given, by=by))

    saved, _ = rows.upsert(
        Webhook,
        workspace,
        external_id,
        update=changed,
        create=lambda: create(workspace, {**given, "external_id": external_id}, by=by),
    )
    return saved


@transaction.atomic
def delete(webhook: Webhook, *, by: User) -> None:
    """Ends ``webhook``: what is pending is cancelled. Raises NotFound when somebody else was faster."""
    held: Webhook = rows.held(Webhook, webhook)
    held.deleted_at = timezone.now()
    credentials.forget(held)
    held.save()
    deliveries.cancel_pending(held)
    _record("webhook.deleted", held, by)


@transaction.atomic
def regenerate_secret(webhook: Webhook, *, by: User) -> str:
    """A new signing secret, in clear, for the one time it is shown; the old one signs nothing more."""
    held: Webhook = rows.held(Webhook, webhook)
    secret = credentials.keep_new_signing_secret(held)
    held.save(update_fields=["sealed_signing_secret", "updated_at"])
    _record("webhook.updated", held, by, changed=["signing_secret"])
    return secret


@transaction.atomic
def test(webhook: Webhook, *, by: User) -> SystemEvent:
    """An event for this webhook alone, whatever it subscribes to, and its delivery on the way."""
    held: Webhook = rows.held(Webhook, webhook)
    event = _record("webhook.test", held, by)
    tasks.enqueue(tasks.deliver, str(deliveries.add(held, event).pk))
    return event


@transaction.atomic
def replay(delivery: WebhookDelivery, *, by: User) -> WebhookDelivery:
    """A new attempt of the same event, on the way; the earlier one stays as it is."""
    held: Webhook = rows.held(Webhook, delivery.webhook)
    event = delivery.system_event
    made = deliveries.add(held, event)
    told = {"id": str(made.pk), "attempt": made.attempt}
    _record("webhook.replay_requested", held, by, delivery=told, event={"id": str(event.pk), "slug": event.slug})
    tasks.enqueue(tasks.deliver, str(made.pk))
    return made


def _columns(workspace: Workspace, given: Mapping[str, Any]) -> dict[str, Any]:
    """Of what was given, what is a column and may change. Raises Unprocessable with every field it is about."""
    wanted = {name: given[name] for name in CHANGEABLE if name in given}
    faults = {}
    if "subscribed_events" in wanted:
        wanted["subscribed_events"] = list(dict.fromkeys(wanted["subscribed_events"]))
        unknown = [slug for slug in wanted["subscribed_events"] if slug not in CATALOGUE]
        if unknown:
            faults["subscribed_events"] = [f"There is no event {slug}." for slug in unknown]
    if wanted.get("inbox_id") is not None:
        inbox = Inbox.objects.live().within(workspace).find(str(wanted["inbox_id"]))
        if inbox is None:
            faults["inbox_id"] = ["There is no such inbox."]
        else:
            wanted["inbox_id"] = inbox.pk
    if faults:
        raise Unprocessable(details={"formErrors": [], "fieldErrors": faults})
    return wanted


def _record(slug: str, webhook: Webhook, by: User, **told: Any) -> SystemEvent:
    # Without its address, which may hold a secret of its own and is nobody else's business.
    shown = {"id": str(webhook.pk), "external_id": str(webhook.external_id), "label": webhook.label}
    payload = {"webhook": shown, **told}
    return events.record(slug, webhook.workspace, inbox=webhook.inbox, by=by, payload=payload)
