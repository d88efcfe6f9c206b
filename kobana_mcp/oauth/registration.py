"""Dynamic client registration (RFC 7591): any assistant may introduce itself, and gets nothing by that alone."""

import json
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.http import HttpRequest, JsonResponse
from django.utils.decorators import method_decorator
from django.views import View
from django.views.decorators.csrf import csrf_exempt
from oauth2_provider.models import get_application_model

from kobana_mcp import ratelimit
from kobana_mcp.oauth.browsers import open_to_browsers
from kobana_mcp.protocol.errors import RateLimited

MOST_BYTES = 16_384
LONGEST_NAME = 100
#: What a client may use of what it asks for; assistants ask for the grants of every server they know.
GRANTS = ("authorization_code", "refresh_token")
METHODS = ("none", "client_secret_basic", "client_secret_post")


class InvalidClientMetadata(Exception):
    """The registration cannot be taken (RFC 7591, section 3.2.2).

    Args:
        words: what is wrong, for whoever writes the client.
        error: the code.
    """

    def __init__(self, words: str, error: str = "invalid_client_metadata") -> None:
        super().__init__(words)
        self.answer = {"error": error, "error_description": words}


@dataclass(frozen=True)
class Metadata:
    """What counts of a client's metadata."""

    name: str
    redirect_uris: tuple[str, ...]
    method: str


@method_decorator((csrf_exempt, open_to_browsers), name="dispatch")
class Register(View):
    """The client registration endpoint. There is nothing to manage a registration with afterwards (RFC 7592)."""

    http_method_names = ("post",)

    def post(self, request: HttpRequest) -> JsonResponse:
        try:
            ratelimit.charge_registration(request)
            metadata = read(_body(request))
            application, secret = _registered(metadata)
        except RateLimited as error:
            answer = {"error": "temporarily_unavailable", "error_description": "Too many registrations; wait a minute."}
            return JsonResponse(answer, status=429, headers={**error.headers, "Cache-Control": "no-store"})
        except InvalidClientMetadata as error:
            return JsonResponse(error.answer, status=400, headers={"Cache-Control": "no-store"})
        return JsonResponse(_told(application, metadata, secret), status=201, headers={"Cache-Control": "no-store"})


def read(given: Any) -> Metadata:
    """The metadata of a client; unknown members have no effect. Raises InvalidClientMetadata."""
    if not isinstance(given, Mapping):
        raise InvalidClientMetadata("The body must be a JSON object.")
    redirect_uris = _texts(given, "redirect_uris", [])
    if not redirect_uris:
        raise InvalidClientMetadata("redirect_uris is required.", "invalid_redirect_uri")
    if "authorization_code" not in _texts(given, "grant_types", ["authorization_code"]):
        raise InvalidClientMetadata("grant_types must include authorization_code.")
    if "code" not in _texts(given, "response_types", ["code"]):
        raise InvalidClientMetadata("response_types must include code.")
    method = given.get("token_endpoint_auth_method", "client_secret_basic")
    if method not in METHODS:
        raise InvalidClientMetadata(f"token_endpoint_auth_method must be one of: {', '.join(METHODS)}.")
    name = given.get("client_name") or ""
    if not isinstance(name, str):
        raise InvalidClientMetadata("client_name must be a string.")
    seen = "".join(character for character in name if unicodedata.category(character)[0] != "C").strip()
    return Metadata(seen[:LONGEST_NAME], tuple(redirect_uris), method)


def _body(request: HttpRequest) -> Any:
    if (request.content_type or "").lower() != "application/json":
        raise InvalidClientMetadata("The body must be application/json.")
    body = request.read(MOST_BYTES + 1)
    if len(body) > MOST_BYTES:
        raise InvalidClientMetadata(f"The body may have at most {MOST_BYTES} bytes.")
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        raise InvalidClientMetadata("The body must be JSON.") from None


def _texts(given: Mapping[str, Any], name: str, default: list[str]) -> list[str]:
    found = given.get(name, default)
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        raise InvalidClientMetadata(f"{name} must be a list of strings.")
    return found


def _registered(metadata: Metadata) -> tuple[Any, str | None]:
    """The new client and, where it has one, its secret in clear: the only time anybody sees it."""
    model = get_application_model()
    is_public = metadata.method == "none"
    application = model(
        name=metadata.name,
        redirect_uris=" ".join(metadata.redirect_uris),
        client_type=model.CLIENT_PUBLIC if is_public else model.CLIENT_CONFIDENTIAL,
        authorization_grant_type=model.GRANT_AUTHORIZATION_CODE,
        registration_source=model.RegistrationSource.DCR,
    )
    secret = None if is_public else application.client_secret
    try:
        application.full_clean()
    except ValidationError as error:
        field = "redirect_uris" if "redirect_uris" in error.message_dict else next(iter(error.message_dict))
        code = "invalid_redirect_uri" if field == "redirect_uris" else "invalid_client_metadata"
        raise InvalidClientMetadata(" ".join(error.message_dict[field]), code) from None
    application.save()
    return application, secret


def _told(application: Any, metadata: Metadata, secret: str | None) -> dict[str, Any]:
    """What was registered, which may be less than what was asked for (RFC 7591, section 3.2.1)."""
    told = {
        "client_id": application.client_id,
        "client_id_issued_at": int(application.created.timestamp()),
        "client_name": application.name,
        "redirect_uris": list(metadata.redirect_uris),
        "grant_types": list(GRANTS),
        "response_types": ["code"],
        "token_endpoint_auth_method": metadata.method,
    }
    return told if secret is None else {**told, "client_secret": secret, "client_secret_expires_at": 0}
