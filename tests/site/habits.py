"""Views whose doorkeepers look at more of a request than its person, and other habits; with a URLconf of their own."""

import functools
from typing import ClassVar

from django.contrib.auth.models import Group
from django.urls import include, path, re_path
from oauth2_provider.contrib.rest_framework import IsAuthenticatedOrTokenHasScope, OAuth2Authentication
from rest_framework import permissions, renderers, serializers, throttling, versioning
from rest_framework.generics import GenericAPIView
from rest_framework.response import Response
from rest_framework.schemas.openapi import AutoSchema as OtherSchema
from rest_framework.views import APIView


class NoteSerializer(serializers.Serializer):
    owner = serializers.CharField(help_text="Whose note it is.")
    detail = serializers.CharField(max_length=5, required=False, help_text="What it says.")
    weight = serializers.DecimalField(20, 2, required=False, coerce_to_string=False, help_text="How heavy it is.")
    marks = serializers.ListField(child=serializers.IntegerField(), required=False, help_text="What it got.")


class Habit(GenericAPIView):
    schema = OtherSchema()
    authentication_classes = (OAuth2Authentication,)
    permission_classes = (permissions.IsAuthenticated,)
    serializer_class = NoteSerializer
    pagination_class = None

    def get(self, request, **kwargs):
        return Response({"kwargs": kwargs, "version": request.version})

    def post(self, request, **kwargs):
        given = self.get_serializer(data=request.data)
        given.is_valid(raise_exception=True)
        return Response(dict(given.validated_data), 201)


class InTeam(permissions.BasePermission):
    """Looks at the path: members of the team it names come in."""

    def has_permission(self, request, view):
        return request.user.groups.filter(pk=view.kwargs.get("team")).exists()


class InTeamOfMatch(permissions.BasePermission):
    def has_permission(self, request, view):
        return request.user.groups.filter(pk=request.resolver_match.kwargs.get("team")).exists()


class OwnNotes(permissions.BasePermission):
    """Looks at the body: a person writes notes of his own."""

    def has_permission(self, request, view):
        return request.method != "POST" or request.data.get("owner") == request.user.get_username()


class TeamNotes(Habit):
    permission_classes = (InTeam,)


class TeamNotesOfMatch(Habit):
    permission_classes = (InTeamOfMatch,)


class PersonalNotes(Habit):
    permission_classes = (permissions.IsAuthenticated, OwnNotes)


class TokenNotes(Habit):
    permission_classes = (IsAuthenticatedOrTokenHasScope,)
    required_scopes: ClassVar[list[str]] = ["groups:read"]


class Once(throttling.UserRateThrottle):
    rate = "1/day"


class Team(Habit):
    """One group: shown with a field called ``data``, and deleted once a day."""

    queryset = Group.objects.order_by("id")

    def get(self, request, pk):
        group = self.get_object()
        return Response({"id": group.pk, "name": group.name, "data": {"name": "harmless"}})

    def delete(self, request, pk):
        self.get_object().delete()
        return Response(status=204)

    def get_throttles(self):
        return [Once()] if self.request.method == "DELETE" else []


class Marked(Team):
    """Needs what a decorator of its URL pattern leaves on the request, before it looks at anything else."""

    def initial(self, request, *args, **kwargs):
        super().initial(request, *args, **kwargs)
        self.mark = request.mark

    def get_throttles(self):
        return []


def marked(view):
    @functools.wraps(view)
    def inner(request, *args, **kwargs):
        request.mark = "seen"
        return view(request, *args, **kwargs)

    return inner


class ByName(Habit):
    versioning_class = versioning.NamespaceVersioning


class ByAccept(Habit):
    class Versions(versioning.AcceptHeaderVersioning):
        default_version = "1.0"

    versioning_class = Versions


class Browsable(Habit):
    renderer_classes = (renderers.BrowsableAPIRenderer, renderers.JSONRenderer)


class Own(renderers.JSONRenderer):
    media_type = "application/vnd.kobana+json"


class OwnKind(Habit):
    renderer_classes = (Own,)


class Verbose(Habit):
    """Answers a change at a length no tool hands on."""

    made: ClassVar[list[str]] = []

    def post(self, request, **kwargs):
        self.made.append(request.data["owner"])
        return Response({"echo": "x" * 300_000}, 201)


class Anybody(APIView):
    """Knows nobody: there is no authentication class."""

    schema = OtherSchema()
    authentication_classes = ()
    permission_classes = ()

    def get(self, request):
        return Response({"person": request.user.get_username(), "knows": request.auth is not None})


class Breaks(Habit):
    """Breaks down in the way it is told to."""

    errors: ClassVar[dict[str, type[BaseException]]] = {}

    def get(self, request, way):
        raise self.errors[way]("secret-of-the-server")


class Who(Habit):
    """Says whose request it is, as seen from everywhere."""

    def get(self, request, word):
        seen = (request.user, request._request.user, request.auth.user)
        return Response({"word": word, "people": [person.get_username() for person in seen]})


urlpatterns = [
    path("", include("kobana_mcp.urls")),
    path("teams/<int:team>/notes", TeamNotes.as_view(), name="team-notes"),
    path("matched/<int:team>/notes", TeamNotesOfMatch.as_view(), name="team-notes-of-match"),
    path("notes", PersonalNotes.as_view(), name="notes"),
    path("notes/plain", Habit.as_view(), name="plain-notes"),
    path("notes/token", TokenNotes.as_view(), name="token-notes"),
    path("teams/<int:pk>", Team.as_view(), name="team"),
    path("marked/<int:pk>", marked(Marked.as_view()), name="marked"),
    path("first/", include(([path("it", ByName.as_view(), name="it")], "first"), namespace="first")),
    path("second/", include(([path("it", ByName.as_view(), name="it")], "second"), namespace="second")),
    path("accept", ByAccept.as_view(), name="accept"),
    path("browsable", Browsable.as_view(), name="browsable"),
    path("own-kind", OwnKind.as_view(), name="own-kind"),
    path("verbose", Verbose.as_view(), name="verbose"),
    path("anybody", Anybody.as_view(), name="anybody"),
    path("breaks/<str:way>", Breaks.as_view(), name="breaks"),
    path("who/<str:word>", Who.as_view(), name="who"),
    re_path(r"^unnamed/([0-9]+)$", Habit.as_view(), name="unnamed"),
    re_path(r"^years/(?P<year>[0-9]{4})$", Habit.as_view(), name="years"),
]
