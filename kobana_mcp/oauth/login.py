"""Signing in: Django's own form, which a program cannot try for ever."""

from typing import Any

from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from kobana_mcp import ratelimit
from kobana_mcp.protocol.errors import RateLimited


class ThrottledForm(AuthenticationForm):
    """Counts what failed, per address and per account, whether or not there is such an account."""

    request: HttpRequest

    def clean(self) -> dict[str, Any]:
        account = self.cleaned_data.get("username") or ""
        try:
            ratelimit.require_login_budget(self.request, account)
        except RateLimited:
            raise ValidationError(_("Too many attempts. Wait a minute and try again.")) from None
        try:
            return super().clean()
        except ValidationError:
            ratelimit.charge_failed_login(self.request, account)
            raise


class Login(LoginView):
    """The sign-in page that the authorization endpoint leads to, unless the host has its own."""

    template_name = "kobana_mcp_oauth/login.html"
    authentication_form = ThrottledForm
    redirect_authenticated_user = False
