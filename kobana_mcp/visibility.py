"""What this caller may run: the scope of the token, and the permission classes of the view behind each tool."""

from functools import lru_cache

from django.urls import get_urlconf

from kobana_mcp import routes
from kobana_mcp.catalogue import Catalogue, Offer
from kobana_mcp.context import Context
from kobana_mcp.permissions import Asker
from kobana_mcp.routes import Route
from kobana_mcp.schemas import is_sound


def visible_offers(context: Context) -> list[Offer]:
    """Every tool the caller can actually run, in the order of registration."""
    principal, asker = context.principal, Asker(context)
    return [
        offer
        for offer, route in _sound(principal.catalogue, get_urlconf())
        if offer.scopes <= principal.scopes and (route is None or asker.permits(route, principal))
    ]


def has_scope(offer: Offer, context: Context) -> bool:
    return context.principal.allow_scopes(offer.scopes)


def is_allowed(offer: Offer, context: Context) -> bool:
    """Whether the person may, had the token every scope the tool needs: nobody shall consent in vain."""
    if offer.tool.run is not None:
        return True
    return Asker(context).permits(routes.of(offer.tool), context.principal.holding(offer.scopes))


@lru_cache(maxsize=8)
def _sound(catalogue: Catalogue, urlconf: str | None) -> tuple[tuple[Offer, Route | None], ...]:
    """Each offer that can be described, with the route it calls."""
    sound = (offer for offer in catalogue.offers.values() if is_sound(offer.tool))
    return tuple((offer, routes.of(offer.tool) if offer.tool.route else None) for offer in sound)
