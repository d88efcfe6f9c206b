"""What every view set of the API shares: the order of the checks, the choice of workspace, the envelopes."""

import uuid
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, NoReturn

from rest_framework.exceptions import MethodNotAllowed, PermissionDenied
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from inbox.api.authentication import BearerAuthentication
from inbox.api.errors import exception_handler
from inbox.api.filters import StrictFilterBackend
from inbox.api.pagination import KeysetPagination
from inbox.api.parsers import AlwaysJSON, StrictJSONParser
from inbox.api.permissions import HasRole, HasScope, lacking_scope
from inbox.api.schema import InboxSchema
from inbox.api.serializers import QuerySerializer, StrictSerializer
from inbox.api.workspaces import HEADER, choose, person_of
from inbox.errors import NotFound
from inbox.models import Role, Workspace
from inbox.models.base import as_uuid


class FamilyViewSet(GenericViewSet):
    """The operations of one resource family.

    Refusals, first failing one wins: token (401), method (405), role and scope (403), workspace (400, 404), query
    string (400), the row (404), the body (400, 409, 422).
    """

    authentication_classes = (BearerAuthentication,)
    permission_classes = (HasRole, HasScope)
    renderer_classes = (JSONRenderer,)
    parser_classes = (StrictJSONParser,)
    content_negotiation_class = AlwaysJSON
    throttle_classes = ()
    filter_backends = (StrictFilterBackend,)
    pagination_class = KeysetPagination
    metadata_class = None
    versioning_class = None
    schema = InboxSchema()
    http_method_names: Sequence[str] = ("get", "head", "post", "put", "patch", "delete")
    lookup_field = "id"

    #: Such as ``inbox.emails``: what its scopes begin with.
    family: ClassVar[str]
    #: action -> the least role that may do it.
    roles: ClassVar[Mapping[str, Role]]
    #: action -> its query string, for actions other than the list.
    query_serializers: ClassVar[Mapping[str, type[QuerySerializer]]] = {}
    needs_workspace: ClassVar[bool] = True
    id_description: ClassVar[str] = "Its id, or its external_id."

    #: The one the request acts on; there is none in families that need none.
    workspace: Workspace
    query: Mapping[str, Any]

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if self.needs_workspace:
            self.workspace = choose(person_of(request), request.headers.get(HEADER))
        if self.action != "list":
            query = self.query_serializers.get(self.action, QuerySerializer)(data=request.query_params)
            query.is_valid(raise_exception=True)
            self.query = query.validated_data

    def permission_denied(self, request: Request, message: str | None = None, code: str | None = None) -> NoReturn:
        """Always a 403: whoever comes here is known."""
        raise lacking_scope(request, self) if code == "insufficient_scope" else PermissionDenied(message, code)

    def role_for_action(self) -> Role:
        """The least role for what is asked. Raises MethodNotAllowed for a method that is not served here."""
        if self.action not in self.roles:
            raise MethodNotAllowed(str(self.request.method))
        return self.roles[self.action]

    def get_exception_handler(self) -> Any:
        return exception_handler

    def get_object(self) -> Any:
        """The row that ``{id}`` names. Raises NotFound, for another tenant's and a deleted one too."""
        rows: Any = self.get_queryset()
        found = rows.find(self.kwargs["id"])
        if found is None:
            raise NotFound
        self.check_object_permissions(self.request, found)
        return found

    def list(self, request: Request) -> Response:
        page = self.paginate_queryset(self.filter_queryset(self.get_queryset()))
        return self.get_paginated_response(self.get_serializer(page, many=True).data)

    def retrieve(self, request: Request, id: str) -> Response:
        return self.one(self.get_object())

    def body(self, serializer: type[StrictSerializer]) -> dict[str, Any]:
        """What the request's body says. Raises ValidationError with every fault."""
        given = serializer(data=self.request.data)
        given.is_valid(raise_exception=True)
        return dict(given.validated_data)

    def external_id(self) -> uuid.UUID:
        """The id in the path of an upsert, which need not exist. Raises NotFound for what is no UUID."""
        found = as_uuid(self.kwargs["id"])
        if found is None:
            raise NotFound
        return found

    def one(self, row: Any, status: int = 200) -> Response:
        """The envelope of one resource."""
        return Response({"data": self.get_serializer(row).data}, status)
