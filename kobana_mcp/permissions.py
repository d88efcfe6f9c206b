"""Asks the permission classes of views whether one caller may come in, without running anything.

A permission class that says what it looks at is asked once for all views that look the same to it: it has a method
``looks_at(view, method)``, which returns something hashable; besides that, its decision depends on the caller and the
headers alone. All other classes are asked for every view.

No call is at hand yet: a class that looks at what only a call has, its path, query or body, cannot say no here.
"""

import logging
from collections.abc import Hashable
from functools import lru_cache
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.urls import ResolverMatch
from rest_framework.exceptions import APIException
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.permissions import SAFE_METHODS, AllowAny, IsAdminUser, IsAuthenticated, IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.views import APIView
from rest_framework.viewsets import ViewSetMixin

from kobana_mcp import bridge
from kobana_mcp.access.bearer import Principal
from kobana_mcp.arguments import Arguments
from kobana_mcp.routes import Route

logger = logging.getLogger("kobana_mcp")

#: They look at the user, and at whether the method is a safe one, and at nothing of the view.
BLIND = frozenset({AllowAny, IsAuthenticated, IsAdminUser, IsAuthenticatedOrReadOnly})
NEGOTIATION = DefaultContentNegotiation()


class NeedsCall(Exception):
    """A permission looked at what no request has before there is a call."""


class _Unknown(dict[str, Any]):
    """The arguments of the path, the query or the body, before there is a call: whoever looks at them is told so."""

    def _look(self, *args: Any, **kwargs: Any) -> Any:
        raise NeedsCall

    __getitem__ = __contains__ = __iter__ = __len__ = __bool__ = __eq__ = __or__ = _look
    get = keys = values = items = copy = pop = getlist = dict = lists = _look
    __hash__ = None


UNKNOWN = _Unknown()


class Asker:
    """Asks for one caller. What the requests of several questions have in common is made once.

    Args:
        principal: the caller.
        request: the HTTP request he came with.
    """

    def __init__(self, principal: Principal, request: HttpRequest) -> None:
        self._principal, self._outer = principal, request
        self._made: Any = None
        self._by_method: dict[str, Request] = {}
        self._answers: dict[Hashable, bool] = {}

    def permits(self, route: Route) -> bool:
        """Whether the view of ``route`` lets the caller in, no particular object in mind."""
        question = _question(route)
        if question is None:
            return _lets_in(route, *self._doorstep(route))
        answer = self._answers.get(question)
        if answer is None:
            answer = self._answers[question] = self._ask_for_all(route)
        return answer

    def _ask_for_all(self, route: Route) -> bool:
        """Asks permissions that look at nothing of the request but its method: one request a method will do."""
        request = self._by_method.get(route.method)
        if request is None:
            view, request = self._doorstep(route)
            self._by_method[route.method] = request
        else:
            view = _bare_view(route)
            view.request = request
        return _lets_in(route, view, request)

    def _doorstep(self, route: Route) -> tuple[Any, Request]:
        """The view as it is when its permissions are asked, and the request it then has."""
        if not self._made:
            self._made = self._first_request(route)
        match, path, meta = _address(route)
        made, outer = self._made
        inner = _copy(
            made,
            method=route.method,
            path=made.path.removesuffix(made.path_info) + path,
            path_info=path,
            resolver_match=match,
            META={**made.META, "REQUEST_METHOD": route.method, "PATH_INFO": meta},
            _authenticator=bridge.authenticator_of(route),
            GET=UNKNOWN,
        )
        view = bridge.view_of(route, inner)
        if _makes_own_requests(route):
            view.request = view.initialize_request(inner)
        else:
            view.request = _copy(outer, _request=inner, parser_context={**outer.parser_context, "view": view})
            view.action = (route.actions or {}).get(route.method.lower())
        view.format_kwarg = None
        if route.parameters:
            view.kwargs = UNKNOWN
            inner.resolver_match = _copy(match, kwargs=UNKNOWN)
        if route.has_body:
            view.request._full_data = view.request._data = UNKNOWN
        return view, view.request

    def _first_request(self, route: Route) -> tuple[Any, Request]:
        """What all requests of this caller have in common: Django's, and DRF's around it."""
        match, path, _ = _address(route)
        inner = bridge.request_for(route, Arguments(), self._outer, self._principal, path, match)
        _ = inner.headers  # so that the copies have them as well
        outer = Request(inner, negotiator=NEGOTIATION, parser_context={"args": (), "kwargs": {}})
        outer.user, outer.auth = self._principal.user, self._principal
        return inner, outer


def _lets_in(route: Route, view: Any, request: Request) -> bool:
    try:
        view.check_permissions(request)
    except (APIException, PermissionDenied):
        return False
    except NeedsCall:  # the view decides, when there is one
        return True
    except Exception:  # a permission that wants the object's own path cannot be asked without one
        logger.warning("%s %s: its permission needs an object", route.method, route.name, exc_info=True)
    return True


def _bare_view(route: Route) -> Any:
    """A view that knows its action and nothing of a request."""
    view: Any = route.view_class(**route.initkwargs)
    view.action = (route.actions or {}).get(route.method.lower())
    return view


def _copy(request: Any, **changes: Any) -> Any:
    """Another request with the same attributes but for ``changes``; whatever is hung on it does not reach the first."""
    made = object.__new__(type(request))
    made.__dict__.update(request.__dict__, **changes)
    return made


@lru_cache(maxsize=4096)
def _address(route: Route) -> tuple[ResolverMatch, str, str]:
    """What a request to ``route`` resolves to, its path, and that path as WSGI spells it; parameters unfilled."""
    *spaces, name = route.name.split(":")
    namespaces: list[str | None] = [*spaces]
    match = ResolverMatch(
        route.callback, (), {}, url_name=name, app_names=namespaces, namespaces=namespaces, route=route.pattern
    )
    path = "/" + route.pattern
    return match, path, path.encode().decode("latin-1")


@lru_cache(maxsize=4096)
def _question(route: Route) -> Hashable:
    """What the permissions of the view look at. Equal questions have equal answers; None for one that stands alone."""
    cls = route.view_class
    if cls.check_permissions is not APIView.check_permissions or cls.get_permissions is not APIView.get_permissions:
        return None
    if _makes_own_requests(route):
        return None
    view = _bare_view(route)
    try:
        return tuple((each, _look(each, view, route.method)) for each in view.permission_classes)
    except Exception:  # noqa: BLE001 - it does not say, or cannot say without a request: then it is asked each time
        return None


def _look(permission: Any, view: Any, method: str) -> Hashable:
    """What ``permission`` looks at. Raises LookupError for a class that does not say."""
    if permission in BLIND:
        return method in SAFE_METHODS
    decides = next(cls for cls in permission.__mro__ if {"has_permission", "looks_at"} & vars(cls).keys())
    if "looks_at" not in vars(decides):  # whoever decides anew has to say anew what he looks at
        raise LookupError
    look: Hashable = permission().looks_at(view, method)
    hash(look)
    return look


@lru_cache(maxsize=4096)
def _makes_own_requests(route: Route) -> bool:
    own = getattr(route.view_class, "initialize_request")  # noqa: B009 - a view set has it from two bases
    return own not in (APIView.initialize_request, ViewSetMixin.initialize_request)
