"""The settings of the host, read from environment variables.

Every value has a default with which the host runs from a fresh clone: SQLite and local memory, on this machine alone.
docs/deployment.md lists the variables a deployment sets.
"""

import contextlib
import os
import secrets
from pathlib import Path
from urllib.parse import urlsplit

import django
import environ
from django.core.exceptions import ImproperlyConfigured

from kobana_mcp import __version__

env = environ.Env()

ROOT = Path(__file__).resolve().parent.parent

# Everything that is written at run time, outside of a database server: SQLite file, mail, collected static files.
VAR = Path(env.str("VAR_DIR", default=str(ROOT / "var"))).resolve()
VAR.mkdir(parents=True, exist_ok=True)


# --- Where people find this host -------------------------------------------------------------------------------------

# Public origin, without a path. It is the issuer and the prefix of every resource identifier, so it never changes
# once tokens were issued.
BASE_URL = env.str("BASE_URL", default="http://127.0.0.1:8000").rstrip("/")
_base = urlsplit(BASE_URL)

# Under a loopback address the host may invent its own secret; under any other it must be given one.
ON_THIS_MACHINE = _base.hostname in ("127.0.0.1", "::1", "localhost")

# Over https, all that https allows is switched on below.
HTTPS = _base.scheme == "https"

ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=[_base.hostname or "127.0.0.1"])

# Error pages with tracebacks: for developing only.
DEBUG = env.bool("DEBUG", default=False)


def _own_secret(file: Path) -> str:
    """A secret made once and kept in ``file``, for its owner only. Of processes that start at once, one makes it."""
    if not file.exists():
        made = file.with_name(f"{file.name}.{os.getpid()}")
        made.touch(mode=0o600)
        made.write_text(secrets.token_urlsafe(64))
        with contextlib.suppress(FileExistsError):
            file.hardlink_to(made)
        made.unlink()
    return file.read_text()


# Signs sessions, confirmations and cursors. No secret is part of this repository.
SECRET_KEY = env.str("SECRET_KEY", default="")
if not SECRET_KEY:
    if not ON_THIS_MACHINE:
        raise ImproperlyConfigured(f"SECRET_KEY is required for a host at {BASE_URL}.")
    SECRET_KEY = _own_secret(VAR / "secret_key")

# Former keys, still accepted while the key is changed.
SECRET_KEY_FALLBACKS = env.list("SECRET_KEY_FALLBACKS", default=[])


# Seal secrets in the database; the first seals, all open. To change: new one first, `manage.py rotate_encryption`, then
# drop the old one.
INBOX_ENCRYPTION_KEYS = env.list("INBOX_ENCRYPTION_KEYS", default=[])
if not INBOX_ENCRYPTION_KEYS:
    if not ON_THIS_MACHINE:
        raise ImproperlyConfigured(f"INBOX_ENCRYPTION_KEYS is required for a host at {BASE_URL}.")
    INBOX_ENCRYPTION_KEYS = [_own_secret(VAR / "encryption_key")]

# Webhooks may go to this machine and over http: for developing only.
INBOX_WEBHOOKS_TO_THIS_MACHINE = env.bool("INBOX_WEBHOOKS_TO_THIS_MACHINE", default=False)

# Where a person signs in; the account pages come with the authorization server.
LOGIN_URL = "oauth2_provider:login"


# --- Applications ----------------------------------------------------------------------------------------------------

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "rest_framework",
    "django_filters",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "oauth2_provider",
    "kobana_mcp",
    "kobana_mcp.oauth",
    "inbox",
    "django_tasks_db",
]

if django.VERSION < (6,):
    # The Tasks API, which Django has of its own from version 6 on.
    INSTALLED_APPS.append("django_tasks")

