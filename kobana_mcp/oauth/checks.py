"""What can be seen to be wrong with the authorization server at start-up. An id is never used twice."""

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, register
from oauth2_provider.settings import oauth2_settings

from kobana_mcp.access.resources import base_url
from kobana_mcp.oauth.scopes import CatalogueScopes
from kobana_mcp.oauth.validator import Validator


@register("kobana_mcp_oauth")
def issuer(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """The issuer of tokens and the base of their audiences are one origin, and a setting."""
    if str(oauth2_settings.OIDC_ISS_ENDPOINT).rstrip("/") == base_url():
        return []
    hint = "Set OAUTH2_PROVIDER['OIDC_ISS_ENDPOINT'] to KOBANA_MCP['BASE_URL']; else the Host header decides."
    return [Error("The issuer is not the BASE_URL.", hint=hint, id="kobana_mcp_oauth.E001")]


@register("kobana_mcp_oauth")
def classes(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """Without them tokens are good for every resource, and for people who are no longer there."""
    wanted = {
        "OAUTH2_VALIDATOR_CLASS": (oauth2_settings.OAUTH2_VALIDATOR_CLASS, Validator),
        "SCOPES_BACKEND_CLASS": (oauth2_settings.SCOPES_BACKEND_CLASS, CatalogueScopes),
    }
    return [
        Error(f"OAUTH2_PROVIDER[{name!r}] is not {own.__module__}.{own.__name__}.", id=f"kobana_mcp_oauth.{number}")
        for number, (name, (found, own)) in zip(("E002", "E003"), wanted.items(), strict=True)
        if not issubclass(found, own)
    ]


@register("kobana_mcp_oauth")
def safeguards(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """Settings of django-oauth-toolkit that are off by default, and must be on here."""
    needed = (
        *("REFRESH_TOKEN_REUSE_PROTECTION", "COMPLIANT_BCP_RFC9700_TOKEN_STORAGE"),
        *("COMPLIANT_BCP_RFC9700_PKCE_REQUIRED", "COMPLIANT_BCP_RFC9700_PKCE_METHOD"),
        *("COMPLIANT_BCP_RFC9700_AUTHZ_RESPONSE_ISS", "COMPLIANT_BCP_RFC9700_REDIRECT_URI_MATCHING"),
    )
    given = getattr(settings, "OAUTH2_PROVIDER", {})
    return [
        Error(f"OAUTH2_PROVIDER[{name!r}] is not True.", id="kobana_mcp_oauth.E004")
        for name in needed
        if given.get(name) is not True
    ]
