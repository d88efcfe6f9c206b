"""A small REST API with the habits of other hosts: DOT's permissions, transactions, links, odd paths and crashes."""

from django.contrib.auth.models import Group
from django.db import transaction
from django.http import HttpResponse
from oauth2_provider.contrib.rest_framework import IsAuthenticatedOrTokenHasScope, OAuth2Authentication
from rest_framework import pagination, permissions, serializers, status, viewsets
from rest_framework.authentication import SessionAuthentication
from rest_framework.decorators import action
from rest_framework.response import Response
from rest_framework.schemas.openapi import AutoSchema as OtherSchema
from rest_framework.throttling import UserRateThrottle
from rest_framework.views import APIView

COMMITTED: list[str] = []


class GroupSerializer(serializers.HyperlinkedModelSerializer):
    class Meta:
        model = Group
        fields = ("url", "id", "name")
        extra_kwargs = {"url": {"view_name": "group-detail"}}  # noqa: RUF012


class Pages(pagination.PageNumberPagination):
    page_size = 2


class NobodyChangesStaff(permissions.BasePermission):
    """Depends on the method, and on the object."""

    def has_permission(self, request, view):
        return request.method != "PUT"

    def has_object_permission(self, request, view, obj):
        return request.method == "GET" or obj.name != "staff"


class GroupViewSet(viewsets.ModelViewSet):
    schema = OtherSchema()
    authentication_classes = (SessionAuthentication, OAuth2Authentication)
    permission_classes = (IsAuthenticatedOrTokenHasScope, NobodyChangesStaff)
    required_scopes = ("groups:read",)
    queryset = Group.objects.order_by("id")
    serializer_class = GroupSerializer
    pagination_class = Pages
    renderer_classes = (*viewsets.ModelViewSet.renderer_classes,)

    def perform_create(self, serializer):
        """Writes, promises a mail, and then breaks down for one name and refuses another."""
        group = serializer.save()
        transaction.on_commit(lambda: COMMITTED.append(group.name))
        if group.name == "refused":
            raise serializers.ValidationError({"name": ["not this one"]})
        if group.name == "crash":
            raise ZeroDivisionError("secret detail")

    @action(detail=True, methods=["post"], serializer_class=serializers.Serializer)
    def empty(self, request, pk=None):
        self.get_object()
        return Response(status=status.HTTP_202_ACCEPTED)


class EchoSerializer(serializers.Serializer):
    word = serializers.CharField()


class Echo(APIView):
    """What the view sees of its request."""

    schema = OtherSchema()
    authentication_classes = (OAuth2Authentication,)
    permission_classes = (permissions.IsAuthenticated,)
    serializer_class = EchoSerializer

    def get(self, request, word="", **kwargs):
        return Response(
            {
                "word": word,
                "path": request.path,
                "full_path": request.get_full_path(),
                "absolute": request.build_absolute_uri(),
                "authorization": request.headers.get("Authorization"),
                "cookie": request.headers.get("Cookie"),
                "language": request.headers.get("Accept-Language"),
                "authenticator": type(request.successful_authenticator).__name__,
                "user": request.user.get_username(),
                "django_user": request._request.user.get_username(),
                "view_name": request.resolver_match.view_name,
                "decorated": getattr(request, "decorated", False),
            }
        )


class Slow(Echo):
    """Its own throttle refuses every second call."""

    class Once(UserRateThrottle):
        rate = "1/day"

    throttle_classes = (Once,)


class Premium(viewsets.ModelViewSet):
    """Cannot be described: its serializer depends on who asks."""

    authentication_classes = (OAuth2Authentication,)
    permission_classes = (permissions.IsAuthenticated,)
    queryset = Group.objects.none()

    def get_serializer_class(self):
        return GroupSerializer if self.request.user.is_premium else EchoSerializer


class Page(APIView):
    """Answers no JSON."""

    permission_classes = ()
    authentication_classes = ()

    def get(self, request):
        return HttpResponse("<p>", content_type="text/html")


def decorated(view):
    def inner(request, *args, **kwargs):
        request.decorated = True
        return view(request, *args, **kwargs)

    inner.__dict__.update(view.__dict__)
    return inner
