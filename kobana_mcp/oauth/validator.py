"""What a code, a refresh token and an access token are good for: one resource each, and people who are still there."""

from typing import Any

from oauth2_provider.models import get_application_model, get_grant_model
from oauth2_provider.oauth2_validators import OAuth2Validator
from oauthlib.oauth2.rfc6749.errors import CustomOAuth2Error

from kobana_mcp.access.resources import endpoint, resource_named

#: RFC 9700, section 2.4, and this server's own list: all others are refused before anything is looked up.
GRANT_TYPES = ("authorization_code", "refresh_token", "client_credentials")


def invalid_target(**facts: Any) -> CustomOAuth2Error:
    """RFC 8707, section 2. Never repeats what was asked for: the answer may be shown by a browser."""
    words = "The resource is none that tokens are issued for here, or not the one that was authorized."
    return CustomOAuth2Error(error="invalid_target", description=words, **facts)


class Validator(OAuth2Validator):
    """django-oauth-toolkit's, with exact audiences, and people and clients that are asked whether they are active."""

    def validate_code(self, client_id: str, code: str, client: Any, request: Any, *args: Any, **kwargs: Any) -> bool:
        valid = super().validate_code(client_id, code, client, request, *args, **kwargs)
        return bool(valid and request.user.is_active)

    def validate_refresh_token(self, refresh_token: str, client: Any, request: Any, *args: Any, **kwargs: Any) -> bool:
        valid = super().validate_refresh_token(refresh_token, client, request, *args, **kwargs)
        return bool(valid and request.user.is_active)

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
