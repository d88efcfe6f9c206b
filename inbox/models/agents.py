"""Agents: language models with a system message, which work on the mail of an inbox."""

from typing import Self

from django.db import models

from inbox.models.base import LIVE, DeletableMixin, ExternallyNamed, TenantQuerySet, TenantRow


class AgentQuerySet(TenantQuerySet["Agent"]):
    """The only way other code reads agents."""

    def live(self) -> Self:
        return self.filter(LIVE)

    def locked(self) -> Self:
        """The same rows, held against other writers until the transaction ends; rows that refer to them may come."""
        return self.select_for_update(of=("self",), no_key=True)


class Agent(TenantRow, ExternallyNamed, DeletableMixin):
    """Which model, told what."""

    label = models.TextField()
    llm_model = models.TextField()
    system_message = models.TextField(blank=True)
    skills_repo = models.URLField(max_length=2000, null=True, blank=True)  # noqa: DJ001 - null is "none" in the API

    objects = AgentQuerySet.as_manager()

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("workspace", "external_id"), condition=LIVE, name="inbox_agent_external_id"
            ),
        )
        indexes = (models.Index(fields=("workspace", "-created_at", "-id"), name="inbox_agent_newest"),)

    def __str__(self) -> str:
        return self.label
