"""Changes to workspaces, and what one has used of its limits."""

import uuid
from collections.abc import Mapping
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import Count, Sum
from django.db.models.functions import TruncDate
from django.utils import timezone
from django.utils.text import slugify

from inbox.errors import InvalidFields, NotFound, Unprocessable
from inbox.models import AgentRun, Email, Inbox, Role, User, Webhook, Workspace
from inbox.services import deliveries, rows

LONGEST_PREFIX = 60


@transaction.atomic
def create(given: Mapping[str, Any], *, by: User) -> Workspace:
    """A new workspace of an organization that ``by`` owns.

    Raises InvalidFields where several are owned and none is named, Unprocessable for one that is not owned, Conflict
    for an external_id that is taken.
    """
    columns = dict(given)
    organization = _owned(columns.pop("organization", None), by)
    columns.setdefault("email_prefix", slugify(columns["label"])[:LONGEST_PREFIX].strip("-") or "workspace")
    columns["email_prefix"] = columns["email_prefix"].replace("_", "-")
    workspace = Workspace(organization_id=organization, **columns)
    rows.insert(workspace, lambda words: "There is already a workspace of this external_id.")
    return workspace


@transaction.atomic
def update(workspace: Workspace, given: Mapping[str, Any]) -> Workspace:
    """Changes what is in ``given``. Raises NotFound for one deleted meanwhile."""
    held = _held(workspace)
    rows.change(held, given)
    return held


@transaction.atomic
def delete(workspace: Workspace) -> None:
    """Puts ``workspace`` and all its rows out of reach, and stops its webhooks. Raises NotFound for a gone one."""
    held = _held(workspace)
    held.deleted_at = timezone.now()
    held.save(update_fields=["deleted_at", "updated_at"])
    for webhook in Webhook.objects.live().within(held).without_secrets():
        deliveries.cancel_pending(webhook)


def usage(workspace: Workspace, month: date) -> dict[str, Any]:
    """What ``workspace`` received and spent in the month of that day (UTC), against its limits, in five queries."""
    begin = datetime(month.year, month.month, 1, tzinfo=UTC)
    end = datetime(month.year + month.month // 12, month.month % 12 + 1, 1, tzinfo=UTC)
    mails = Email.objects.within(workspace).filter(received_at__gte=begin, received_at__lt=end)
    runs = AgentRun.objects.within(workspace).filter(created_at__gte=begin, created_at__lt=end)
    by_day = _grouped(mails, runs, day=True)
    by_inbox = _grouped(mails, runs, day=False)
    inboxes = {inbox.pk: inbox for inbox in Inbox.objects.within(workspace).filter(pk__in=by_inbox)}
    return {
        "month": f"{month:%Y-%m}",
        "emails_used": sum(mails for mails, _ in by_day.values()),
        "emails_limit": workspace.monthly_emails_limit,
        "cost_used": sum((cost for _, cost in by_day.values()), Decimal(0)),
        "cost_limit": workspace.monthly_cost_limit,
        "by_day": [{"date": day, "emails": n, "cost": cost} for day, (n, cost) in sorted(by_day.items())],
        "by_inbox": [
            {"inbox_id": key, "label": inboxes[key].label, "email": inboxes[key].email, "emails": n, "cost": cost}
            for key, (n, cost) in sorted(by_inbox.items())
        ],
    }


def _grouped(mails: Any, runs: Any, *, day: bool) -> dict[Any, tuple[int, Decimal]]:
    """Mails and cost by day, or by inbox."""
    mail_key = TruncDate("received_at", tzinfo=UTC) if day else "inbox"
    run_key = TruncDate("created_at", tzinfo=UTC) if day else "inbox"
    counts = dict(_values(mails, mail_key, Count("id")))
    costs = dict(_values(runs, run_key, Sum("total_cost")))
    return {key: (counts.get(key, 0), costs.get(key) or Decimal(0)) for key in {*counts, *costs}}


def _values(rows: Any, key: Any, total: Any) -> Any:
    grouped = rows.order_by().values(key) if isinstance(key, str) else rows.order_by().values(key=key)
    return grouped.annotate(total=total).values_list(key if isinstance(key, str) else "key", "total")


def _owned(named: uuid.UUID | None, person: User) -> uuid.UUID:
    """The organization to work for: the one named, or the only one that ``person`` owns."""
    owned = [key for key, role in person.reach.roles.items() if role.includes(Role.OWNER)]
    if named is None and len(owned) != 1:
        raise InvalidFields({"organization": ["You own several organizations: name one."]})
    if named is not None and named not in owned:
        faults = {"organization": ["There is no such organization, or you do not own it."]}
        raise Unprocessable(details={"formErrors": [], "fieldErrors": faults})
    return named or owned[0]


def _held(workspace: Workspace) -> Workspace:
    found = Workspace.objects.live().locked().filter(pk=workspace.pk).first()
    if found is None:
        raise NotFound
    return found
