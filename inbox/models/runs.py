"""Agent runs: one agent at work on one e-mail, and what it cost."""

from django.db import models

from inbox.models.agents import Agent
from inbox.models.base import TenantQuerySet, TenantRow
from inbox.models.emails import Email
from inbox.models.inboxes import Inbox


class AgentRunQuerySet(TenantQuerySet["AgentRun"]):
    """The only way other code reads agent runs."""


class RunStatus(models.TextChoices):
    RUNNING = "running", "Running"
    SUCCESS = "success", "Success"
    FAILED = "failed", "Failed"


class AgentRun(TenantRow):
    """One try of an agent at one e-mail. The model is a copy: the agent may change afterwards."""

    inbox = models.ForeignKey(Inbox, models.PROTECT, related_name="+", db_index=False)
    agent = models.ForeignKey(Agent, models.PROTECT, related_name="+", db_index=False)
    email = models.ForeignKey(Email, models.PROTECT, related_name="+", db_index=False)
    llm_model = models.TextField()
    status = models.CharField(max_length=10, choices=RunStatus, default=RunStatus.RUNNING)
    error = models.TextField(null=True, blank=True)  # noqa: DJ001 - null is "none" in the API
    input_tokens = models.PositiveBigIntegerField(default=0)
    output_tokens = models.PositiveBigIntegerField(default=0)
    cache_read = models.PositiveBigIntegerField(default=0)
    cache_write = models.PositiveBigIntegerField(default=0)
    cost_per_token = models.DecimalField(max_digits=18, decimal_places=12, default=0)
    total_cost = models.DecimalField(max_digits=14, decimal_places=6, default=0)
    duration_ms = models.PositiveBigIntegerField(null=True, blank=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = AgentRunQuerySet.as_manager()

    class Meta:
        indexes = (
            models.Index(fields=("workspace", "-created_at", "-id"), name="inbox_run_newest"),
            models.Index(fields=("workspace", "status", "-created_at", "-id"), name="inbox_run_by_status"),
            models.Index(fields=("agent", "-created_at", "-id"), name="inbox_run_by_agent"),
            models.Index(fields=("inbox", "-created_at", "-id"), name="inbox_run_by_inbox"),
            models.Index(fields=("email", "-created_at", "-id"), name="inbox_run_by_email"),
        )

    def __str__(self) -> str:
        return f"{self.llm_model}: {self.status}"
