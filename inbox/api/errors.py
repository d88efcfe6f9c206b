"""Every error of the API in one shape: ``{"error": {"code", "message", "details"?}}``."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.core.exceptions import PermissionDenied as DjangoPermissionDenied
from django.core.exceptions import RequestDataTooBig, SuspiciousOperation
from django.http import Http404, JsonResponse
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.settings import api_settings
from rest_framework.views import set_rollback

from inbox.errors import DomainError

#: The code and the words of an error that says no more than its status.
PLAIN: Mapping[int, tuple[str, str]] = {
    400: ("validation_failed", "The request is not valid."),
    401: ("unauthorized", "A valid access token is required."),
    403: ("forbidden", "You are not allowed to do this."),
    404: ("not_found", "There is nothing here under this id."),
    405: ("method_not_allowed", "This method is not allowed here."),
    409: ("conflict", "This value is already taken."),
    413: ("payload_too_large", "The request body is too large."),
    415: ("unsupported_media_type", "Send the body as application/json."),
    422: ("unprocessable", "This cannot be done as asked."),
    429: ("rate_limited", "Too many requests. Try again later."),
    500: ("internal_error", "Something went wrong on our side."),
    503: ("unavailable", "The service is not available at the moment. Try again later."),
}

#: Of what is told of one fault.
LONGEST_TEXT = 500


class InsufficientScope(exceptions.PermissionDenied):
    """The token lacks a scope.

    Args:
        message: names what is missing.
        challenge: the ``WWW-Authenticate`` header (RFC 6750, section 3.1).
    """

    def __init__(self, message: str, challenge: str) -> None:
        super().__init__(message, "insufficient_scope")
        self.challenge = challenge


def envelope(code: str, message: str, details: Any = None) -> dict[str, Any]:
    """The body of an error answer."""
    error = {"code": code, "message": message}
    return {"error": error if details is None else {**error, "details": details}}


def plain(status: int) -> dict[str, Any]:
    """The body of an error that says no more than its status."""
    known = status if status in PLAIN else 500 if status >= 500 else 400
    return envelope(*PLAIN[known])


def exception_handler(exc: Exception, context: Mapping[str, Any]) -> Response | None:
    """DRF's exception handler. An unknown exception is left alone: a caller in process needs to see the crash."""
    if isinstance(exc, DomainError):
        set_rollback()
        return Response(envelope(exc.code, exc.message, exc.details), exc.status)
    known = _known(exc)
    if known is None:
        return None
    set_rollback()
    return Response(_body(known), known.status_code, headers=_headers(known))


def _known(exc: Exception) -> exceptions.APIException | None:
    """The API exception that says what ``exc`` says; None for a crash."""
    if isinstance(exc, exceptions.APIException):
        return exc
    if isinstance(exc, Http404):
        return exceptions.NotFound()
    if isinstance(exc, DjangoPermissionDenied):
        return exceptions.PermissionDenied()
    if isinstance(exc, RequestDataTooBig):
        return PayloadTooLarge()
    return exceptions.ParseError() if isinstance(exc, SuspiciousOperation) else None


class PayloadTooLarge(exceptions.APIException):
    """The body is over Django's ``DATA_UPLOAD_MAX_MEMORY_SIZE``."""

    status_code = 413
    default_detail = PLAIN[413][1]


def _body(exc: exceptions.APIException) -> dict[str, Any]:
    if isinstance(exc, exceptions.ValidationError):
        return envelope(*PLAIN[400], _faults(exc.detail))
    if isinstance(exc, exceptions.ParseError):
        return envelope(*PLAIN[400], {"formErrors": [str(exc.detail)], "fieldErrors": {}})
    code, words = PLAIN.get(exc.status_code, PLAIN[500])
    if isinstance(exc, exceptions.PermissionDenied | exceptions.AuthenticationFailed):
        # These two name what is missing; a permission class's code is more exact than the status.
        chosen = getattr(exc.detail, "code", "")
        return envelope(chosen if chosen == "insufficient_scope" else code, str(exc.detail))
    return envelope(code, words)


def _headers(exc: exceptions.APIException) -> dict[str, str]:
    # An exception of ours knows its own challenge; on others DRF puts the first authenticator's.
    found = {"WWW-Authenticate": getattr(exc, "challenge", None) or getattr(exc, "auth_header", None)}
    wait = getattr(exc, "wait", None)
    found["Retry-After"] = str(max(1, int(wait))) if wait else None
    return {name: value for name, value in found.items() if value}


def _faults(detail: Any) -> dict[str, Any]:
    """DRF's error tree as a list about the whole and a list for each field, nested fields by dotted path."""
    form: list[str] = []
    fields: dict[str, list[str]] = {}
    for path, text in _leaves(detail, ()):
        named = [part for part in path if part != api_settings.NON_FIELD_ERRORS_KEY]
        (fields.setdefault(_writable(".".join(named)), []) if named else form).append(_writable(text))
    return {"formErrors": form, "fieldErrors": fields}


def _writable(text: str) -> str:
    """``text``, which may quote what was sent, as UTF-8 can write it, and not at any length."""
    cut = text if len(text) <= LONGEST_TEXT else f"{text[: LONGEST_TEXT - 1]}…"
    return cut.encode("utf-8", "replace").decode()


def _leaves(detail: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    if isinstance(detail, Mapping):
        for name, inner in detail.items():
            yield from _leaves(inner, (*path, str(name)))
    elif isinstance(detail, list):
        for position, inner in enumerate(detail):
            # A list of errors stands for its field; a list of error trees is the field's own items.
            yield from _leaves(inner, (*path, str(position)) if isinstance(inner, Mapping) else path)
    else:
        yield path, str(detail)


def json_error(status: int) -> JsonResponse:
    """An answer of Django's own, such as an unknown URL or a crash, in the shape of the API."""
    return JsonResponse(plain(status), status=status, json_dumps_params={"separators": (",", ":")})
