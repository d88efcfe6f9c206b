"""The protected resource metadata documents (RFC 9728): one per resource, readable by anybody from anywhere."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.utils.decorators import method_decorator
from django.views import View
from django.views.decorators.csrf import csrf_exempt

from kobana_mcp.access.resources import ProtectedResource, base_url, endpoint, resource_at
from kobana_mcp.conf import conf


def document(resource: ProtectedResource) -> dict[str, Any]:
    """The metadata of ``resource`` (RFC 9728, section 2)."""
    return {
        "resource": resource.identifier,
        "authorization_servers": list(conf.AUTHORIZATION_SERVERS) or [base_url()],
        "scopes_supported": sorted(resource.scopes),
        "bearer_methods_supported": ["header"],
        "resource_name": resource.name,
    }


@method_decorator(csrf_exempt, name="dispatch")
class ProtectedResourceMetadata(View):
    """Answers at the well-known address, for the MCP endpoint, and below it with the resource's path appended."""

    http_method_names = ("get", "head", "options")

    def get(self, request: HttpRequest, path: str = "") -> HttpResponse:
        """The document, or 404 for a path at which nothing is protected."""
        try:
            resource = resource_at("/" + path.rstrip("/")) if path else endpoint()
        except KeyError:
            raise Http404 from None
        return JsonResponse(document(resource))

    def options(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return HttpResponse(status=204)

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        response = super().dispatch(request, *args, **kwargs)
        response["Access-Control-Allow-Origin"] = "*"
        if request.method == "OPTIONS":
            response["Access-Control-Allow-Methods"] = "GET, HEAD, OPTIONS"
            response["Access-Control-Allow-Headers"] = "*"
            response["Access-Control-Max-Age"] = "86400"
        return response
