"""Runs one DRF view action in process, as the verified person.

The view gets a request equal to the one its own URL would have given it, and keeps its own permissions, throttles,
validation and transaction. The view class is never touched.
"""

import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.core.exceptions import BadRequest, PermissionDenied, SuspiciousOperation
from django.core.handlers.base import BaseHandler
from django.core.handlers.wsgi import WSGIRequest
from django.http import Http404, HttpRequest
from django.urls import ResolverMatch
from rest_framework.authentication import BasicAuthentication, RemoteUserAuthentication, SessionAuthentication
from rest_framework.response import Response

from kobana_mcp.access.bearer import Principal
from kobana_mcp.arguments import Arguments
from kobana_mcp.conf import conf
from kobana_mcp.context import Context
from kobana_mcp.routes import NoSuchPath, Route

logger = logging.getLogger("kobana_mcp")

#: What identifies the outer request's connection; of the headers, only those that say where it came from.
CARRIED = (
    *("SERVER_NAME", "SERVER_PORT", "SERVER_PROTOCOL", "REMOTE_ADDR", "REMOTE_HOST", "SCRIPT_NAME"),
    *("HTTP_HOST", "HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_HOST", "HTTP_X_FORWARDED_PORT"),
)
NEVER_CARRIED = ("HTTP_AUTHORIZATION", "HTTP_COOKIE")
#: Where Django notes the databases that a view wants no transaction of.
NON_ATOMIC = "_non_atomic_requests"
ANY_JSON = "application/json, application/*;q=0.5"
REFUSALS: Mapping[type[Exception], int] = {
    Http404: 404,
    PermissionDenied: 403,
    BadRequest: 400,
    SuspiciousOperation: 400,
}


@dataclass(frozen=True)
class Answer:
    """What an endpoint answered: HTTP status and body, as REST would send them."""

    status: int
    body: bytes = b""
    content_type: str = ""

    @property
    def is_success(self) -> bool:
        return 200 <= self.status < 300

    @property
    def is_json(self) -> bool:
        kind = self.content_type.partition(";")[0].strip()
        return kind == "application/json" or kind.endswith("+json")

    def json(self) -> Any:
        """The body as a value; None where it is empty or no JSON."""
        return json.loads(self.body) if self.body and self.is_json else None


NOT_FOUND = Answer(404)


def call(route: Route, arguments: Arguments, context: Context) -> Answer:
    """Runs the route's view as its URL would. What the view itself does not answer, a crash, is raised."""
    try:
        request = request_for(route, arguments, context.request, context.principal, *route.locate(arguments.path))
    except NoSuchPath:
        return NOT_FOUND
    return _answer(BaseHandler().make_view_atomic(request.resolver_match.func), request)


def rehearse(route: Route, arguments: Arguments, context: Context, *, has_object: bool) -> Answer:
    """All that the view does before its action: negotiation, permissions, and the object with its own check.

    Args:
        has_object: whether the path names an object that has to be there.

    A success says that the action would run now, as far as can be told; it has an empty body.
    """
    try:
        request = request_for(route, arguments, context.request, context.principal, *route.locate(arguments.path))
    except NoSuchPath:
        return NOT_FOUND
    view = view_of(route, request)

    def stand_in(*args: Any, **kwargs: Any) -> Response:
        if has_object and hasattr(view, "get_object") and (view.lookup_url_kwarg or view.lookup_field) in view.kwargs:
            view.get_object()
        return Response(status=204)

    setattr(view, route.method.lower(), stand_in)
    view.check_throttles = lambda request: None  # the call itself is counted, asking about it is not

    def in_place(request: Any, *args: Any, **kwargs: Any) -> Any:
        return view.dispatch(request, *args, **kwargs)

    # A view that locks its object needs the transaction that the call will have.
    setattr(in_place, NON_ATOMIC, getattr(request.resolver_match.func, NON_ATOMIC, set()))
    try:
        return _answer(BaseHandler().make_view_atomic(in_place), request)
    except AttributeError:  # of what decorators of the URL leave on the request: the call itself will tell
        logger.warning("%s %s cannot be rehearsed", route.method, route.name, exc_info=True)
        return Answer(204)


