"""Paths of the REST API, without trailing slashes: ``/api/v1/emails``, ``/api/v1/emails/{id}``."""

from django.urls import path
from rest_framework.routers import SimpleRouter

from inbox.api import docs
from inbox.api.families.agent_runs import AgentRunViewSet
from inbox.api.families.agents import AgentViewSet
from inbox.api.families.deliveries import DeliveryViewSet
from inbox.api.families.emails import EmailViewSet
from inbox.api.families.inboxes import InboxViewSet
from inbox.api.families.system_events import SystemEventViewSet
from inbox.api.families.webhooks import WebhookViewSet
from inbox.api.families.workspaces import WorkspaceViewSet

app_name = "inbox-api"

# Names are ``<family>-list`` and ``<family>-detail``. An id that is no UUID gets as far as the view, which answers 404.
router = SimpleRouter(trailing_slash=False, use_regex_path=False)
router.register("workspaces", WorkspaceViewSet, "workspace")
router.register("inboxes", InboxViewSet, "inbox")
router.register("agents", AgentViewSet, "agent")
router.register("emails", EmailViewSet, "email")
router.register("agent-runs", AgentRunViewSet, "agent-run")
router.register("webhooks", WebhookViewSet, "webhook")
router.register("webhooks/<str:id>/deliveries", DeliveryViewSet, "webhook-delivery")
router.register("system-events", SystemEventViewSet, "system-event")

urlpatterns = [
    *router.urls,
    path("schema", docs.SchemaView.as_view(), name="schema"),
    path("docs", docs.DocsView.as_view(), name="docs"),
]
