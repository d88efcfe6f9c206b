"""How scopes are spelled."""

from collections.abc import Iterable


def ordered(names: Iterable[str]) -> str:
    """Scopes as the ``scope`` parameter spells them (RFC 6749, section 3.3), in a steady order."""
    return " ".join(sorted(set(names)))
