"""What a host offers: tools and scopes as declarations, and the shelves they stand on. Knows no view and no caller."""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from typing import Any, Generic, Protocol, TypeVar

NAME = re.compile(r"[A-Za-z0-9_]{1,64}\Z")
#: What stands for a value in the question of a tool: a field of its subject, or an argument of the call.
PLACEHOLDER = re.compile(r"\{(arguments\.)?([A-Za-z_]\w*)\}")
#: What is shown in place of a secret argument.
MASK = "•••"
METHODS = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE"})

_EDITIONS = count(1)


class AlreadyRegistered(ValueError):
    """Two things under one name."""


class Named(Protocol):
    """Anything a shelf can hold."""

    @property
    def name(self) -> str: ...


T = TypeVar("T", bound=Named)


class Shelf(Generic[T]):
    """Declarations by name, in the order in which they were registered."""

    def __init__(self) -> None:
        self._items: dict[str, T] = {}
        #: A number that this shelf, or another, never had before, from each change on.
        self.edition = next(_EDITIONS)

    def add(self, item: T) -> T:
        """Registers ``item`` and returns it. Raises AlreadyRegistered when the name is taken."""
        if item.name in self._items:
            raise AlreadyRegistered(item.name)
        self._items[item.name] = item
        self.edition = next(_EDITIONS)
        return item

    def get(self, name: str) -> T | None:
        return self._items.get(name)

    def __iter__(self) -> Iterator[T]:
        return iter(self._items.values())

    def __len__(self) -> int:
        return len(self._items)

    @contextmanager
    def temporarily(self, *items: T, alone: bool = False) -> Iterator[None]:
        """Holds ``items`` for the length of a ``with`` block, ``alone`` or beside the others: the way of tests."""
        before = self._items
        self._items = {} if alone else dict(before)
        self.edition = next(_EDITIONS)
        try:
            for item in items:
                self.add(item)
            yield
        finally:
            self._items = before
            self.edition = next(_EDITIONS)


@dataclass(frozen=True, kw_only=True)
class Scope:
    """A right a person can give to a client.

    Args:
        name: as it stands in tokens, such as ``inbox.emails:read``.
        description: the right in words, for the consent screen.
        implies: names of the narrower scopes that a token with this one holds as well.
        first: whether clients are told to ask for it when a person first signs in; None leaves that to the tools: they
            are for the scopes of tools that only read.
    """

    name: str
    description: str
    implies: tuple[str, ...] = ()
    first: bool | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class Tool:
    """One operation an assistant can call. It points at a route, never at a view class.

    Args:
        name: ``<resource>_<verb>``: letters, digits, underscore, at most 64.
        title: for people; description: tells a model when to use it, what it returns and what to do next.
        scope: the scope a token needs, or several separated by spaces.
        read_only, destructive, idempotent: the tool's risk, stated by every tool; there is no default.
        route: the (namespaced) name of the URL pattern that owns the operation; method: the HTTP method there.
        subject: for a destructive tool, the name of the GET route that reads the object it is about to change.
        question: what a person is asked before it runs, if he is: the thing in words he recognises, and the
            consequence. ``{field}`` stands for a field of the subject, ``{arguments.name}`` for an argument.
        secret_fields: arguments that are masked in the audit row.
        run, input_schema: instead of a route, a function ``(arguments, context) -> result`` and its own JSON Schema.
        output_schema: the JSON Schema of the ``structuredContent`` that such a function returns, where it does.

    Raises TypeError for a missing argument and ValueError for a declaration that makes no sense.
    """

    name: str
    title: str
    description: str
    scope: str
    read_only: bool
    destructive: bool
    idempotent: bool
    route: str = ""
    method: str = "GET"
    subject: str = ""
    question: str = ""
    secret_fields: tuple[str, ...] = ()
    run: Callable[[Mapping[str, Any], Any], Mapping[str, Any]] | None = None
    input_schema: Mapping[str, Any] | None = None
    output_schema: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        # Translated lazily or not, what is sent and looked up is text.
        for name in ("title", "description", "question"):
            object.__setattr__(self, name, str(getattr(self, name)))
        wrong = next((words for fails, words in self._rules() if fails), None)
        if wrong:
            raise ValueError(f"Tool {self.name!r}: {wrong}")

    def _rules(self) -> Iterator[tuple[bool, str]]:
        yield not NAME.match(self.name), "a name is 1 to 64 letters, digits and underscores"
        yield not (self.title and self.description), "title and description are required"
        yield self.read_only and self.destructive, "a tool that only reads destroys nothing"
        yield bool(self.route) == bool(self.run), "it needs a route or a run function, and not both"
        yield bool(self.run) != (self.input_schema is not None), "run and input_schema go together"
        yield self.output_schema is not None and not self.run, "only a run function brings its own output_schema"
        yield self.method not in METHODS, f"the method is one of {', '.join(sorted(METHODS))}"
        yield bool(self.route) and self.read_only != (self.method == "GET"), "GET, and only GET, is read-only"
        yield not self.destructive and self.method == "DELETE", "what deletes is destructive"
        yield bool(self.route) and not self.scope, "a tool of a route needs a scope"
        yield bool(set("{}") & set(PLACEHOLDER.sub("", self.question))), "a question has plain {field} placeholders"
        yield self.destructive and not self.question, "a destructive tool has a question to ask"

    @property
    def scopes(self) -> frozenset[str]:
        """The scopes a token needs to run this tool."""
        return frozenset(self.scope.split())


tools: Shelf[Tool] = Shelf()
scopes: Shelf[Scope] = Shelf()
