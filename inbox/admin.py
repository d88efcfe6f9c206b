"""Django admin: people, organizations and memberships are managed here; the tenants' rows are only looked at."""

from collections.abc import Sequence
from typing import Any, ClassVar

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import AdminUserCreationForm
from django.db import models
from django.http import HttpRequest

from inbox.models import (
    Agent,
    AgentRun,
    Email,
    Inbox,
    Membership,
    Organization,
    SystemEvent,
    User,
    Webhook,
    WebhookDelivery,
    Workspace,
)
from inbox.models.webhooks import SEALED, DeliveryQuerySet, WebhookQuerySet

#: Of a delivery: they hold what the tenants' mail says, and what targets answer.
UNSHOWN = ("request_headers", "request_body", "response_headers", "response_body")


class PersonCreationForm(AdminUserCreationForm):
    """A new person, by e-mail address."""

    class Meta:
        model = User
        fields = ("email",)


class MembershipInline(admin.TabularInline):
    model = Membership
    extra = 0
    autocomplete_fields = ("user", "organization")


@admin.register(User)
class PersonAdmin(UserAdmin):
    """People; their rights in the API come from their memberships alone."""

    add_form = PersonCreationForm
    ordering = ("email",)
    list_display = ("email", "name", "is_active", "is_staff")
    search_fields = ("email", "name")
    readonly_fields = ("last_login", "created_at")
    raw_id_fields = ("default_workspace",)
    inlines = (MembershipInline,)
    fieldsets = (
        (None, {"fields": ("email", "password", "name", "default_workspace")}),
        ("Django admin", {"fields": ("is_active", "is_staff", "is_superuser", "groups", "user_permissions")}),
        ("Times", {"fields": ("last_login", "created_at")}),
    )
    add_fieldsets = ((None, {"classes": ("wide",), "fields": ("email", "usable_password", "password1", "password2")}),)


@admin.register(Organization)
class OrganizationAdmin(admin.ModelAdmin):
    list_display = ("name", "slug", "is_active")
    list_filter = ("is_active",)
    search_fields = ("name", "slug")
    prepopulated_fields: ClassVar[dict[str, Sequence[str]]] = {"slug": ("name",)}
    inlines = (MembershipInline,)


@admin.register(Membership)
class MembershipAdmin(admin.ModelAdmin):
    list_display = ("user", "organization", "role")
    list_select_related = ("user", "organization")
    list_filter = ("role", "organization")
    search_fields = ("user__email", "organization__name")
    autocomplete_fields = ("user", "organization")


class LookOnlyAdmin(admin.ModelAdmin):
    """Rows that change through the services only, which write the events."""

    show_full_result_count = False
    # What Django 6 does by itself, and Django 5.2 warns of.
    formfield_overrides: ClassVar[dict[type[models.Field], dict[str, str]]] = {
        models.URLField: {"assume_scheme": "https"}
    }

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Workspace)
class WorkspaceAdmin(LookOnlyAdmin):
    list_display = ("label", "organization", "email_prefix", "deleted_at")
    list_select_related = ("organization",)
    list_filter = ("organization",)
    search_fields = ("label", "email_prefix", "id", "external_id")


@admin.register(Agent)
class AgentAdmin(LookOnlyAdmin):
    list_display = ("label", "workspace", "llm_model", "deleted_at")
    list_select_related = ("workspace",)
    list_filter = ("workspace",)
    search_fields = ("label", "id", "external_id")


@admin.register(Inbox)
class InboxAdmin(LookOnlyAdmin):
    list_display = ("email", "label", "workspace", "status", "deleted_at")
    list_select_related = ("workspace",)
    list_filter = ("status", "workspace")
    search_fields = ("email", "label", "id", "external_id")


@admin.register(Email)
class EmailAdmin(LookOnlyAdmin):
    """What arrived and what became of it. What people wrote to each other stays out."""

    list_display = ("received_at", "sender", "inbox", "status")
    list_select_related = ("inbox",)
    list_filter = ("status", "workspace")
    search_fields = ("sender", "id", "message_id")
    exclude = ("body_text", "body_html", "agent_metadata")


@admin.register(SystemEvent)
class SystemEventAdmin(LookOnlyAdmin):
    list_display = ("created_at", "slug", "workspace", "inbox")
    list_select_related = ("workspace", "inbox")
    list_filter = ("slug", "workspace")
    search_fields = ("slug", "id")


@admin.register(AgentRun)
class AgentRunAdmin(LookOnlyAdmin):
    list_display = ("created_at", "agent", "inbox", "status", "total_cost", "duration_ms")
    list_select_related = ("agent", "inbox")
    list_filter = ("status", "workspace")
    search_fields = ("id", "llm_model", "agent__label")


@admin.register(Webhook)
class WebhookAdmin(LookOnlyAdmin):
    """Who is told of events. What requests prove themselves with is not even read from the database."""

    list_display = ("label", "workspace", "status", "auth", "consecutive_failures", "deleted_at")
    list_select_related = ("workspace",)
    list_filter = ("status", "auth", "workspace")
    search_fields = ("label", "id", "external_id")
    exclude = SEALED

    def get_queryset(self, request: HttpRequest) -> WebhookQuerySet:
        return Webhook.objects.without_secrets()


@admin.register(WebhookDelivery)
class WebhookDeliveryAdmin(LookOnlyAdmin):
    """What was sent when, and whether it arrived. What was in it stays out, and so does what came back."""

    list_display = ("created_at", "webhook", "system_event", "attempt", "status", "response_status")
    list_select_related = ("webhook", "system_event")
    list_filter = ("status", "workspace")
    search_fields = ("id", "webhook__label", "webhook__id")
    exclude = UNSHOWN

    def get_queryset(self, request: HttpRequest) -> DeliveryQuerySet:
        deferred = [f"webhook__{name}" for name in SEALED]
        return WebhookDelivery.objects.defer(*UNSHOWN, *deferred)