def view_of(route: Route, request: Any) -> Any:
    """An instance of the route's view, set up as its ``as_view`` would."""
    view: Any = route.view_class(**route.initkwargs)
    if route.actions is not None:
        view.action_map = route.actions
        for method, action in route.actions.items():
            setattr(view, method, getattr(view, action))
    view.setup(request, *request.resolver_match.args, **request.resolver_match.kwargs)
    return view


def _answer(view: Callable[..., Any], request: Any) -> Answer:
    match = request.resolver_match
    try:
        response = view(request, *match.args, **match.kwargs)
        if hasattr(response, "render"):
            response = response.render()
    except tuple(REFUSALS) as refusal:
        return Answer(next(status for kind, status in REFUSALS.items() if isinstance(refusal, kind)))
    return Answer(response.status_code, response.content, response.headers.get("Content-Type", ""))


def request_for(
    route: Route, arguments: Arguments, outer: HttpRequest, principal: Principal, path: str, match: ResolverMatch
) -> Any:
    """The request that the route's own URL would have given the view, with the identity in place of the token."""
    body = json.dumps(arguments.body).encode() if route.has_body else b""
    allowed = _allowed_headers(tuple(conf.FORWARDED_HEADERS), settings.SECURE_PROXY_SSL_HEADER)
    environ = {name: outer.META[name] for name in (*CARRIED, *allowed) if name in outer.META}
    environ |= {
        "REQUEST_METHOD": route.method,
        "PATH_INFO": path.encode().decode("latin-1"),
        "QUERY_STRING": urlencode(arguments.query, doseq=True),
        "CONTENT_LENGTH": str(len(body)),
        "HTTP_ACCEPT": ANY_JSON,
        "wsgi.url_scheme": outer.META.get("wsgi.url_scheme", outer.scheme),
        "wsgi.input": BytesIO(body),
    }
    if body:
        environ["CONTENT_TYPE"] = "application/json"
    request: Any = WSGIRequest(environ)
    for name in ("urlconf", "LANGUAGE_CODE", *conf.FORWARDED_ATTRIBUTES):
        if hasattr(outer, name):
            setattr(request, name, getattr(outer, name))
    request.resolver_match = match
    sign_in(request, principal, route)
    return request


def wsgi_name(header: str) -> str:
    """The name a header has in a WSGI environment."""
    return "HTTP_" + header.strip().upper().replace("-", "_")


@lru_cache(maxsize=8)
def _allowed_headers(forwarded: tuple[str, ...], proxy: tuple[str, str] | None) -> list[str]:
    """The WSGI names of the headers that cross: the settings' own, and the one Django reads the scheme from."""
    names = [name for name in map(wsgi_name, forwarded) if name not in NEVER_CARRIED]
    return [*names, proxy[0]] if proxy else names


def sign_in(request: Any, principal: Principal, route: Route) -> None:
    """Makes the person the one that DRF finds authenticated.

    A DRF request asks the Django request for what it lacks itself; so its user, its credentials and its authenticator
    are found here, before any authentication class is tried. The authenticator is one of the view's own: forcing a
    user would leave a stranger there, and permission classes that tell a token from a session would take it for one.
    """
    request.user = request._user = principal.user
    request.auth = request._auth = principal
    request._authenticator = authenticator_of(route)
    request._dont_enforce_csrf_checks = True


def authenticator_of(route: Route) -> Any:
    """What the view would have read a token with; None for a view without any."""
    cls = _authenticator(route)
    return cls() if cls else None


@lru_cache(maxsize=4096)
def _authenticator(route: Route) -> Any:
    """The class that the view would have read a token with, None for a view without any."""
    classes = route.initkwargs.get("authentication_classes", route.view_class.authentication_classes)
    return min(classes, key=_is_no_bearer, default=None)


def _is_no_token(authentication_class: Any) -> bool:
    """Sorts last the classes that no token comes through; of the others, those that answer a bearer token lead."""
    return issubclass(authentication_class, (SessionAuthentication, BasicAuthentication, RemoteUserAuthentication))


def _is_no_bearer(authentication_class: Any) -> tuple[bool, bool]:
    names = {cls.__name__ for cls in authentication_class.__mro__}
    return _is_no_token(authentication_class), not names & {"OAuth2Authentication", "BearerAuthentication"}
