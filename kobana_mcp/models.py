"""What outlives a request: confirmations that were used, and one row of evidence per tool call."""

from django.conf import settings
from django.db import models
from uuid_utils.compat import uuid7


class SpentConfirmation(models.Model):
    """A confirmation that was answered. The primary key is what makes a second use impossible, on whatever replica."""

    nonce = models.UUIDField(primary_key=True, editable=False)
    expires_at = models.DateTimeField(db_index=True, help_text="From here on the signature alone refuses it.")

    def __str__(self) -> str:
        return str(self.nonce)


class ToolCall(models.Model):
    """One ``tools/call``: who, with which client, what, and how it ended. Holds no token and no result."""

    class Outcome(models.TextChoices):
        SUCCEEDED = "succeeded"
        FAILED = "failed", "the endpoint said no"
        REFUSED = "refused", "refused before the endpoint was asked"
        ASKED = "asked", "a person was asked to confirm"
        DECLINED = "declined", "a person said no"
        CRASHED = "crashed"

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    username = models.CharField(max_length=254, help_text="As it was at the time; stays when the user is deleted.")
    client_id = models.CharField(max_length=255)
    client_name = models.CharField(max_length=255, blank=True)
    tool = models.CharField(max_length=64)
    tenant_key = models.CharField(max_length=64, blank=True)
    arguments = models.JSONField(default=dict, help_text="Secret fields are masked, long values cut.")
    arguments_digest = models.CharField(
        max_length=64, help_text="Keyed, so that equal calls can be found, not guessed."
    )
    outcome = models.CharField(max_length=16, choices=Outcome.choices)
    status = models.PositiveSmallIntegerField(null=True, help_text="The endpoint's HTTP status, where it was asked.")
    duration_ms = models.PositiveIntegerField()
    confirmation = models.UUIDField(null=True, help_text="The confirmation this call asked for or spent.")

    class Meta:
        ordering = ("-created_at", "-id")
        indexes = (models.Index(fields=("user", "-created_at")), models.Index(fields=("tool", "-created_at")))

    def __str__(self) -> str:
        return f"{self.tool} {self.outcome}"
