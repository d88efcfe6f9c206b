"""What a scope implies. Names and implications are declared by the host, beside its tools."""

from collections.abc import Iterable

from kobana_mcp import registry


def expand(names: Iterable[str]) -> frozenset[str]:
    """The scopes ``names``, and all that these imply, at whatever remove (2026-07-28, authorization, "Step-Up")."""
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            scope = registry.scopes.get(name)
            waiting.extend(scope.implies if scope else ())
    return frozenset(found)


def ordered(names: Iterable[str]) -> str:
    """Scopes as the ``scope`` parameter spells them (RFC 6749, section 3.3), in a steady order."""
    return " ".join(sorted(set(names)))
