"""What this caller may run: the scope of the token, and the permission classes of the view behind each tool."""

from collections.abc import Iterator
from functools import lru_cache

from django.http import HttpRequest
from django.urls import get_urlconf

from kobana_mcp import registry, routes
from kobana_mcp.access.bearer import Principal
from kobana_mcp.access.scopes import ordered
from kobana_mcp.catalogue import Catalogue, Offer
from kobana_mcp.permissions import Asker
from kobana_mcp.registry import Tool
from kobana_mcp.routes import Route
from kobana_mcp.schemas import is_sound


def visible_offers(principal: Principal, request: HttpRequest) -> list[Offer]:
    """Every tool the caller can actually run, in the order of registration."""
    asker = Asker(principal, request)
    return [
        offer
        for offer, route in _sound(principal.catalogue, get_urlconf())
        if offer.scopes <= principal.scopes and (route is None or asker.permits(route))
    ]


def explained(principal: Principal, request: HttpRequest) -> Iterator[tuple[Tool, str]]:
    """Every declared tool, with what keeps it out of the caller's list; nothing for one that he sees."""
    offers = principal.catalogue.offers
    sound = {offer.name for offer, _ in _sound(principal.catalogue, get_urlconf())}
    seen = {offer.name for offer in visible_offers(principal, request)}
    for tool in registry.tools:
        if tool.name in seen:
            yield tool, ""
        elif tool.name not in offers:
            yield tool, "Switched off."
        elif tool.name not in sound:
            yield tool, "It has no input schema; see the system checks."
        elif not is_allowed(offers[tool.name], principal, request):
            yield tool, "The view's own permissions refuse the person."
        else:
            yield tool, f"Lacks the scope {ordered(offers[tool.name].scopes - principal.scopes)}."


def has_scope(offer: Offer, principal: Principal) -> bool:
    return principal.allow_scopes(offer.scopes)


def is_allowed(offer: Offer, principal: Principal, request: HttpRequest) -> bool:
    """Whether the person may, had the token every scope the tool needs: nobody shall consent in vain."""
    if offer.tool.run is not None:
        return True
    return Asker(principal.holding(offer.scopes), request).permits(routes.of(offer.tool))


@lru_cache(maxsize=8)
def _sound(catalogue: Catalogue, urlconf: str | None) -> tuple[tuple[Offer, Route | None], ...]:
    """Each offer that can be described, with the route it calls."""
    sound = (offer for offer in catalogue.offers.values() if is_sound(offer.tool))
    return tuple((offer, routes.of(offer.tool) if offer.tool.route else None) for offer in sound)
