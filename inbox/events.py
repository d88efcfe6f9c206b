"""The catalogue of system events: every slug there is, when it is written, and what its payload holds.

Services write no other; webhooks subscribe to no other.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True)
class EventKind:
    """One kind of event.

    Args:
        slug: its name, ``resource.action``.
        told_when: one sentence.
        payload: keys its payload may hold; ``by`` is the person who did it.
    """

    slug: str
    told_when: str
    payload: tuple[str, ...]


_KINDS = (
    EventKind("email.received", "An inbox received a message.", ("email",)),
    EventKind("email.approved", "A message passed every check.", ("email",)),
    EventKind("email.rejected", "A message failed a check.", ("email", "rejection_reason")),
    EventKind("email.processing", "An agent began to work on a message.", ("email", "agent")),
    EventKind("email.processed", "An agent finished its work on a message.", ("email", "agent")),
    EventKind("email.failed", "The work on a message was given up.", ("email", "agent", "error")),
    EventKind("email.reprocess_requested", "A person had a message processed again.", ("email", "by")),
    EventKind("agent_run.started", "A run of an agent began.", ("agent_run", "agent", "email")),
    EventKind("agent_run.succeeded", "A run of an agent ended well.", ("agent_run", "agent", "email")),
    EventKind("agent_run.failed", "A run of an agent failed.", ("agent_run", "agent", "email", "error")),
    EventKind("inbox.created", "An inbox was made.", ("inbox", "by")),
    EventKind("inbox.updated", "An inbox was changed.", ("inbox", "changed", "by")),
    EventKind("inbox.deleted", "An inbox was deleted: it stops receiving.", ("inbox", "by")),
    EventKind("agent.created", "An agent was made.", ("agent", "by")),
    EventKind("agent.updated", "An agent was changed.", ("agent", "changed", "by")),
    EventKind("agent.deleted", "An agent was deleted: its inboxes keep running without one.", ("agent", "by")),
    EventKind("webhook.created", "A webhook was made.", ("webhook", "by")),
    EventKind("webhook.updated", "A webhook was changed, or its secret replaced.", ("webhook", "changed", "by")),
    EventKind("webhook.deleted", "A webhook was deleted: nothing more is sent.", ("webhook", "by")),
    EventKind("webhook.replay_requested", "A person had an event sent again.", ("webhook", "delivery", "event", "by")),
    EventKind("webhook.test", "A person tested a webhook; only that webhook is sent it.", ("webhook", "by")),
)

#: slug -> kind
CATALOGUE: Mapping[str, EventKind] = MappingProxyType({kind.slug: kind for kind in _KINDS})
