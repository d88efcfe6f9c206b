"""Django admin: people, organizations and memberships are managed here; the tenants' rows are only looked at."""

from collections.abc import Sequence
from typing import Any, ClassVar

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import AdminUserCreationForm
from django.http import HttpRequest

from inbox.models import Agent, Email, Inbox, Membership, Organization, SystemEvent, User, Workspace


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


class LookOnlyAdmin(admin.ModelAdmin):
    """Rows that change through the services only, which write the events."""

    show_full_result_count = False

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
