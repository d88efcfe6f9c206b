"""The authorization server's pages and endpoints: django-oauth-toolkit's, with what it leaves open closed.

Each override says which of its habits it is there for; docs/security.md has the list.
"""

from typing import Any
from urllib.parse import urlencode, urlsplit

from django.db import transaction
from django.http import HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.decorators import method_decorator
from django.views.decorators.debug import sensitive_post_parameters
from oauth2_provider.models import get_application_model
from oauth2_provider.oauth2_backends import _add_iss_to_redirect
from oauth2_provider.settings import oauth2_settings
from oauth2_provider.views import AuthorizationView, TokenView
from oauthlib.oauth2.rfc6749.errors import InvalidRequestError, OAuth2Error

from kobana_mcp import catalogue
from kobana_mcp.access.resources import ProtectedResource, endpoint, resource_named
from kobana_mcp.oauth.models import LOOPBACK
from kobana_mcp.oauth.validator import GRANT_TYPES, invalid_target

#: Nothing from elsewhere, nothing that runs. No form-action: browsers hold it against the redirect that follows.
CONTENT_SECURITY = "default-src 'none'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'"


class Authorize(AuthorizationView):
    """The authorization endpoint (RFC 6749, section 3.1) and its consent page, which is shown every time."""

    template_name = "kobana_mcp_oauth/authorize.html"

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """An unknown client is refused before anybody signs in for it."""
        given = request.POST if request.method == "POST" else request.GET
        model = get_application_model()
        application = model.objects.filter(client_id=given.get("client_id", ""), is_active=True).first()
        response = super().dispatch(request, *args, **kwargs) if application else _unknown_client(request)
        response.headers["Cache-Control"] = "no-store"
        response.headers["Content-Security-Policy"] = CONTENT_SECURITY
        response.headers["Referrer-Policy"] = "no-referrer"
        return response

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        asked = request.GET.copy()
        asked.pop("approval_prompt", None)  # a client does not decide whether the person is asked
        try:
            resource = _resource(asked)
            _require_s256(asked)
        except OAuth2Error as error:
            return self._refused(request, error)
        asked["resource"] = resource.identifier
        request.GET = asked  # type: ignore[assignment]
        page: HttpResponseBase = super().get(request, *args, **kwargs)
        return page

    def form_valid(self, form: Any) -> HttpResponseBase:
        """Grants what was asked for and ticked, for a resource that tokens are issued for, and nothing else."""
        named = QueryDict(mutable=True)
        named.setlist("resource", form.cleaned_data["resource"].split())
        try:
            form.cleaned_data["resource"] = _resource(named).identifier
            _require_s256(form.cleaned_data)
        except OAuth2Error as error:
            return self._refused(self.request, error)
        ticked = set(self.request.POST.getlist("granted"))
        granted = [name for name in form.cleaned_data["scope"].split() if name in ticked]
        form.cleaned_data["scope"] = " ".join(granted)
        form.cleaned_data["allow"] = form.cleaned_data["allow"] and bool(granted)
        answer: HttpResponseBase = super().form_valid(form)
        return answer

    def redirect(self, redirect_to: str, application: Any) -> HttpResponse:
        """Every authorization response says who it comes from, errors included (RFC 9207, section 2)."""
        issuer = oauth2_settings.oauth2_authorization_server_issuer(self.request)
        response: HttpResponse = super().redirect(_add_iss_to_redirect(redirect_to, issuer), application)
        return response

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context = super().get_context_data(**kwargs)
        application, host = context["application"], urlsplit(context["redirect_uri"]).hostname
        known = catalogue.current().scopes
        asked = [known[name] for name in context["scopes"]]
        resource = resource_named(context["resource"])
        return {
            **context,
            "redirect_host": host,
            "is_local": host in LOOPBACK,
            "is_verified": application.registration_source == application.RegistrationSource.MANUAL,
            "resource_name": resource.name if resource else "",
            "reading": [scope for scope in asked if scope.name.endswith(":read")],
            "changing": [scope for scope in asked if not scope.name.endswith(":read")],
        }

    def _refused(self, request: HttpRequest, error: OAuth2Error) -> HttpResponseBase:
        """Sends ``error`` to the client, once it is sure that the redirect is the client's own."""
        given = request.POST if request.method == "POST" else request.GET
        application = get_application_model().objects.get(client_id=given.get("client_id"))
        redirect_uri = given.get("redirect_uri", "")
        if not application.redirect_uri_allowed(redirect_uri):
            return _unknown_client(request)
        facts = {"error": error.error, "error_description": error.description, "state": given.get("state", "")}
        query = urlencode({name: value for name, value in facts.items() if value})
        separator = "&" if "?" in redirect_uri else "?"
        return self.redirect(f"{redirect_uri}{separator}{query}", application)


class Token(TokenView):
    """The token endpoint (RFC 6749, section 3.2): JSON in every case, and the three grants of this server only."""

    @method_decorator(sensitive_post_parameters("client_secret", "code", "code_verifier", "refresh_token"))
    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        grant_type = request.POST.get("grant_type")
        if grant_type in GRANT_TYPES:
            with transaction.atomic():
                response: HttpResponse = super().post(request, *args, **kwargs)
                # Of a code that another request redeemed nothing may stay; what a replayed token ends stays ended.
                transaction.set_rollback(response.status_code != 200 and grant_type == "authorization_code")
        else:
            response = JsonResponse({"error": "unsupported_grant_type"}, status=400)
        # An error raised while the token is saved has no headers of its own, and HTML is what Django then sends.
        response.headers["Content-Type"] = "application/json"
        response.headers["Cache-Control"] = "no-store"
        response.headers["Pragma"] = "no-cache"
        return response


def _resource(given: QueryDict) -> ProtectedResource:
    """The one resource that is asked for; the endpoint where none is. Raises invalid_target."""
    named = [uri for uri in given.getlist("resource") if uri]
    found = resource_named(named[0]) if named else endpoint()
    if len(named) > 1 or found is None:
        raise invalid_target()
    return found


def _require_s256(given: Any) -> None:
    """Raises InvalidRequestError for a request without a hashed challenge, before anybody is asked (RFC 7636, 4.2)."""
    if not given.get("code_challenge") or given.get("code_challenge_method") != "S256":
        raise InvalidRequestError(description="A code_challenge with the method S256 is required.")


def _unknown_client(request: HttpRequest) -> HttpResponse:
    return render(request, "kobana_mcp_oauth/refused.html", status=400)
