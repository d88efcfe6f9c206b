"""Asks the permission classes of views whether one caller may come in, without running anything."""

import logging
from functools import lru_cache
from typing import Any

from django.core.exceptions import PermissionDenied
from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpRequest
from django.urls import ResolverMatch
from rest_framework.exceptions import APIException
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.permissions import AllowAny, IsAdminUser, IsAuthenticated, IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.views import APIView
from rest_framework.viewsets import ViewSetMixin

from kobana_mcp import bridge
from kobana_mcp.access.bearer import Principal
from kobana_mcp.arguments import Arguments
from kobana_mcp.routes import Route

logger = logging.getLogger("kobana_mcp")

#: They look at nothing but the user and the method, so that one answer holds for every view that asks only them.
BLIND = frozenset({AllowAny, IsAuthenticated, IsAdminUser, IsAuthenticatedOrReadOnly})
NEGOTIATION = DefaultContentNegotiation()


class Asker:
    """Asks for one caller. What the requests of several questions have in common is made once.

    Args:
        principal: the caller.
        request: the HTTP request he came with.
    """

    def __init__(self, principal: Principal, request: HttpRequest) -> None:
        self._principal, self._outer = principal, request
        self._requests: dict[bool, Any] = {}
        self._answers: dict[Any, bool] = {}

    def permits(self, route: Route) -> bool:
        """Whether the view of ``route`` lets the caller in, no particular object in mind."""
        question = _blind_question(route)
        if question is None:
            return self._ask(route)
        if question not in self._answers:
            self._answers[question] = self._ask(route)
        return self._answers[question]

    def _ask(self, route: Route) -> bool:
        view, request = self._doorstep(route)
        try:
            view.check_permissions(request)
        except (APIException, PermissionDenied):
            return False
        except Exception:  # a permission that wants the object's own path cannot be asked without one
            logger.warning("%s %s: its permission needs an object", route.method, route.name, exc_info=True)
        return True

    def _doorstep(self, route: Route) -> tuple[Any, Request]:
        """The view as it is when its permissions are asked, and the request it then has."""
        request = self._request(route)
        view = bridge.view_of(route, request)
        if _makes_own_requests(route):
            view.request = view.initialize_request(request)
        else:
            about = {"view": view, "args": (), "kwargs": {}}
            view.request = Request(request, negotiator=NEGOTIATION, parser_context=about)
            view.request._user, view.request._auth = self._principal.user, self._principal
            view.action = (route.actions or {}).get(route.method.lower())
        view.format_kwarg = None
        return view, view.request

    def _request(self, route: Route) -> Any:
        """A request to ``route``: the first one of its kind is made, the others are copies that say where they go."""
        match, path, meta = _address(route)
        made = self._requests.get(route.has_body)
        if made is None:
            made = bridge.request_for(route, Arguments(), self._outer, self._principal, path, match)
            _ = made.headers  # so that the copies have them as well
            self._requests[route.has_body] = made
        request: Any = WSGIRequest.__new__(WSGIRequest)
        request.__dict__.update(
            made.__dict__,
            method=route.method,
            path=made.path.removesuffix(made.path_info) + path,
            path_info=path,
            resolver_match=match,
            META={**made.META, "REQUEST_METHOD": route.method, "PATH_INFO": meta},
        )
        bridge.sign_in(request, self._principal, route)
        return request


@lru_cache(maxsize=4096)
def _address(route: Route) -> tuple[ResolverMatch, str, str]:
    """What a request to ``route`` resolves to, its path, and that path as WSGI spells it; parameters unfilled."""
    match = ResolverMatch(route.callback, (), {}, url_name=route.name.rpartition(":")[2], route=route.pattern)
    path = "/" + route.pattern
    return match, path, path.encode().decode("latin-1")


@lru_cache(maxsize=4096)
def _blind_question(route: Route) -> Any:
    """What to remember the answer under, where every view with these permissions gives the same; else None."""
    cls = route.view_class
    classes = tuple(route.initkwargs.get("permission_classes", cls.permission_classes))
    is_plain = (
        cls.check_permissions is APIView.check_permissions
        and cls.get_permissions is APIView.get_permissions
        and not _makes_own_requests(route)
    )
    return (route.method, classes) if is_plain and BLIND.issuperset(classes) else None


@lru_cache(maxsize=4096)
def _makes_own_requests(route: Route) -> bool:
    own = getattr(route.view_class, "initialize_request")  # noqa: B009 - a view set has it from two bases
    return own not in (APIView.initialize_request, ViewSetMixin.initialize_request)
