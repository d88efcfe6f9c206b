"""Whether the endpoint and its middleware stand where they have to."""

from typing import Any

from django.conf import settings as django_settings
from django.core.checks import CheckMessage, Error, register
from django.urls import Resolver404, resolve

from kobana_mcp.checks.settings import is_path
from kobana_mcp.conf import conf


@register("kobana_mcp")
def endpoint_path(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """The middleware acts on ENDPOINT_PATH, so the endpoint must stand there."""
    try:
        if not is_path(conf.ENDPOINT_PATH) or resolve(conf.ENDPOINT_PATH).url_name == "mcp":
            return []
    except Resolver404:
        pass
    hint = 'Include it at the root of the URLconf: path("", include("kobana_mcp.urls")).'
    return [Error(f"The endpoint does not stand at {conf.ENDPOINT_PATH!r}.", hint=hint, id="kobana_mcp.E006")]


@register("kobana_mcp")
def middleware(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """Without them nothing stands on the first two rungs: the body limit and the Origin allow-list."""
    ours = [f"kobana_mcp.middleware.{name}Middleware" for name in ("BodyLimit", "Origin", "RateLimitHeaders")]
    missing = [name for name in ours if name not in django_settings.MIDDLEWARE]
    return [Error(f"MIDDLEWARE lacks {name!r}.", id="kobana_mcp.E007") for name in missing]
