"""From a route's name to the DRF view action behind it, through Django's own resolver; and safe paths to it."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any
from urllib.parse import unquote

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.urls import (
    NoReverseMatch,
    Resolver404,
    ResolverMatch,
    URLPattern,
    URLResolver,
    get_resolver,
    get_script_prefix,
    get_urlconf,
    resolve,
    reverse,
)
from django.utils.regex_helper import normalize
from rest_framework.views import APIView

from kobana_mcp.registry import Tool

#: What Django calls a part of a regular expression that has no name.
UNNAMED = re.compile(r"_[0-9]+")


class RouteError(ImproperlyConfigured):
    """A declaration names a route that cannot be called as a tool."""


class NoSuchPath(Exception):
    """The given values lead to no path of this route."""


@dataclass(frozen=True, eq=False)
class Route:
    """One URL pattern with one HTTP method: the owner of an operation.

    Args:
        name: the pattern's qualified name; method: the HTTP method.
        pattern: the whole path as the URLconf spells it.
        callback: the view the URLconf calls, decorators included.
        parameters: path parameters and their converters; None where the pattern is a regular expression.
    """

    name: str
    method: str
    pattern: str
    callback: Callable[..., Any]
    parameters: Mapping[str, Any]

    @cached_property
    def has_body(self) -> bool:
        return self.method in ("POST", "PUT", "PATCH")

    @cached_property
    def view_class(self) -> type[APIView]:
        found: type[APIView] = self.callback.cls  # type: ignore[attr-defined]
        return found

    @cached_property
    def initkwargs(self) -> Mapping[str, Any]:
        return getattr(self.callback, "initkwargs", {})

    @cached_property
    def actions(self) -> Mapping[str, str] | None:
        """The method-to-action map of a view set; None for a plain view."""
        return getattr(self.callback, "actions", None)

    def locate(self, values: Mapping[str, Any]) -> tuple[str, ResolverMatch]:
        """The path of this route for ``values``, unquoted as ``path_info`` is, and what Django resolves it to.

        The match is this very pattern with these very values: a value cannot lead to another route.
        Raises NoSuchPath for everything else.
        """
        try:
            converted = {name: _convert(converter, values[name]) for name, converter in self.parameters.items()}
            path = "/" + unquote(reverse(self.name, kwargs=converted)).removeprefix(get_script_prefix())
            match = resolve(path)
        except (KeyError, ValueError, NoReverseMatch, Resolver404):
            raise NoSuchPath from None
        same_values = all(match.kwargs.get(name) == value for name, value in converted.items())
        if match.func is not self.callback or match.view_name != self.name or not same_values:
            raise NoSuchPath
        return path, match


def of(tool: Tool) -> Route:
    """The route of ``tool``. Raises RouteError."""
    return find(tool.route, tool.method)


def subject_of(tool: Tool) -> Route | None:
    """The route that reads what ``tool`` is about to change, where it names one. Raises RouteError."""
    return find(tool.subject, "GET") if tool.subject else None


def find(name: str, method: str) -> Route:
    """The route with that qualified name and HTTP method. Raises RouteError."""
    return _find(name, method, get_urlconf() or settings.ROOT_URLCONF)


@lru_cache(maxsize=1024)
def _find(name: str, method: str, urlconf: Any) -> Route:
    for route in _walk(get_resolver(urlconf), "", (), {}, method):
        if route.name == name:
            _require_action(route)
            return route
    raise RouteError(f"No URL pattern is named {name!r}.")


def _walk(
    resolver: URLResolver, prefix: str, namespaces: tuple[str, ...], parameters: Mapping[str, Any], method: str
) -> Iterator[Route]:
    for entry in resolver.url_patterns:
        pattern = prefix + str(entry.pattern)
        found = {**parameters, **_parameters(entry)}
        if isinstance(entry, URLPattern):
            yield Route(":".join((*namespaces, entry.name or "")), method, pattern, entry.callback, found)
        else:
            inner = (*namespaces, entry.namespace) if entry.namespace else namespaces
            yield from _walk(entry, pattern, inner, found, method)


def _parameters(entry: URLPattern | URLResolver) -> dict[str, Any]:
    """The path parameters of one pattern. Of a regular expression only the names are known.

    A part without a name goes by its place, as ``_0``: nothing can be given for it, so its route has no schema.
    """
    converters = getattr(entry.pattern, "converters", {})
    ways = [set(parameters) for _, parameters in normalize(entry.pattern.regex.pattern)]
    unnamed = {name for name in set.intersection(*ways) if UNNAMED.fullmatch(name)}
    return {name: converters.get(name) for name in (*entry.pattern.regex.groupindex, *sorted(unnamed))}


def _convert(converter: Any, value: Any) -> Any:
    text = str(value)
    if converter is None:
        return text
    if not re.fullmatch(converter.regex, text):
        raise ValueError
    return converter.to_python(text)


def _require_action(route: Route) -> None:
    """Raises RouteError unless the pattern calls a DRF view that serves the method."""
    cls = getattr(route.callback, "cls", None)
    if not (isinstance(cls, type) and issubclass(cls, APIView)):
        raise RouteError(f"The URL pattern {route.name!r} calls no view of Django REST Framework.")
    served = route.actions if route.actions is not None else {name: name for name in dir(cls)}
    if route.method.lower() not in served:
        raise RouteError(f"The URL pattern {route.name!r} does not serve {route.method}.")
