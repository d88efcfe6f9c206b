"""The API's own description: the OpenAPI document, and a page that shows it. Nothing is fetched from elsewhere.

The only two places where a signed-in browser counts: a session has no scopes, so it reads no data.
"""

import json
from functools import cache
from typing import Any

from django.contrib.auth.mixins import LoginRequiredMixin
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.views.generic import TemplateView
from drf_spectacular.generators import SchemaGenerator
from rest_framework.authentication import SessionAuthentication
from rest_framework.permissions import IsAuthenticated
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.views import APIView

from inbox.api.authentication import BearerAuthentication
from inbox.api.errors import exception_handler
from inbox.api.parsers import AlwaysJSON

#: What the page may load. Its own files are all it needs; `data:` are icons within the style sheet.
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
    " base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


@cache
def document() -> bytes:
    """The OpenAPI document, made once: it depends on the code alone."""
    made = SchemaGenerator().get_schema(request=None, public=True)
    return json.dumps(made, default=str, ensure_ascii=False).encode()


class SignedIn(SessionAuthentication):
    """A person signed in with a browser. Whoever is not is asked for a token, as everywhere in the API."""

    def authenticate_header(self, request: Request) -> str:
        return BearerAuthentication().authenticate_header(request)


class SchemaView(APIView):
    """The OpenAPI 3.1 document, for a signed-in person or with any token of the API."""

    authentication_classes = (SignedIn, BearerAuthentication)
    permission_classes = (IsAuthenticated,)
    renderer_classes = (JSONRenderer,)
    content_negotiation_class = AlwaysJSON
    throttle_classes = ()
    metadata_class = None
    versioning_class = None
    schema = None
    http_method_names = ("get", "head")

    def get(self, request: Request) -> HttpResponse:
        return HttpResponse(document(), content_type="application/vnd.oai.openapi+json")

    def get_exception_handler(self) -> Any:
        return exception_handler


class DocsView(LoginRequiredMixin, TemplateView):
    """The reference page, for a signed-in person."""

    template_name = "inbox/docs.html"
    http_method_names = ("get", "head")

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        response = super().dispatch(request, *args, **kwargs)
        response.headers["Content-Security-Policy"] = CONTENT_SECURITY_POLICY
        return response
