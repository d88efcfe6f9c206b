"""For clients that run in a browser: endpoints that no cookie opens may be called from any page."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

ALLOWED = {
    "Access-Control-Allow-Methods": "GET, POST, OPTIONS",
    "Access-Control-Allow-Headers": "Authorization, Content-Type, MCP-Protocol-Version",
    "Access-Control-Max-Age": "7200",
}


def open_to_browsers(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Answers preflights and lets every page read the answers. Credentials of the browser are never allowed."""

    @wraps(view)
    def answered(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.method == "OPTIONS":
            response: HttpResponseBase = HttpResponse(status=204, headers=ALLOWED)
        else:
            response = view(request, *args, **kwargs)
        response.headers["Access-Control-Allow-Origin"] = "*"
        return response

    return answered
