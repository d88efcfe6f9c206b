"""Who is calling: one bearer token, one indexed query. Used by the MCP endpoint and by the host's REST API alike."""

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db.models import Subquery
from django.http import HttpRequest
from django.utils import timezone
from oauth2_provider.models import get_access_token_model

from kobana_mcp.access import challenge
from kobana_mcp.access.resources import ProtectedResource
from kobana_mcp.access.scopes import ordered
from kobana_mcp.catalogue import Catalogue, at
from kobana_mcp.models import CatalogueVersion
from kobana_mcp.protocol.errors import BadTokenPlacement, InvalidToken, Unauthorized

CREDENTIALS = re.compile(r"bearer +([A-Za-z0-9\-._~+/]+=*)\Z", re.IGNORECASE)


@dataclass(frozen=True)
class Principal:
    """The verified person, the client that acts for him, and the rights he gave it.

    It has the surface of a django-oauth-toolkit access token, so that the permission classes of that package accept it
    as ``request.auth``, and it holds no token.

    Args:
        user: the person.
        client: the OAuth application.
        scopes: granted scopes, implied ones included.
        resource: the protected resource the token was issued for.
        expires: when the token ends.
        catalogue: what was on offer when the token was looked up.
    """

    user: Any
    client: Any
    scopes: frozenset[str]
    resource: ProtectedResource
    expires: datetime
    catalogue: Catalogue

    @property
    def scope(self) -> str:
        return ordered(self.scopes)

    @property
    def application(self) -> Any:
        return self.client

    def is_expired(self) -> bool:
        return timezone.now() >= self.expires

    def allow_scopes(self, scopes: Iterable[str] | None) -> bool:
        return self.scopes.issuperset(scopes or ())

    def is_valid(self, scopes: Iterable[str] | None = None) -> bool:
        return not self.is_expired() and self.allow_scopes(scopes)

    def holding(self, scopes: Iterable[str]) -> "Principal":
        """The same person and client, as they would be had ``scopes`` been granted as well."""
        lacking = set(scopes) - self.scopes
        return replace(self, scopes=self.scopes | self.catalogue.expand(lacking)) if lacking else self


def authenticate(request: HttpRequest, resource: ProtectedResource) -> Principal:
    """The principal of a request to ``resource`` (RFC 6750, section 2.1: the Authorization header only).

    Raises, each with its challenge: Unauthorized for no token; InvalidToken for one that is unknown, expired, revoked,
    issued for another resource, or of a person or client that is not active. BadTokenPlacement for one in the URL.
    """
    if "access_token" in request.GET:
        raise BadTokenPlacement
    header = request.META.get("HTTP_AUTHORIZATION", "")
    if not header.strip():
        raise Unauthorized(headers={"WWW-Authenticate": challenge.sign_in(resource)})
    match = CREDENTIALS.match(header.strip())
    token = _find(match.group(1)) if match else None
    if token is None or not _counts(token, resource):
        raise InvalidToken(headers={"WWW-Authenticate": challenge.invalid_token(resource)})
    offered = at(token.catalogue_version)
    scopes = offered.expand(token.scope.split())
    return Principal(token.user, token.application, scopes, resource, token.expires, offered)


def _find(token: str) -> Any:
    """The token's row with its person and client, and the catalogue's version, in one query by the unique index."""
    checksum = hashlib.sha256(token.encode()).hexdigest()
    found = get_access_token_model().objects.filter(token_checksum=checksum)
    return found.select_related("user", "application").annotate(catalogue_version=_version()).first()


def _version() -> Subquery:
    return Subquery(CatalogueVersion.objects.values("version")[:1])


def _counts(token: Any, resource: ProtectedResource) -> bool:
    """Whether a token that exists is good for ``resource``, now. A token that names no resource is good for none."""
    return (
        not token.is_expired()
        and any(isinstance(audience, str) and resource.is_named_by(audience) for audience in token.resource or ())
        and token.user is not None
        and token.user.is_active
        and token.application is not None
        and token.application.is_usable(None)
    )