MIDDLEWARE = [
    # The three of the MCP endpoint stand first: they refuse before anything else reads the request.
    "kobana_mcp.middleware.BodyLimitMiddleware",
    "kobana_mcp.middleware.OriginMiddleware",
    "kobana_mcp.middleware.RateLimitHeadersMiddleware",
    "inbox.api.middleware.ErrorEnvelopeMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]


# --- Data ------------------------------------------------------------------------------------------------------------

# DATABASE_URL=postgres://user:password@host:5432/name for PostgreSQL.
DATABASES = {"default": env.db_url("DATABASE_URL", default=f"sqlite:///{VAR / 'db.sqlite3'}")}

# Seconds a connection is kept for the next request; checked before use, for a server that was restarted.
DATABASES["default"]["CONN_MAX_AGE"] = env.int("DATABASE_CONN_MAX_AGE", default=60)
DATABASES["default"]["CONN_HEALTH_CHECKS"] = True

if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["OPTIONS"] = {
        # A write transaction takes its lock at the start, so that waiting for it works (a later upgrade fails at once).
        "transaction_mode": "IMMEDIATE",
        # Seconds to wait for another writer: web, worker and mail door all write.
        "timeout": 20,
        # Readers and one writer at the same time; NORMAL is safe against a crash of the process under WAL.
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
    }

DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# CACHE_URL=redis://host:6379/0 where more than one process serves.
CACHES = {"default": env.cache_url("CACHE_URL", default="locmemcache://")}

# What runs in the background waits in the database, for `manage.py db_worker`.
TASKS = {"default": {"BACKEND": env.str("TASKS_BACKEND", default="django_tasks_db.DatabaseBackend")}}

# Raw mail and whatever else is a file: Django's default storage.
MEDIA_ROOT = VAR / "media"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}

# Where `manage.py collectstatic` puts style sheets; config/wsgi.py serves them from there.
STATIC_URL = "/static/"
STATIC_ROOT = VAR / "static"


# --- People ----------------------------------------------------------------------------------------------------------

AUTH_USER_MODEL = "inbox.User"

# The first makes and renews the hashes of passwords; the last is for secrets of OAuth clients, which nobody thought up.
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2SHA1PasswordHasher",
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.BCryptSHA256PasswordHasher",
    "django.contrib.auth.hashers.ScryptPasswordHasher",
    "kobana_mcp.oauth.hashers.ClientSecretHasher",
]

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]


# --- Transport security ----------------------------------------------------------------------------------------------

# Name and value of the header in which a proxy says that the client came over https, such as
# "X-Forwarded-Proto,https". Only for a proxy that always sets or removes it: who can send it decides.
_header, _, _value = env.str("PROXY_SSL_HEADER", default="").partition(",")
SECURE_PROXY_SSL_HEADER = ("HTTP_" + _header.upper().replace("-", "_"), _value) if _value else None

SECURE_SSL_REDIRECT = env.bool("SECURE_SSL_REDIRECT", default=HTTPS)
# One year, as browsers ask for before they list a host.
SECURE_HSTS_SECONDS = env.int("SECURE_HSTS_SECONDS", default=31_536_000 if HTTPS else 0)
SECURE_HSTS_INCLUDE_SUBDOMAINS = HTTPS
SECURE_HSTS_PRELOAD = HTTPS
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SECURE = HTTPS
# Lax and not Strict: the consent page is reached from the client's own site.
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
X_FRAME_OPTIONS = "DENY"


# --- Language and time -----------------------------------------------------------------------------------------------

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_TZ = True


# --- REST API --------------------------------------------------------------------------------------------------------

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["inbox.api.authentication.BearerAuthentication"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_PAGINATION_CLASS": "inbox.api.pagination.KeysetPagination",
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "inbox.api.errors.exception_handler",
}

SPECTACULAR_SETTINGS = {
    "TITLE": "Kobana Autonomous Inbox API",
    "VERSION": __version__,
    "OAS_VERSION": "3.1.1",
    "SERVE_INCLUDE_SCHEMA": False,
    # Bodies are schemas of their own: what they require, and that a text may not be empty, differs from the answers.
    "COMPONENT_SPLIT_REQUEST": True,
    # The values stand in the schema; a list of them in each description only repeats them.
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    # Two fields called status, two sets of values: each under its own name.
    "ENUM_NAME_OVERRIDES": {
        "EmailStatusEnum": "inbox.models.EmailStatus",
        "InboxStatusEnum": "inbox.models.InboxStatus",
        "WebhookAuthEnum": "inbox.models.WebhookAuth",
        "WebhookStatusEnum": "inbox.models.WebhookStatus",
        "WebhookDeliveryStatusEnum": "inbox.models.DeliveryStatus",
        "AgentRunStatusEnum": "inbox.models.RunStatus",
    },
}


# Domain of every inbox address.
INBOX_DOMAIN = env.str("INBOX_DOMAIN", default="inbox.example")


# --- OAuth and MCP ---------------------------------------------------------------------------------------------------

# An application model of our own from the first migration on: it cannot be swapped in later.
OAUTH2_PROVIDER_APPLICATION_MODEL = "kobana_mcp_oauth.Application"

