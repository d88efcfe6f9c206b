"""A view set with every habit that a bridge can lose: what it answers depends on all of its request."""

from typing import ClassVar

import django_filters
from django.contrib.auth.models import Group
from django_filters.rest_framework import DjangoFilterBackend
from oauth2_provider.contrib.rest_framework import OAuth2Authentication, TokenHasScope
from rest_framework import filters, pagination, permissions, serializers, throttling, versioning, viewsets
from rest_framework.decorators import action
from rest_framework.exceptions import PermissionDenied
from rest_framework.response import Response
from rest_framework.schemas.openapi import AutoSchema as OtherSchema
from rest_framework.views import APIView, exception_handler


class SizeSerializer(serializers.Serializer):
    width = serializers.IntegerField(min_value=1, max_value=500, help_text="Width in millimetres.")
    height = serializers.IntegerField(min_value=1, help_text="Height in millimetres.")


class ThingSerializer(serializers.HyperlinkedModelSerializer):
    url = serializers.HyperlinkedIdentityField(view_name="things:thing-detail")
    state = serializers.ChoiceField(choices=["draft", "live"], write_only=True, help_text="Whether it is published.")
    size = SizeSerializer(required=False, write_only=True)
    labels = serializers.ListField(
        child=serializers.CharField(max_length=10), max_length=3, required=False, write_only=True
    )
    weight = serializers.DecimalField(6, 2, required=False, write_only=True, min_value=0)

    class Meta:
        model = Group
        fields = ("url", "id", "name", "state", "size", "labels", "weight")

    def create(self, validated_data):
        return Group.objects.create(name=validated_data["name"])


class NoteSerializer(serializers.Serializer):
    note = serializers.CharField(max_length=20, help_text="What to say.")


class DeletingIsForStaff(permissions.BasePermission):
    message = "deleting things is for staff"

    def has_permission(self, request, view):
        return request.method != "DELETE" or request.user.is_staff

    def has_object_permission(self, request, view, obj):
        return obj.name != "forbidden"


class Twice(throttling.UserRateThrottle):
    rate = "2/min"

    def get_cache_key(self, request, view):
        return f"twice-{request.user.pk}-{view.action}"


class Pages(pagination.PageNumberPagination):
    page_size = 2
    page_size_query_param = "size"
    max_page_size = 5


class ThingFilter(django_filters.FilterSet):
    longer = django_filters.NumberFilter(method="by_length", help_text="Only names longer than this.")

    def by_length(self, queryset, name, value):
        return queryset.filter(name__regex=f".{{{int(value) + 1},}}")


def handler(exc, context):
    """The host's own words for a throttle."""
    response = exception_handler(exc, context)
    if response is not None and response.status_code == 429:
        response.data = {"error": {"code": "slow_down", "message": f"Wait {int(exc.wait)} seconds."}}
    return response


class ThingViewSet(viewsets.ModelViewSet):
    schema = OtherSchema()
    authentication_classes = (OAuth2Authentication,)
    permission_classes = (permissions.IsAuthenticated, DeletingIsForStaff)
    queryset = Group.objects.order_by("id")
    serializer_class = ThingSerializer
    pagination_class = Pages
    versioning_class = versioning.URLPathVersioning
    filter_backends = (DjangoFilterBackend, filters.SearchFilter, filters.OrderingFilter)
    filterset_class = ThingFilter
    search_fields = ("name",)
    ordering_fields = ("id", "name")

    def initial(self, request, *args, **kwargs):
        super().initial(request, *args, **kwargs)
        request.tenant = "acme"

    def get_throttles(self):
        return [Twice()] if self.action == "stats" else []

    def get_serializer_class(self):
        return NoteSerializer if self.action == "publish" else ThingSerializer

    def get_exception_handler(self):
        return handler

    @action(detail=True, methods=["post"])
    def publish(self, request, version=None, pk=None):
        given = self.get_serializer(data=request.data)
        given.is_valid(raise_exception=True)
        return Response(
            {
                "published": self.get_object().pk,
                "note": given.validated_data["note"],
                "tenant": request.tenant,
                "version": request.version,
                "method": request.method,
                "path": request.get_full_path(),
                "user": request.user.get_username(),
                "uri": request.build_absolute_uri("/x"),
                "media_type": request.accepted_media_type,
                "kwargs": self.kwargs,
            }
        )

    @action(detail=False, methods=["get"])
    def stats(self, request, version=None):
        return Response({"count": self.get_queryset().count(), "tenant": request.tenant, "path": request.path})

    @action(detail=True, methods=["get"], url_path=r"parts/(?P<part>[0-9]+)")
    def part(self, request, version=None, pk=None, part=None):
        if part == "13":
            raise PermissionDenied("not that part")
        return Response({"pk": pk, "part": part})


class Ruled(ThingViewSet):
    """By the permissions of Django's own models."""

    permission_classes = (permissions.DjangoModelPermissions,)


class Hello(APIView):
    schema = OtherSchema()
    authentication_classes = (OAuth2Authentication,)
    permission_classes = (permissions.IsAuthenticated,)

    def get(self, request):
        return Response({"hello": request.user.get_username(), "decorated": request.decorated})


class Scoped(APIView):
    """DOT's own permission class, which looks for a token."""

    schema = OtherSchema()
    authentication_classes = (OAuth2Authentication,)
    permission_classes = (TokenHasScope,)
    required_scopes: ClassVar[list[str]] = ["groups:read"]

    def get(self, request):
        return Response({"scopes": sorted(request.auth.scope.split())})
