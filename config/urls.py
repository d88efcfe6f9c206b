"""Who answers which path: the MCP endpoint with its well-known documents, the REST API, the admin."""

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("", include("kobana_mcp.urls")),
    path("", include("kobana_mcp.oauth.urls")),
    path("api/v1/", include("inbox.api.urls")),
    path("admin/", admin.site.urls),
]
