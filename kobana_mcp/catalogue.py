"""What is on offer now: the host's declarations, with what an administrator made of them."""

import threading
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from kobana_mcp import models, registry
from kobana_mcp.registry import Scope, Tool


@dataclass(frozen=True, eq=False)
class Offer:
    """A tool under the rules of now.

    Args:
        tool: the declaration.
        scopes: what a token needs to run it.
        asks: whether a person is asked before it runs.
    """

    tool: Tool
    scopes: frozenset[str]
    asks: bool

    @property
    def name(self) -> str:
        return self.tool.name

    @property
    def reads_only(self) -> bool:
        """What clients may run without a word: a reading tool that a person wants to be asked about is none."""
        return self.tool.read_only and not self.asks


@dataclass(frozen=True, eq=False)
class Catalogue:
    """One state of what is on offer. It never changes: a change makes another one.

    Args:
        scopes: every known scope by name.
        offers: every tool that is not switched off by name, in the order of registration.
        first_scopes: what a client is told to ask for when a person first signs in.
    """

    scopes: Mapping[str, Scope]
    offers: Mapping[str, Offer]
    first_scopes: tuple[str, ...]

    def expand(self, names: Iterable[str]) -> frozenset[str]:
        """The scopes ``names``, and all that these imply, at whatever remove (2026-07-28, authorization, "Step-Up")."""
        found: set[str] = set()
        waiting = list(names)
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.add(name)
                scope = self.scopes.get(name)
                waiting.extend(scope.implies if scope else ())
        return frozenset(found)


_State = tuple[uuid.UUID | None, int, int]
_MAKING = threading.Lock()
_latest: tuple[_State | None, Catalogue] = (None, Catalogue({}, {}, ()))


def current() -> Catalogue:
    """The catalogue of this moment, by one query for the version of the administrator's choices."""
    return at(models.CatalogueVersion.objects.values_list("version", flat=True).first())


def at(version: uuid.UUID | None) -> Catalogue:
    """The catalogue at ``version``, which the caller has just read; None where that row is not there yet.

    Built once per version: every replica that meets a version it has not seen reads the choices anew.
    """
    global _latest
    state = (version, registry.tools.edition, registry.scopes.edition)
    known, catalogue = _latest
    if known == state:
        return catalogue
    with _MAKING:
        known, catalogue = _latest
        if known != state:
            catalogue = _made()
            _latest = (state, catalogue)
    return catalogue


def _made() -> Catalogue:
    rows = models.Scope.objects.all()
    policies = {row.tool: row for row in models.ToolPolicy.objects.all()}
    scopes = {scope.name: scope for scope in registry.scopes}
    scopes |= {row.name: _with_choice(scopes.get(row.name), row) for row in rows}
    offers = {}
    for tool in registry.tools:
        policy = policies.get(tool.name)
        if policy is None:
            offers[tool.name] = Offer(tool, tool.scopes, tool.destructive)
        elif policy.is_enabled:
            needed = tool.scopes | frozenset(policy.extra_scopes)
            offers[tool.name] = Offer(tool, needed, tool.destructive or policy.must_confirm)
    return Catalogue(scopes, offers, _first(scopes.values(), offers.values()))


def _with_choice(declared: Scope | None, row: models.Scope) -> Scope:
    base = declared or Scope(name=row.name, description=row.name)
    return replace(
        base,
        description=row.description or base.description,
        implies=base.implies if row.implies is None else tuple(row.implies),
        first=base.first if row.is_default is None else row.is_default,
    )


def _first(scopes: Iterable[Scope], offers: Iterable[Offer]) -> tuple[str, ...]:
    """Unless said otherwise, every scope that a tool which only reads needs: enough to begin with, and harmless."""
    reading = {name for offer in offers if offer.reads_only for name in offer.scopes}
    said = {scope.name: scope.first for scope in scopes if scope.first is not None}
    return tuple(sorted({name for name in reading | said.keys() if said.get(name, True)}))
