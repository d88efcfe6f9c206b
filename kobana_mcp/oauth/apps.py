"""The Django app of the authorization server."""

from django.apps import AppConfig


class KobanaMCPOAuthConfig(AppConfig):
    name = "kobana_mcp.oauth"
    label = "kobana_mcp_oauth"
    verbose_name = "OAuth for MCP"
    default_auto_field = "django.db.models.BigAutoField"
