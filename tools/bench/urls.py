"""The host's URLs, with a view beside them that does the least an authenticated answer can do."""

from django.http import HttpRequest, HttpResponse
from django.urls import include, path
from django.views.decorators.csrf import csrf_exempt

from kobana_mcp.access.bearer import authenticate
from kobana_mcp.access.resources import endpoint

CONSTANT = b'{"jsonrpc": "2.0", "id": 1, "result": {}}'


@csrf_exempt
def constant(request: HttpRequest) -> HttpResponse:
    """One token query, and an answer that is always the same: the floor."""
    authenticate(request, endpoint())
    return HttpResponse(CONSTANT, content_type="application/json")


urlpatterns = [path("bench/constant", constant), path("", include("config.urls"))]
