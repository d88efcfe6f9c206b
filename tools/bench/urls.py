"""The host's URLs, with two views beside them: the floor, and one with a permission that says nothing of itself."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import include, path
from django.views.decorators.csrf import csrf_exempt
from drf_spectacular.openapi import AutoSchema
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from inbox.api.authentication import BearerAuthentication
from kobana_mcp.access.bearer import authenticate
from kobana_mcp.access.resources import endpoint

CONSTANT = b'{"jsonrpc": "2.0", "id": 1, "result": {}}'


@csrf_exempt
def constant(request: HttpRequest) -> HttpResponse:
    """One token query, and an answer that is always the same: the floor."""
    authenticate(request, endpoint())
    return HttpResponse(CONSTANT, content_type="application/json")


class Signed(BasePermission):
    """Lets in whoever is signed in."""

    def has_permission(self, request: Request, view: Any) -> bool:
        return bool(request.user and request.user.is_authenticated)


class Silent(APIView):
    """Asked about once for every tool."""

    authentication_classes = (BearerAuthentication,)
    permission_classes = (Signed,)
    schema = AutoSchema()
    family = "bench"  # the documentation of the host's authentication asks for it

    def get(self, request: Request) -> Response:
        return Response({})


urlpatterns = [
    path("bench/constant", constant),
    path("bench/silent", Silent.as_view(), name="bench-silent"),
    path("", include("config.urls")),
]
