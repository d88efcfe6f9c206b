"""A project with nothing but the endpoint: no host API, Django's own user, tools that only the official suite calls."""

import os
import secrets
from pathlib import Path

VAR = Path(os.environ["VAR_DIR"])
BASE_URL = "http://127.0.0.1:8000"

SECRET_KEY = secrets.token_urlsafe(50)
ALLOWED_HOSTS = ["127.0.0.1", "localhost"]
ROOT_URLCONF = "kobana_mcp.urls"
USE_TZ = True
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": VAR / "conformance.sqlite3"}}

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "rest_framework",
    "oauth2_provider",
    "kobana_mcp",
    "tests.conformance",
]
MIDDLEWARE = [
    "kobana_mcp.middleware.BodyLimitMiddleware",
    "kobana_mcp.middleware.OriginMiddleware",
    "kobana_mcp.middleware.RateLimitHeadersMiddleware",
]
# Tables straight from the models: ten times as fast, and the same.
MIGRATION_MODULES = dict.fromkeys(["auth", "contenttypes", "oauth2_provider", "kobana_mcp"])

KOBANA_MCP = {
    "BASE_URL": BASE_URL,
    "SERVER_NAME": "conformance",
    "SERVER_TITLE": "Conformance fixtures",
    "CALLS_PER_MINUTE": 100_000,
    "REQUESTS_PER_MINUTE": 100_000,
    # The suite sends the origin of the address it was given; its relay has this port.
    "ALLOWED_ORIGINS": [f"http://{host}:{os.environ.get('RELAY_PORT', '80')}" for host in ("127.0.0.1", "localhost")],
}
