"""The protocol revisions spoken here, as rows of facts, and which of them a message belongs to.

The body decides, the headers are a cross-check (2026-07-28, basic/versioning). Legacy: the revisions opened by
``initialize``. Modern: every message carries its own version. Code asks an era for a fact, never for its name or date.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from kobana_mcp.protocol import headers as mirrored
from kobana_mcp.protocol.errors import (
    HeaderMismatch,
    InvalidParams,
    InvalidRequest,
    MCPError,
    UnsupportedProtocolVersion,
)
from kobana_mcp.protocol.messages import CAPABILITIES_KEY, VERSION_KEY, Kind, Message


@dataclass(frozen=True)
class Era:
    """One row of facts about a family of protocol revisions."""

    name: str
    versions: tuple[str, ...]  # newest first
    envelope: bool  # version and capabilities travel in every request's params._meta
    asks_in_result: bool  # a result may be "input_required" and ask the person
    stamps_results: bool  # results carry resultType, serverInfo and cache hints
    mirrors_headers: bool  # Mcp-Method, Mcp-Name and Mcp-Param-* must repeat the body
    errors_by_status: bool  # the HTTP status tells of a JSON-RPC error; else it comes in a 200
    takes_responses: bool  # a client may post a JSON-RPC response
    structured_in: tuple[str, ...]  # the versions in which a result may be structured, and a tool have an outputSchema

    def status_of(self, error: MCPError) -> int:
        """The HTTP status of an error that arose once the era was known."""
        return error.http_status if self.errors_by_status or error.same_status_in_every_era else 200


MODERN: Final = Era(
    name="modern",
    versions=("2026-07-28",),
    envelope=True,
    asks_in_result=True,
    stamps_results=True,
    mirrors_headers=True,
    errors_by_status=True,
    takes_responses=False,
    structured_in=("2026-07-28",),
)
LEGACY: Final = Era(
    name="legacy",
    versions=("2025-06-18", "2025-03-26"),
    envelope=False,
    asks_in_result=False,
    stamps_results=False,
    mirrors_headers=False,
    errors_by_status=False,
    takes_responses=True,
    structured_in=("2025-06-18",),
)
ERAS: Final = (MODERN, LEGACY)

SUPPORTED: Final = tuple(version for era in ERAS for version in era.versions)
DEFAULT_LEGACY: Final = LEGACY.versions[0]
_ERA_OF: Final[Mapping[str, Era]] = {version: era for era in ERAS for version in era.versions}


@dataclass(frozen=True)
class Revision:
    """The revision one message is handled by."""

    era: Era
    version: str

    @property
    def has_structured_results(self) -> bool:
        return self.version in self.era.structured_in


def classify(message: Message, headers: Mapping[str, str]) -> Revision:
    """The revision of a request. First matching row wins ("header" is ``MCP-Protocol-Version``, trimmed):

    1. envelope that is not a string: InvalidParams
    2. envelope, header absent, repeated or different: HeaderMismatch, before it is asked whether we speak it
    3. envelope of a version not spoken: UnsupportedProtocolVersion
    4. envelope of a revision that has none, but opens with ``initialize``: InvalidParams
    5. envelope without ``clientCapabilities``, or no object there: InvalidParams
    6. no envelope, no header: the default legacy revision
    7. no envelope, header of a version not spoken, be it empty: UnsupportedProtocolVersion
    8. no envelope, header of a revision that needs one: InvalidParams, no silent fallback
    9. where the era mirrors headers, ``Mcp-Method`` and ``Mcp-Name`` disagree: HeaderMismatch

    Args:
        message: a well formed request.
        headers: lower-case names; repeated ones joined by a comma.

    Raises: as the rows say; the errors carry no id, the caller has the message.
    """
    stated = mirrored.trimmed(headers, mirrored.VERSION)
    revision = _by_envelope(message, stated) if message.has_envelope else _by_header(stated)
    if revision.era.mirrors_headers:
        mirrored.check_mirrored(message.method or "", message.params, headers)
    return revision


def _by_envelope(message: Message, stated: str | None) -> Revision:
    version = message.envelope_version
    if not isinstance(version, str):
        raise InvalidParams(f"_meta[{VERSION_KEY!r}] must be a string")
    if stated is None:
        raise HeaderMismatch("MCP-Protocol-Version is missing")
    if stated != version or "," in stated:
        raise HeaderMismatch(f"MCP-Protocol-Version differs from _meta[{VERSION_KEY!r}]")
    era = _era_of(version)
    if not era.envelope:
        raise InvalidParams(f"Revision {version} opens with initialize, not with _meta[{VERSION_KEY!r}]")
    if not isinstance(message.meta.get(CAPABILITIES_KEY), Mapping):
        raise InvalidParams(f"_meta[{CAPABILITIES_KEY!r}] must be an object")
    return Revision(era, version)


def _by_header(stated: str | None) -> Revision:
    if stated is None:
        return Revision(LEGACY, DEFAULT_LEGACY)
    era = _era_of(stated)
    if era.envelope:
        raise InvalidParams(f"Revision {stated} needs _meta[{VERSION_KEY!r}] and _meta[{CAPABILITIES_KEY!r}]")
    return Revision(era, stated)


def _era_of(version: str) -> Era:
    if version not in _ERA_OF:
        raise UnsupportedProtocolVersion(version, SUPPORTED)
    return _ERA_OF[version]


def refuse_unspoken(message: Message, headers: Mapping[str, str]) -> Revision:
    """The revision of a message that gets no answer; only an unspoken version, or a response out of place, is refused.

    A notification is taken whatever its method and Mcp-* headers say, and needs no envelope in any era.

    Args:
        message: a notification or a response.
        headers: lower-case names; repeated ones joined by a comma.

    Raises:
        InvalidParams: the envelope's version is not a string.
        UnsupportedProtocolVersion: a version in the header or in the envelope is not spoken.
        InvalidRequest: a response, in an era whose clients send none (2026-07-28, "Sending Messages").
    """
    stated = mirrored.trimmed(headers, mirrored.VERSION)
    version = DEFAULT_LEGACY if stated is None else stated
    revision = Revision(_era_of(version), version)
    if message.has_envelope:
        if not isinstance(message.envelope_version, str):
            raise InvalidParams(f"_meta[{VERSION_KEY!r}] must be a string")
        revision = Revision(_era_of(message.envelope_version), message.envelope_version)
    if message.kind is Kind.RESPONSE and not revision.era.takes_responses:
        raise InvalidRequest(f"Revision {revision.version} has no responses from clients")
    return revision


def negotiate(requested: Any) -> str:
    """The version that ``initialize`` answers: as asked where a handshake opens it, else the default.

    Raises:
        InvalidParams: no string was asked for (2025-06-18, basic/lifecycle, "Version Negotiation").
    """
    if not isinstance(requested, str):
        raise InvalidParams("params.protocolVersion must be a string")
    era = _ERA_OF.get(requested)
    return requested if era is not None and not era.envelope else DEFAULT_LEGACY


def client_capabilities(message: Message) -> Mapping[str, Any]:
    """What the client said it can do; empty without an envelope, for then it said so in no binding place."""
    declared = message.meta.get(CAPABILITIES_KEY) if message.has_envelope else None
    return declared if isinstance(declared, Mapping) else {}
