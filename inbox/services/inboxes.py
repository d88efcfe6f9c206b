"""Changes to inboxes."""

from django.db import transaction
from django.utils import timezone

from inbox.errors import NotFound
from inbox.models import Inbox, User
from inbox.services import events


@transaction.atomic
def delete(inbox: Inbox, *, by: User) -> None:
    """Stop ``inbox`` from receiving, for good; its mail stays. Raises NotFound when somebody else was faster."""
    held = Inbox.objects.live().locked().select_related("workspace").filter(pk=inbox.pk).first()
    if held is None:
        raise NotFound
    held.deleted_at = timezone.now()
    held.save(update_fields=["deleted_at", "updated_at"])
    told = {"inbox": {"id": str(held.pk), "external_id": str(held.external_id), "label": held.label}}
    told["inbox"]["email"] = held.email
    events.record("inbox.deleted", held.workspace, inbox=held, by=by, payload=told)
