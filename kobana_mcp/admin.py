"""Django admin: scopes and tools are governed here, calls are looked at, and anybody's list can be seen in advance."""

from datetime import timedelta
from io import BytesIO
from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.auth import get_user_model
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils import timezone
from oauth2_provider.models import get_application_model

from kobana_mcp import catalogue, registry
from kobana_mcp.access.bearer import Principal
from kobana_mcp.access.resources import endpoint
from kobana_mcp.conf import conf
from kobana_mcp.models import Scope, ToolCall, ToolPolicy
from kobana_mcp.visibility import explained


class ScopesField(forms.MultipleChoiceField):
    """Several of the scopes that are known at the moment."""

    widget = forms.CheckboxSelectMultiple

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(required=False, choices=_known_scopes, **kwargs)


def _known_scopes() -> list[tuple[str, str]]:
    known = catalogue.current().scopes
    return [(name, f"{name}: {known[name].description}") for name in sorted(known)]


class ScopeForm(forms.ModelForm):
    """A scope of the administrator's own needs words; a declared one keeps what he does not change."""

    implies = ScopesField(help_text="A token with this scope holds these as well.")

    class Meta:
        model = Scope
        fields = ("name", "description", "implies", "is_default")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.implies is None:
            declared = registry.scopes.get(self.instance.name)
            self.initial["implies"] = list(declared.implies) if declared else []

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        declared = registry.scopes.get(cleaned.get("name", ""))
        if declared is None and "name" in cleaned and not cleaned.get("description"):
            self.add_error("description", "A scope that nobody declared needs words for the consent page.")
        if cleaned.get("name") in cleaned.get("implies", ()):
            self.add_error("implies", "A scope need not imply itself.")
        if declared is not None and set(cleaned.get("implies", ())) == set(declared.implies):
            cleaned["implies"] = None  # so that it follows the declaration
        return cleaned


@admin.register(Scope)
class ScopeAdmin(admin.ModelAdmin):
    form = ScopeForm
    list_display = ("name", "words", "reach", "is_default", "is_declared")
    list_filter = ("is_default",)
    search_fields = ("name", "description")

    def get_readonly_fields(self, request: HttpRequest, obj: Scope | None = None) -> tuple[str, ...]:
        """A scope is its name: tokens hold it."""
        return ("name",) if obj else ()

    @admin.display(description="words")
    def words(self, row: Scope) -> str:
        return catalogue.current().scopes[row.name].description

    @admin.display(description="implies")
    def reach(self, row: Scope) -> str:
        return ", ".join(catalogue.current().scopes[row.name].implies) or "-"

    @admin.display(description="declared", boolean=True)
    def is_declared(self, row: Scope) -> bool:
        return registry.scopes.get(row.name) is not None


class ToolPolicyForm(forms.ModelForm):
    """One of the registered tools, once."""

    tool = forms.ChoiceField()
    extra_scopes = ScopesField(help_text="A token needs these besides the scopes the tool declares.")

    class Meta:
        model = ToolPolicy
        fields = ("tool", "is_enabled", "extra_scopes", "must_confirm")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        taken = set(ToolPolicy.objects.exclude(pk=self.instance.pk).values_list("tool", flat=True))
        names = [tool.name for tool in registry.tools if tool.name not in taken]
        if self.instance.pk and self.instance.tool not in names:
            names.append(self.instance.tool)  # a policy outlives its tool, and waits for it
        field: Any = self.fields["tool"]
        field.choices = [(name, name) for name in names]


@admin.register(ToolPolicy)
class ToolPolicyAdmin(admin.ModelAdmin):
    form = ToolPolicyForm
    list_display = ("tool", "is_enabled", "must_confirm", "needs", "is_registered")
    list_filter = ("is_enabled", "must_confirm")
    search_fields = ("tool",)
    change_list_template = "admin/kobana_mcp/toolpolicy/change_list.html"

    @admin.display(description="extra scopes")
    def needs(self, row: ToolPolicy) -> str:
        return ", ".join(row.extra_scopes) or "-"

    @admin.display(description="registered", boolean=True)
    def is_registered(self, row: ToolPolicy) -> bool:
        return registry.tools.get(row.tool) is not None

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.who_sees_what)
        return [path("who-sees-what/", view, name="kobana_mcp_who_sees_what"), *super().get_urls()]

    def who_sees_what(self, request: HttpRequest) -> HttpResponse:
        """The list that a chosen person would see with chosen scopes, and why the other tools are not in it."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        form = WhoSeesWhatForm(request.GET or None)
        tools = list(explained(*form.caller())) if form.is_valid() else []
        context = {
            **self.admin_site.each_context(request),
            "title": "Who sees what",
            "opts": self.opts,
            "form": form,
            "tools": tools,
            "visible": sum(not reason for _, reason in tools),
        }
        return TemplateResponse(request, "admin/kobana_mcp/toolpolicy/who_sees_what.html", context)


class WhoSeesWhatForm(forms.Form):
    """A person, the scopes of a token, and the headers that would come with the request."""

    person = forms.CharField(help_text="The login name.")
    scopes = ScopesField()
    headers = forms.CharField(
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="Headers that the views read, one a line, as in X-Workspace-Id: 0190…",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["scopes"].initial = catalogue.current().first_scopes

    def clean_person(self) -> Any:
        model = get_user_model()
        try:
            return model._default_manager.get_by_natural_key(self.cleaned_data["person"].strip())
        except model.DoesNotExist:
            raise ValidationError("There is no such person.") from None

    def clean_headers(self) -> dict[str, str]:
        lines = [line.partition(":") for line in self.cleaned_data["headers"].splitlines() if line.strip()]
        known = {name.lower() for name in conf.FORWARDED_HEADERS}
        strange = [name for name, _, _ in lines if name.strip().lower() not in known]
        if strange:
            raise ValidationError(f"No view sees the header {strange[0]!r}; FORWARDED_HEADERS has those that cross.")
        return {"HTTP_" + name.strip().upper().replace("-", "_"): value.strip() for name, _, value in lines}

    def caller(self) -> tuple[Principal, HttpRequest]:
        """The principal of such a token, and the request it would come with."""
        now = catalogue.current()
        person, scopes = self.cleaned_data["person"], now.expand(self.cleaned_data["scopes"])
        expires = timezone.now() + timedelta(minutes=1)
        principal = Principal(person, get_application_model()(), scopes, endpoint(), expires, now)
        host, secure = endpoint().identifier.partition("://")[2].partition("/")[0], conf.BASE_URL.startswith("https")
        environ = {
            "REQUEST_METHOD": "POST",
            "PATH_INFO": conf.ENDPOINT_PATH,
            "SERVER_NAME": host.partition(":")[0],
            "SERVER_PORT": host.partition(":")[2] or ("443" if secure else "80"),
            "HTTP_HOST": host,
            "wsgi.url_scheme": "https" if secure else "http",
            "wsgi.input": BytesIO(),
        }
        return principal, WSGIRequest({**environ, **self.cleaned_data["headers"]})


@admin.register(ToolCall)
class ToolCallAdmin(admin.ModelAdmin):
    """Evidence: nobody adds, changes or removes it here. ``mcp_prune`` removes what is old."""

    list_display = ("created_at", "username", "client_name", "tool", "outcome", "status", "duration_ms")
    list_filter = ("outcome", "created_at")
    search_fields = ("username", "client_id", "tool", "tenant_key")
    date_hierarchy = "created_at"
    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