OAUTH2_PROVIDER = {
    # The issuer is a setting, never taken from a Host header.
    "OIDC_ISS_ENDPOINT": BASE_URL,
    "OAUTH2_VALIDATOR_CLASS": "kobana_mcp.oauth.validator.Validator",
    "SCOPES_BACKEND_CLASS": "kobana_mcp.oauth.scopes.CatalogueScopes",
    "CLIENT_SECRET_HASHER": "pbkdf2_client_secret",
    "REQUEST_APPROVAL_PROMPT": "force",
    # Assistants introduce themselves; the endpoint for it is kobana_mcp.oauth's, with limits of its own.
    "DCR_ENABLED": True,
    "ACCESS_TOKEN_EXPIRE_SECONDS": 3600,
    "REFRESH_TOKEN_EXPIRE_SECONDS": 30 * 24 * 3600,
    # A refresh token used twice ends its whole family.
    "REFRESH_TOKEN_REUSE_PROTECTION": True,
    # http is for loopback redirects of native applications (RFC 8252, section 7.3).
    "ALLOWED_REDIRECT_URI_SCHEMES": ["https", "http"],
    "ALLOW_LOCALHOST_LOOPBACK": True,
    "OAUTH2_RESPONSE_TYPES_SUPPORTED": ["code"],
    "OAUTH2_GRANT_TYPES_SUPPORTED": ["authorization_code", "refresh_token", "client_credentials"],
    "OAUTH2_TOKEN_ENDPOINT_AUTH_METHODS_SUPPORTED": ["none", "client_secret_basic", "client_secret_post"],
    # RFC 9700, all of it but the redirect scheme (loopback, above).
    "COMPLIANT_BCP_RFC9700_IMPLICIT_GRANT": True,
    "COMPLIANT_BCP_RFC9700_PASSWORD_GRANT": True,
    "COMPLIANT_BCP_RFC9700_PKCE_METHOD": True,
    "COMPLIANT_BCP_RFC9700_ACCESS_TOKEN_TRANSPORT": True,
    "COMPLIANT_BCP_RFC9700_AUTHZ_RESPONSE_ISS": True,
    "COMPLIANT_BCP_RFC9700_TOKEN_STORAGE": True,
    "COMPLIANT_BCP_RFC9700_REFRESH_TOKEN": True,
    "COMPLIANT_BCP_RFC9700_REDIRECT_URI_MATCHING": True,
    "COMPLIANT_BCP_RFC9700_PKCE_REQUIRED": True,
}

# W008: http redirects are allowed, for loopback addresses.
SILENCED_SYSTEM_CHECKS = ["oauth2_provider.W008"]

KOBANA_MCP = {
    "BASE_URL": BASE_URL,
    "ENDPOINT_PATH": "/mcp",
    # What a token can be issued for. The MCP endpoint asks first for the scopes of its read-only tools.
    "RESOURCES": {
        "/mcp": {"name": "Kobana Autonomous Inbox MCP"},
        "/api/v1": {
            "name": "Kobana Autonomous Inbox API",
            "scopes": ["inbox.emails:read", "inbox.inboxes:read", "inbox.workspaces:read"],
        },
    },
    "SERVER_NAME": "kobana-autonomous-inbox",
    "SERVER_TITLE": "Kobana Autonomous Inbox",
    "SERVER_VERSION": __version__,
    # kobana_mcp adds its own warnings to this text.
    "INSTRUCTIONS": (
        "Tools for the Kobana Autonomous Inbox: a company's e-mail addresses (inboxes), the mail they received, and the"
        " workspaces that separate one tenant from another."
        " Begin with workspaces_list: a person who reaches several workspaces names one in the X-Workspace-Id header."
        " Then inboxes_list shows the addresses, emails_list the mail, newest first, and emails_get one mail with its"
        " body. Lists come in pages: pass meta.next_cursor as cursor to get the next one."
    ),
    # Web origins whose pages may call the endpoint from a browser.
    "ALLOWED_ORIGINS": env.list("ALLOWED_ORIGINS", default=[]),
    # Counts calls per person: "redis://host:6379/1" where more than one process serves.
    "RATE_LIMIT_STORAGE": env.str("RATE_LIMIT_STORAGE", default="memory://"),
    # Which workspace a confirmation is bound to.
    "TENANT_KEY": "inbox.api.workspaces.tenant_key",
}


# --- Logging ---------------------------------------------------------------------------------------------------------

# One line per record on standard error. Nothing logs headers or bodies, so no token and no mail comes in here.
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": env.str("LOG_LEVEL", default="INFO")},
    "loggers": {
        "django": {"handlers": [], "level": "INFO", "propagate": True},
        "django.server": {"handlers": [], "level": "INFO", "propagate": True},
    },
}
