"""Works on mail in the background. Every step is safe to run twice: the row says how far it came."""

from django.db import transaction

from inbox.models import Email, EmailStatus


@transaction.atomic
def requeue(email_id: str) -> None:
    """Puts a message back to the beginning of its way, as if it had just arrived. One that is gone is passed over."""
    email = Email.objects.locked().filter(pk=email_id).first()
    if email is None or email.status == EmailStatus.RECEIVED:
        return
    email.status, email.rejection_reason, email.processed_at = EmailStatus.RECEIVED, None, None
    email.save(update_fields=["status", "rejection_reason", "processed_at", "updated_at"])
