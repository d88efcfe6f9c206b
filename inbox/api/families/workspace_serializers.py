"""Workspaces as JSON: what comes in, and what goes out."""

from decimal import Decimal
from typing import Any, ClassVar

from django.core.validators import RegexValidator
from rest_framework import serializers

from inbox.api.fields import (
    NumberField,
    ObjectField,
    StrictCharField,
    StrictChoiceField,
    StrictIntegerField,
    StrictUUIDField,
)
from inbox.api.serializers import StrictModelSerializer, StrictSerializer
from inbox.models import Source, Workspace

PREFIX = RegexValidator(r"\A[a-z0-9]+(?:-[a-z0-9]+)*\Z", "Small letters and digits, joined by single hyphens.")
SMALLEST_COST = Decimal("0.000001")


class WorkspaceUpdateSerializer(StrictSerializer):
    """What is to be changed of a workspace."""

    label: Any = StrictCharField(required=False, max_length=120, help_text="Its name for people, 1 to 120 characters.")
    email_prefix = StrictCharField(
        required=False,
        max_length=60,
        validators=[PREFIX],
        help_text="Leading part of every address that is made for an inbox from now on: small letters and digits,"
        " joined by single hyphens, 60 characters at most.",
    )
    monthly_cost_limit = NumberField(
        14,
        6,
        required=False,
        allow_null=True,
        min_value=SMALLEST_COST,
        help_text="Spending ceiling for a month, above 0; null means none.",
    )
    monthly_emails_limit = StrictIntegerField(
        required=False,
        allow_null=True,
        min_value=1,
        max_value=2**31 - 1,
        help_text="Ceiling of e-mails for a month, at least 1; null means none.",
    )
    custom_metadata = ObjectField(required=False, help_text="Free data of yours, an object; replaces what was there.")
    metadata = ObjectField(required=False, help_text="Free data of your systems, an object; replaces what was there.")


class WorkspaceCreateSerializer(WorkspaceUpdateSerializer):
    """A workspace to be made."""

    source = StrictChoiceField(Source.choices, help_text="Product that makes it.")  # type: ignore[assignment]
    label = StrictCharField(max_length=120, help_text="Its name for people, 1 to 120 characters.")
    organization = StrictUUIDField(
        required=False, help_text="Organization it belongs to, by id; needed by a person who owns several."
    )
    external_id = StrictUUIDField(
        required=False, help_text="Your own id for it, a UUID that no workspace has yet; default: its `id`."
    )


class WorkspaceSerializer(StrictModelSerializer):
    """A tenant: every inbox, agent and e-mail belongs to exactly one."""

    monthly_cost_limit = NumberField(
        14, 6, read_only=True, allow_null=True, help_text="Spending ceiling for a month; null means none."
    )
    monthly_cost_used = NumberField(14, 6, read_only=True, help_text="Spent this month.")

    class Meta:
        model = Workspace
        fields = (
            *("id", "external_id", "source", "label", "email_prefix", "monthly_cost_limit", "monthly_cost_used"),
            *("monthly_emails_limit", "monthly_emails_used", "custom_metadata", "metadata", "created_at", "updated_at"),
        )
        read_only_fields = fields
        extra_kwargs: ClassVar[dict[str, dict[str, str]]] = {
            "id": {"help_text": "Its id."},
            "external_id": {"help_text": "The caller's own id for it; a copy of `id` where none was given."},
            "source": {"help_text": "Product that created it."},
            "label": {"help_text": "Its name for people."},
            "email_prefix": {"help_text": "Leading part of every generated inbox address."},
            "monthly_emails_limit": {"help_text": "Ceiling of e-mails for a month; null means none."},
            "monthly_emails_used": {"help_text": "E-mails received this month."},
            "custom_metadata": {"help_text": "Free data of the caller."},
            "metadata": {"help_text": "Free data of the caller's systems."},
        }


class DayUsageSerializer(serializers.Serializer):
    """One day."""

    date = serializers.DateField(help_text="Day (UTC).")
    emails = serializers.IntegerField(help_text="E-mails that arrived.")
    cost = NumberField(14, 6, help_text="Cost of the agent runs that began.")


class InboxUsageSerializer(serializers.Serializer):
    """One inbox."""

    inbox_id = serializers.UUIDField(help_text="Its id.")
    label = serializers.CharField(help_text="Its name for people.")  # type: ignore[assignment]
    email = serializers.CharField(help_text="Its address.")
    emails = serializers.IntegerField(help_text="E-mails that arrived.")
    cost = NumberField(14, 6, help_text="Cost of the agent runs that began.")


class UsageSerializer(serializers.Serializer):
    """What a workspace used of its limits in one month."""

    month = serializers.CharField(help_text="The month (UTC), as `2026-07`.")
    emails_used = serializers.IntegerField(help_text="E-mails that arrived.")
    emails_limit = serializers.IntegerField(allow_null=True, help_text="Their ceiling; null means none.")
    cost_used = NumberField(14, 6, help_text="Cost of the agent runs that began.")
    cost_limit = NumberField(14, 6, allow_null=True, help_text="Its ceiling; null means none.")
    by_day = DayUsageSerializer(many=True, help_text="Days on which something arrived or ran, in order.")
    by_inbox = InboxUsageSerializer(many=True, help_text="Inboxes at which something arrived or ran.")
