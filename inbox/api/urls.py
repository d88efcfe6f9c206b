"""Paths of the REST API, without trailing slashes: ``/api/v1/emails``, ``/api/v1/emails/{id}``."""

from rest_framework.routers import SimpleRouter

from inbox.api.families.emails import EmailViewSet
from inbox.api.families.inboxes import InboxViewSet
from inbox.api.families.workspaces import WorkspaceViewSet

app_name = "inbox-api"

# Names are ``<family>-list`` and ``<family>-detail``. An id that is no UUID gets as far as the view, which answers 404.
router = SimpleRouter(trailing_slash=False, use_regex_path=False)
router.register("workspaces", WorkspaceViewSet, "workspace")
router.register("inboxes", InboxViewSet, "inbox")
router.register("emails", EmailViewSet, "email")

urlpatterns = router.urls
