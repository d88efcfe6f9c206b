"""What a handler may know of the message it answers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest

from kobana_mcp.access.bearer import Principal
from kobana_mcp.protocol.eras import Era, Revision, client_capabilities
from kobana_mcp.protocol.messages import Message


@dataclass(frozen=True)
class Context:
    """One message, the revision it speaks, the person it speaks for, and the HTTP request it came in."""

    message: Message
    revision: Revision
    principal: Principal
    request: HttpRequest

    @property
    def params(self) -> Mapping[str, Any]:
        return self.message.params

    @property
    def era(self) -> Era:
        return self.revision.era

    @property
    def headers(self) -> Mapping[str, str]:
        """The request's headers under lower-case names."""
        return {name.lower(): value for name, value in self.request.headers.items()}

    @property
    def can_ask(self) -> bool:
        """Whether a form can be put before the person: the era has a way, and the client declared that it can.

        An empty ``elicitation`` capability means the form mode (2026-07-28, client/elicitation, "Capabilities").
        """
        elicitation = client_capabilities(self.message).get("elicitation") if self.era.asks_in_result else None
        return isinstance(elicitation, Mapping) and (not elicitation or "form" in elicitation)
