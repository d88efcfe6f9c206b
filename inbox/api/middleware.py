"""Keeps the one promise a view cannot: whatever fails outside of it still answers in the API's shape."""

import logging
from collections.abc import Callable

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, HttpResponseBase

from inbox.api.errors import json_error

logger = logging.getLogger(__name__)

PREFIX = "/api/"
#: Headers of Django's own error page that hold for the new body too.
KEPT = ("Allow", "Retry-After", "WWW-Authenticate")
RETRY_AFTER = "5"


class ErrorEnvelopeMiddleware:
    """Gives Django's own error answers under ``/api/`` the envelope: unknown URL, bad host, crash.

    Django has logged a crash by then. Stands before every middleware that may refuse.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if not _is_ours(request) or response.status_code < 400 or _is_json(response):
            return response
        answer = json_error(response.status_code)
        for name in KEPT:
            if name in response.headers:
                answer.headers[name] = response.headers[name]
        return answer

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """A database that cannot be reached, or is busy for too long, is worth another try: 503."""
        if not _is_ours(request) or not isinstance(exception, OperationalError | InterfaceError):
            return None
        logger.error("The database failed", exc_info=exception)
        answer = json_error(503)
        answer.headers["Retry-After"] = RETRY_AFTER
        return answer


def _is_ours(request: HttpRequest) -> bool:
    return request.path_info.startswith(PREFIX)


def _is_json(response: HttpResponseBase) -> bool:
    return response.headers.get("Content-Type", "").startswith("application/json")
