"""What one row of the table of requirements says."""

from dataclasses import dataclass
from typing import Final

MODERN: Final = ("2026-07-28",)
JUNE: Final = ("2025-06-18",)
MARCH: Final = ("2025-03-26",)
LEGACY: Final = JUNE + MARCH
SINCE_JUNE: Final = MODERN + JUNE
ALL: Final = MODERN + LEGACY


@dataclass(frozen=True)
class Row:
    """One MUST, or MUST NOT, for a server.

    Args:
        id: what a test names it by.
        revisions: of the specification, that say so.
        where: page and heading there.
        says: the requirement, in our words.
        page: where the transport page this server is built to decides otherwise: what it decides; a test shows that.
        not_applicable: why this server cannot break it.
        later: the part of the work that brings what it is about.
    """

    id: str
    revisions: tuple[str, ...]
    where: str
    says: str
    page: str = ""
    not_applicable: str = ""
    later: str = ""

    @property
    def is_shown(self) -> bool:
        """Whether a test has to show it."""
        return not (self.not_applicable or self.later)
