"""What outlives a request: an administrator's choices, confirmations that were used, and evidence of tool calls."""

import uuid
from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.core.validators import RegexValidator
from django.db import models
from django.db.models.signals import post_delete, post_save
from django.dispatch import receiver
from uuid_utils.compat import uuid7


class CatalogueVersion(models.Model):
    """The one row that says which state the administrator's choices are in: a new value with every change of them.

    A value that was rolled back never comes again, so nothing can be remembered under it by mistake.
    """

    id = models.PositiveSmallIntegerField(primary_key=True, default=1, editable=False)
    version = models.UUIDField(default=uuid.uuid4)

    def __str__(self) -> str:
        return str(self.version)

    @classmethod
    def renew(cls) -> None:
        """Makes every replica read the choices anew, from the commit of the surrounding transaction on."""
        cls.objects.update_or_create(pk=1, defaults={"version": uuid.uuid4()})


class ChoiceQuerySet(models.QuerySet[Any]):
    """Rows whose changes count from the next request on, also where no ``save`` is called."""

    def update(self, **kwargs: Any) -> int:
        changed = super().update(**kwargs)
        CatalogueVersion.renew()
        return changed

    def bulk_create(self, objs: Iterable[Any], *args: Any, **kwargs: Any) -> list[Any]:
        made = super().bulk_create(objs, *args, **kwargs)
        CatalogueVersion.renew()
        return made


class Scope(models.Model):
    """What an administrator says of a scope: of a declared one, other words or reach; or a scope of his own."""

    name = models.CharField(
        max_length=100,
        unique=True,
        validators=[RegexValidator(r"^[!#-\[\]-~]+$", "A scope has no spaces, quotes or backslashes.")],
        help_text="A declared scope, or a new one.",
    )
    description = models.CharField(
        "words", max_length=255, blank=True, help_text="The right in words, for the consent page. Empty: as declared."
    )
    implies = models.JSONField(
        null=True, blank=True, default=None, help_text="Scopes that a token with this one holds as well."
    )
    is_default = models.BooleanField(
        "asked for at first",
        null=True,
        help_text="Whether a client is told to ask for it when a person first signs in.",
    )

    objects = ChoiceQuerySet.as_manager()

    class Meta:
        ordering = ("name",)

    def __str__(self) -> str:
        return self.name


class ToolPolicy(models.Model):
    """What an administrator says of one tool. Without a row, a tool is as it was declared."""

    tool = models.CharField(max_length=64, unique=True)
    is_enabled = models.BooleanField(
        "enabled", default=True, help_text="Switched off, the tool is unknown to everybody."
    )
    extra_scopes = models.JSONField(
        default=list, blank=True, help_text="Scopes a token needs besides those the tool declares."
    )
    must_confirm = models.BooleanField(
        "always confirm",
        default=False,
        help_text="A person is asked before it runs, as for a destructive tool. Clients that cannot ask cannot run it.",
    )

    objects = ChoiceQuerySet.as_manager()

    class Meta:
        ordering = ("tool",)
        verbose_name_plural = "tool policies"

    def __str__(self) -> str:
        return self.tool


@receiver((post_save, post_delete), sender=Scope)
@receiver((post_save, post_delete), sender=ToolPolicy)
def renew_version(**kwargs: Any) -> None:
    """Fixtures and cascades come through here as well."""
    CatalogueVersion.renew()


def renew_after_migrations(apps: Any = None, **kwargs: Any) -> None:
    """A data migration changes rows without a signal. Migrating backwards may have taken the table."""
    if apps is None or "catalogueversion" in apps.all_models["kobana_mcp"]:
        CatalogueVersion.renew()


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
