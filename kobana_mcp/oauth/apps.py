"""The Django app of the authorization server."""

import logging

from django.apps import AppConfig


class KobanaMCPOAuthConfig(AppConfig):
    name = "kobana_mcp.oauth"
    label = "kobana_mcp_oauth"
    verbose_name = "OAuth for MCP"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from kobana_mcp.oauth import checks  # noqa: F401

        # Below INFO, both write codes, tokens and secrets as they are.
        for name in ("oauthlib", "oauth2_provider"):
            logging.getLogger(name).setLevel(logging.INFO)
