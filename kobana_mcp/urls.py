"""The endpoint and its metadata documents. Include it at the root of the URLconf: well-known paths are absolute."""

from django.urls import path

from kobana_mcp.access.metadata import ProtectedResourceMetadata
from kobana_mcp.access.resources import WELL_KNOWN
from kobana_mcp.conf import conf
from kobana_mcp.views import Endpoint

ENDPOINT = str(conf.ENDPOINT_PATH).strip("/")
METADATA = WELL_KNOWN.lstrip("/")

urlpatterns = [
    path(ENDPOINT, Endpoint.as_view(), name="mcp"),
    path(f"{ENDPOINT}/", Endpoint.as_view()),
    path(METADATA, ProtectedResourceMetadata.as_view(), name="oauth-protected-resource"),
    path(f"{METADATA}/", ProtectedResourceMetadata.as_view()),
    path(f"{METADATA}/<path:path>", ProtectedResourceMetadata.as_view()),
]
