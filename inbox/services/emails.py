"""What is done with mail that is there already."""

from django.db import transaction

from inbox import tasks
from inbox.models import Email, User
from inbox.services import events


@transaction.atomic
def request_reprocess(email: Email, *, by: User) -> Email:
    """Has ``email`` processed again, whatever its status: an event now, the work in the background."""
    shown = {"id": str(email.pk), "subject": email.subject, "status": email.status}
    events.record(
        "email.reprocess_requested", email.workspace, inbox=email.inbox, email=email, by=by, payload={"email": shown}
    )
    tasks.enqueue(tasks.reprocess, str(email.pk))
    return email
