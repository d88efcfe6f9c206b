"""What a code, a refresh token and an access token are good for: one resource each, and people who are still there."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from django.utils import timezone
from oauth2_provider.models import get_application_model, get_grant_model, get_refresh_token_model
from oauth2_provider.oauth2_validators import OAuth2Validator
from oauthlib.oauth2.rfc6749.errors import CustomOAuth2Error, InvalidGrantError

from kobana_mcp.access.resources import endpoint, resource_named

#: RFC 9700, section 2.4, and this server's own list: all others are refused before anything is looked up.
GRANT_TYPES = ("authorization_code", "refresh_token", "client_credentials")


#: How long a refresh token that was used may come again. Clients refresh in parallel, and repeat what was lost on the
#: way; without it, the second one would end the person's whole connection. Later it is a replay, and does.
SIBLING_SECONDS = 30


def invalid_target(**facts: Any) -> CustomOAuth2Error:
    """RFC 8707, section 2. Never repeats what was asked for: the answer may be shown by a browser."""
    words = "The resource is none that tokens are issued for here, or not the one that was authorized."
    return CustomOAuth2Error(error="invalid_target", description=words, **facts)


class Validator(OAuth2Validator):
    """django-oauth-toolkit's, with exact audiences, and people and clients that are asked whether they are active."""

    def validate_code(self, client_id: str, code: str, client: Any, request: Any, *args: Any, **kwargs: Any) -> bool:
        valid = super().validate_code(client_id, code, client, request, *args, **kwargs)
        return bool(valid and request.user.is_active)

    def confirm_redirect_uri(self, *args: Any, **kwargs: Any) -> bool:
        with _code_still_there():
            return bool(super().confirm_redirect_uri(*args, **kwargs))

    def get_code_challenge(self, *args: Any, **kwargs: Any) -> Any:
        with _code_still_there():
            return super().get_code_challenge(*args, **kwargs)

    def get_code_challenge_method(self, *args: Any, **kwargs: Any) -> Any:
        with _code_still_there():
            return super().get_code_challenge_method(*args, **kwargs)

    def validate_refresh_token(self, refresh_token: str, client: Any, request: Any, *args: Any, **kwargs: Any) -> bool:
        """As everywhere, but that a token which was used moments ago is good once more: see ``SIBLING_SECONDS``."""
        used = _just_used(refresh_token)
        if used is None:
            valid = super().validate_refresh_token(refresh_token, client, request, *args, **kwargs)
            return bool(valid and request.user.is_active)
        request.user, request.refresh_token, request.refresh_token_instance = used.user, refresh_token, used
        return bool(used.application == client and used.user.is_active)

    def _save_bearer_token(self, token: Any, request: Any, *args: Any, **kwargs: Any) -> None:
        """Whoever comes second with the same refresh token gets a pair of his own in the same family."""
        presented = getattr(request, "refresh_token_instance", None)
        if presented is not None and "refresh_token" in token:
            locked = get_refresh_token_model().objects.select_for_update().get(pk=presented.pk)
            if locked.revoked is not None:
                self._check_and_set_request_resource(request)
                expires = timezone.now() + timedelta(seconds=token["expires_in"])
                access_token = self._create_access_token(expires, request, token)
                self._create_refresh_token(request, token["refresh_token"], access_token, locked)
                return
        super()._save_bearer_token(token, request, *args, **kwargs)

    def validate_grant_type(
        self, client_id: str, grant_type: str, client: Any, request: Any, *args: Any, **kwargs: Any
    ) -> bool:
        """Client credentials are for confidential clients that an administrator made, and act as their owner."""
        if grant_type not in GRANT_TYPES:
            return False
        if grant_type == "client_credentials" and not _acts_for_its_owner(request.client):
            return False
        return bool(super().validate_grant_type(client_id, grant_type, client, request, *args, **kwargs))

    def _check_and_set_request_resource(self, request: Any) -> None:
        """Makes ``request.resource`` the one resource of the new token. Raises invalid_target.

        It is the one that was authorized, whatever the token request says; a request that says another is refused.
        """
        asked = _asked(request)
        authorized = self._authorized(request)
        if request.grant_type == "client_credentials":
            found = resource_named(asked[0]) if len(asked) == 1 else None
            if found is None or found == endpoint():
                raise invalid_target(request=request)
            request.resource = [found.identifier]
            return
        if len(authorized) != 1 or len(asked) > 1:
            raise invalid_target(request=request)
        resource = resource_named(authorized[0])
        if resource is None or any(not resource.is_named_by(uri) for uri in asked):
            raise invalid_target(request=request)
        request.resource = [resource.identifier]

    def _authorized(self, request: Any) -> list[str]:
        """The resource that the code or the refresh token in ``request`` was issued for."""
        if request.grant_type == "authorization_code":
            grant = get_grant_model().objects.filter(code=request.code, application=request.client).first()
            return list(grant.resource or ()) if grant else []
        presented = getattr(request, "refresh_token_instance", None)
        return list(presented.resource or ()) if presented else []

    def _create_access_token(self, expires: Any, request: Any, token: Any, source_refresh_token: Any = None) -> Any:
        if request.grant_type == "client_credentials":
            request.user = request.client.user
        return super()._create_access_token(expires, request, token, source_refresh_token)


@contextmanager
def _code_still_there() -> Iterator[None]:
    """Raises InvalidGrantError for a code that another request has redeemed since this one looked at it first."""
    try:
        yield
    except get_grant_model().DoesNotExist:
        raise InvalidGrantError from None


def _just_used(refresh_token: str) -> Any:
    """The refresh token of that value, if it was exchanged within ``SIBLING_SECONDS``; None for every other.

    A token that was revoked, and not exchanged, has no successor in its family and is none. The row is held until the
    request's transaction ends: whoever comes with the same token meanwhile waits, and then finds it exchanged.
    """
    checksum = hashlib.sha256(refresh_token.encode("utf-8", "replace")).hexdigest()
    rows = get_refresh_token_model().objects
    held = list(rows.select_for_update().filter(token_checksum=checksum).order_by("pk"))
    since = timezone.now() - timedelta(seconds=SIBLING_SECONDS)
    if not held or any(row.revoked is None or row.revoked <= since for row in held):
        return None
    has_successor = rows.filter(token_family=held[-1].token_family, revoked=None, pk__gt=held[-1].pk).exists()
    return held[-1] if has_successor else None


def _asked(request: Any) -> list[str]:
    """Every ``resource`` parameter of a token request; oauthlib keeps only the last."""
    body = getattr(request, "decoded_body", None) or []
    return [value for name, value in body if name == "resource" and value.strip()]


def _acts_for_its_owner(client: Any) -> bool:
    model = get_application_model()
    return (
        client.client_type == model.CLIENT_CONFIDENTIAL
        and client.registration_source == model.RegistrationSource.MANUAL
        and client.user is not None
        and client.user.is_active
    )
