"""Who is calling: a bearer token issued for this API. The check itself is kobana_mcp.access's."""

from typing import Any

from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed, ParseError
from rest_framework.request import Request

from inbox.conf import API_PATH
from kobana_mcp.access.bearer import Principal, authenticate
from kobana_mcp.access.challenge import sign_in
from kobana_mcp.access.resources import resource_at
from kobana_mcp.protocol.errors import BadTokenPlacement, Unauthorized


class TokenRefused(AuthenticationFailed):
    """No token, or none that counts here.

    Args:
        refused: the refusal of the token check, whose words and challenge are kept.
    """

    def __init__(self, refused: Unauthorized) -> None:
        super().__init__(f"{refused.message}.")
        self.challenge = refused.headers["WWW-Authenticate"]


class BearerAuthentication(BaseAuthentication):
    """Makes the token's person ``request.user`` and the principal ``request.auth``; refuses everyone else."""

    def authenticate(self, request: Request) -> tuple[Any, Principal]:
        """Raises TokenRefused for a request without a token that counts here, ParseError for one in the URL."""
        try:
            principal = authenticate(request._request, resource_at(API_PATH))
        except Unauthorized as refused:
            raise TokenRefused(refused) from None
        except BadTokenPlacement as refused:
            raise ParseError(f"{refused.message}.") from None
        return principal.user, principal

    def authenticate_header(self, request: Request) -> str:
        return sign_in(resource_at(API_PATH))
