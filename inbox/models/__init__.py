"""The tables. Their managers are the one road to read rows; inbox.services is the one road to change them."""

from inbox.models.agents import Agent
from inbox.models.emails import Email, EmailStatus
from inbox.models.events import SystemEvent
from inbox.models.inboxes import Inbox, InboxStatus
from inbox.models.organizations import Membership, Organization, Role
from inbox.models.people import User
from inbox.models.reach import Reach
from inbox.models.runs import AgentRun, RunStatus
from inbox.models.webhooks import DeliveryStatus, Webhook, WebhookAuth, WebhookDelivery, WebhookStatus
from inbox.models.workspaces import Source, Workspace

__all__ = [
    "Agent",
    "AgentRun",
    "DeliveryStatus",
    "Email",
    "EmailStatus",
    "Inbox",
    "InboxStatus",
    "Membership",
    "Organization",
    "Reach",
    "Role",
    "RunStatus",
    "Source",
    "SystemEvent",
    "User",
    "Webhook",
    "WebhookAuth",
    "WebhookDelivery",
    "WebhookStatus",
    "Workspace",
]
