"""The settings of kobana_mcp: one typed line each, read live from Django's ``KOBANA_MCP`` dictionary.

Nothing is cached, so a test or a replica that changes a setting sees it at once.
"""

from typing import Any

from django.conf import settings as django_settings


class Settings:
    """Defaults of every setting; docs/settings.md has a heading for each."""

    BASE_URL: str = ""
    ENDPOINT_PATH: str = "/mcp"
    RESOURCES: dict[str, dict[str, Any]] = {}  # noqa: RUF012 - a default, never changed
    AUTHORIZATION_SERVERS: list[str] = []  # noqa: RUF012
    SERVER_NAME: str = "kobana-mcp"
    SERVER_TITLE: str = "Kobana MCP"
    SERVER_VERSION: str = ""
    INSTRUCTIONS: str = ""
    ALLOWED_ORIGINS: list[str] = []  # noqa: RUF012
    MAX_BODY_BYTES: int = 1_048_576
    MAX_RESULT_BYTES: int = 200_000
    STRUCTURED_RESULTS: bool = False
    PAGE_SIZE: int = 100
    CALLS_PER_MINUTE: int = 120
    REQUESTS_PER_MINUTE: int = 600
    FAILED_TOKENS_PER_MINUTE: int = 30
    FAILED_LOGINS_PER_MINUTE: int = 10
    REGISTRATIONS_PER_MINUTE: int = 10
    RATE_LIMIT_STORAGE: str = "memory://"
    RATE_LIMIT_FAILS_CLOSED: bool = False
    TRUSTED_PROXIES: int = 0
    CONFIRMATION_SECONDS: int = 300
    AUDIT_RETENTION_DAYS: int = 365
    TENANT_KEY: str = ""
    AUDIT: bool = True
    FORWARDED_HEADERS: list[str] = ["X-Workspace-Id", "Accept-Language", "X-Request-Id"]  # noqa: RUF012
    FORWARDED_ATTRIBUTES: list[str] = []  # noqa: RUF012

    def __getattribute__(self, name: str) -> Any:
        chosen = getattr(django_settings, "KOBANA_MCP", {})
        return chosen[name] if name in chosen else object.__getattribute__(self, name)


conf = Settings()
