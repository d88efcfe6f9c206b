"""Mistakes that can be seen at start-up are seen there, each under an id of its own."""

import re
from pathlib import Path

import pytest
from django.core.checks import run_checks
from django.urls import include, path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, viewsets
from rest_framework.parsers import MultiPartParser
from rest_framework.views import APIView

from kobana_mcp import checks, registry
from tests.kobana_mcp.conftest import make_tool


def ids():
    return {message.id for message in run_checks(tags=["kobana_mcp"])}


def test_host_is_in_order(db):
    assert ids() == set()


@pytest.mark.parametrize(
    ("setting", "value", "id"),
    [
        ("NO_SUCH_SETTING", 1, "kobana_mcp.W001"),
        ("BASE_URL", "", "kobana_mcp.E001"),
        ("BASE_URL", "mcp.example.com", "kobana_mcp.E001"),
        ("BASE_URL", "https://example.com/path", "kobana_mcp.E001"),
        ("ALLOWED_ORIGINS", ["https://app.example", "https://*.example"], "kobana_mcp.E005"),
        ("ENDPOINT_PATH", "/elsewhere", "kobana_mcp.E006"),
        ("TENANT_KEY", "inbox.nowhere.at_all", "kobana_mcp.E008"),
        ("BASE_URL", "https://user@example.com", "kobana_mcp.E001"),
        ("RATE_LIMIT_STORAGE", None, "kobana_mcp.E017"),
        ("RATE_LIMIT_STORAGE", "memory", "kobana_mcp.E017"),
        ("RATE_LIMIT_STORAGE", "redsi://localhost", "kobana_mcp.E017"),
        ("RATE_LIMIT_STORAGE", "redis://localhost:port/1", "kobana_mcp.E017"),
        ("RATE_LIMIT_STORAGE", "async+memory://", "kobana_mcp.E017"),
        ("RATE_LIMIT_STORAGE", "mongodb://localhost", "kobana_mcp.E017"),
        ("ENDPOINT_PATH", "mcp", "kobana_mcp.E018"),
        ("ENDPOINT_PATH", "/mcp/", "kobana_mcp.E018"),
        ("ENDPOINT_PATH", "/", "kobana_mcp.E018"),
        ("ENDPOINT_PATH", "/a/../mcp", "kobana_mcp.E018"),
        ("ENDPOINT_PATH", "/mcp?x=1", "kobana_mcp.E018"),
        ("ENDPOINT_PATH", "/m cp", "kobana_mcp.E018"),
        ("ENDPOINT_PATH", None, "kobana_mcp.E018"),
        ("RESOURCES", ["/api"], "kobana_mcp.E019"),
        ("RESOURCES", {"api": {}}, "kobana_mcp.E019"),
        ("RESOURCES", {"/api/": {}}, "kobana_mcp.E019"),
        ("RESOURCES", {"/api": "API"}, "kobana_mcp.E019"),
        ("RESOURCES", {"/api": {"title": "API"}}, "kobana_mcp.E019"),
        ("RESOURCES", {"/api": {"name": 5}}, "kobana_mcp.E019"),
        ("RESOURCES", {"/api": {"scopes": "notes:read"}}, "kobana_mcp.E019"),
        ("RESOURCES", {"/api": {"scopes": ["notes:read notes:write"]}}, "kobana_mcp.E019"),
        ("MAX_BODY_BYTES", 0, "kobana_mcp.E020"),
        ("MAX_RESULT_BYTES", -1, "kobana_mcp.E020"),
        ("PAGE_SIZE", "100", "kobana_mcp.E020"),
        ("PAGE_SIZE", 0, "kobana_mcp.E020"),
        ("CALLS_PER_MINUTE", None, "kobana_mcp.E020"),
        ("REQUESTS_PER_MINUTE", 0.5, "kobana_mcp.E020"),
        ("CONFIRMATION_SECONDS", True, "kobana_mcp.E020"),
        ("TRUSTED_PROXIES", -1, "kobana_mcp.E020"),
        ("AUDIT_RETENTION_DAYS", -1, "kobana_mcp.E020"),
        ("FORWARDED_HEADERS", "Accept-Language", "kobana_mcp.E021"),
        ("FORWARDED_HEADERS", [None], "kobana_mcp.E021"),
        ("FORWARDED_HEADERS", ["X-Request-Id", "authorization"], "kobana_mcp.E023"),
        ("FORWARDED_HEADERS", ["Cookie"], "kobana_mcp.E023"),
    ],
)
def test_wrong_setting_is_found(settings, setting, value, id):
    settings.KOBANA_MCP = {**settings.KOBANA_MCP, setting: value}
    assert ids() == {id}


def test_tool_with_a_scope_nobody_declared_is_found(settings):
    settings.ROOT_URLCONF = "tests.site.urls"
    with registry.tools.temporarily(make_tool("echo", "echo"), alone=True):
        assert ids() == {"kobana_mcp.E002"}


def test_tool_whose_route_or_subject_is_not_there_is_found(settings):
    settings.ROOT_URLCONF = "tests.site.urls"
    scopes = [registry.Scope(name=name, description="-") for name in ("groups:read", "groups:write")]
    lost = make_tool("lost", "nowhere")
    blind = make_tool("blind", "group-detail", "DELETE", destructive=True, subject="nowhere", question="?")
    for tool in (lost, blind):
        read = make_tool("echo", "echo")
        with registry.tools.temporarily(read, tool, alone=True), registry.scopes.temporarily(*scopes, alone=True):
            assert ids() == {"kobana_mcp.E003"}


def test_first_tool_that_changes_something_is_found(settings):
    settings.ROOT_URLCONF = "tests.site.urls"
    scope = registry.Scope(name="groups:write", description="-")
    changing = make_tool("groups_create", "group-list", "POST")
    with registry.tools.temporarily(changing, alone=True), registry.scopes.temporarily(scope, alone=True):
        assert ids() == {"kobana_mcp.W002"}


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("RATE_LIMIT_STORAGE", "redis://user:pass@nobody.invalid:6379/1"),
        ("RATE_LIMIT_STORAGE", "redis+sentinel://a.invalid:26379,b.invalid:26379/mymaster"),
        ("RATE_LIMIT_STORAGE", "redis+cluster://a.invalid:7000,b.invalid:7001"),
        ("RATE_LIMIT_STORAGE", "redis+unix:///run/redis.sock"),
        ("RESOURCES", {}),
        ("RESOURCES", {"/api/v1.0": {"name": "API", "scopes": ("notes:read",)}, "/~x": {}}),
        ("TRUSTED_PROXIES", 0),
        ("AUDIT_RETENTION_DAYS", 0),
        ("FORWARDED_HEADERS", []),
    ],
)
def test_setting_that_can_be_meant_is_none_of_a_check_and_nothing_is_connected_to(
    settings, monkeypatch, setting, value
):
    def connect(*args, **kwargs):
        raise AssertionError("a check connects to nothing")

    monkeypatch.setattr("socket.socket.connect", connect)
    monkeypatch.setattr("socket.getaddrinfo", connect)
    settings.KOBANA_MCP = {**settings.KOBANA_MCP, setting: value}
    assert ids() == set()


def test_password_of_a_storage_is_not_printed(settings):
    settings.KOBANA_MCP = {**settings.KOBANA_MCP, "RATE_LIMIT_STORAGE": "redsi://user:hunter2@localhost"}
    assert not [message for message in run_checks(tags=["kobana_mcp"]) if "hunter2" in message.msg]


def test_that_nothing_is_counted_is_said_before_a_deployment(settings, db):
    settings.KOBANA_MCP = {**settings.KOBANA_MCP, "RATE_LIMIT_STORAGE": ""}
    assert ids() == set()
    assert {each.id for each in run_checks(tags=["kobana_mcp"], include_deployment_checks=True)} == {"kobana_mcp.W003"}


def test_no_id_is_used_twice():
    source = "".join(file.read_text(encoding="utf-8") for file in Path(checks.__file__).parent.glob("*.py"))
    used = re.findall(r"kobana_mcp\.[EW]\d{3}", source)
    assert len(used) == len(set(used)) > 20


def test_middleware_that_is_not_installed_is_found(settings):
    settings.MIDDLEWARE = [name for name in settings.MIDDLEWARE if "Origin" not in name]
    assert ids() == {"kobana_mcp.E007"}


def test_scope_that_implies_an_undeclared_one_and_a_secret_that_is_no_argument_are_found(settings):
    settings.ROOT_URLCONF = "tests.site.urls"
    scope = registry.Scope(name="groups:read", description="-", implies=("groups:nothing",))
    tool = make_tool("echo", "echo", secret_fields=("secrte",))
    with registry.tools.temporarily(tool, alone=True), registry.scopes.temporarily(scope, alone=True):
        assert ids() == {"kobana_mcp.E009", "kobana_mcp.E010"}


class AttachmentSerializer(serializers.Serializer):
    made = serializers.ImageField(read_only=True)
    inner = serializers.ListField(child=serializers.FileField(), required=False)


class UploadSerializer(serializers.Serializer):
    name = serializers.CharField()
    parts = AttachmentSerializer(many=True, required=False)


class PictureSerializer(serializers.Serializer):
    picture = serializers.ImageField(required=False)


class ReadSerializer(serializers.Serializer):
    name = serializers.CharField()
    picture = serializers.ImageField(read_only=True)


class View(APIView):
    authentication_classes = permission_classes = ()

    def post(self, request, **kwargs):
        raise NotImplementedError

    get = delete = post


class Upload(View):
    serializer_class = UploadSerializer


class Picture(View):
    serializer_class = PictureSerializer
    parser_classes = (MultiPartParser,)


class Bytes(View):
    serializer_class = ReadSerializer

    @extend_schema(
        request={"application/json": {"type": "object", "properties": {"data": {"type": "string", "format": "binary"}}}}
    )
    def post(self, request):
        raise NotImplementedError


class Read(View):
    serializer_class = ReadSerializer


class Things(viewsets.ViewSet):
    authentication_classes = permission_classes = ()
    serializer_class = ReadSerializer
    http_method_names = ("get",)

    def create(self, request):
        raise NotImplementedError


urlpatterns = [
    path("", include("kobana_mcp.urls")),
    path("upload", Upload.as_view(), name="upload"),
    path("picture", Picture.as_view(), name="picture"),
    path("bytes", Bytes.as_view(), name="bytes"),
    path("read", Read.as_view(), name="read"),
    path("closed", View.as_view(http_method_names=["get"]), name="closed"),
    path("things", Things.as_view({"post": "create"}), name="things"),
    path("one/<int:pk>", Read.as_view(), name="one"),
    path("other/<int:other>", Read.as_view(), name="other"),
    path("all", Read.as_view(), name="all"),
]
SCOPES = [registry.Scope(name=name, description="-") for name in ("groups:read", "groups:write")]


def found(settings, *tools):
    """What the checks say of these tools, beside one that is right."""
    settings.ROOT_URLCONF = __name__
    first = make_tool("first", "read")
    with registry.tools.temporarily(first, *tools, alone=True), registry.scopes.temporarily(*SCOPES, alone=True):
        return {message.id: message.msg for message in run_checks(tags=["kobana_mcp"])}


@pytest.mark.parametrize(
    ("route", "words"),
    [
        ("upload", "takes a file as 'parts.inner'; files never travel through MCP"),
        ("picture", "takes a file as 'picture'; files never travel through MCP"),
        ("bytes", "takes bytes as 'data'"),
    ],
)
def test_route_that_takes_a_file_is_found_and_told_why(settings, route, words):
    messages = found(settings, make_tool("t", route, "POST"))
    assert list(messages) == ["kobana_mcp.E022"] and words in messages["kobana_mcp.E022"]


def test_route_that_only_answers_the_address_of_a_file_is_none_of_a_check(settings):
    assert found(settings, make_tool("t", "read", "POST")) == {}


@pytest.mark.parametrize("route", ["closed", "things"])
def test_method_that_the_view_closes_is_found(settings, route):
    messages = found(settings, make_tool("t", route, "POST"))
    assert set(messages) >= {"kobana_mcp.E016"}
    assert "lacks POST" in messages["kobana_mcp.E016"]


def destroying(route, **facts):
    return make_tool("t", route, "DELETE", destructive=True, question="Delete it?", **facts)


def test_subject_that_needs_what_the_call_has_not_is_found(settings):
    assert set(found(settings, destroying("one", subject="other"))) == {"kobana_mcp.E014"}
    assert found(settings, destroying("one", subject="one")) == {}
    assert found(settings, destroying("one", subject="all")) == {}


def test_destructive_tool_of_an_object_nobody_could_name_is_found(settings):
    assert set(found(settings, destroying("one"))) == {"kobana_mcp.E015"}
    assert found(settings, destroying("all")) == {}


OBJECT = {"type": "object", "properties": {}}


def own_tool(schema=OBJECT, **facts):
    base = {"title": "T", "description": "T", "scope": "", "read_only": True, "destructive": False, "idempotent": True}
    return registry.Tool(name="t", run=lambda *args: {}, input_schema=schema, **{**base, **facts})


@pytest.mark.parametrize(
    ("tool", "id"),
    [
        (own_tool({"type": "array"}), "kobana_mcp.E011"),
        (own_tool(output_schema={"type": "string"}), "kobana_mcp.E011"),
        (own_tool({**OBJECT, "properties": {"a": {"$ref": "https://x.example/y"}}}), "kobana_mcp.E012"),
        (own_tool({**OBJECT, "properties": {"a": {"type": "number", "x-mcp-header": "A"}}}), "kobana_mcp.E013"),
        (own_tool(secret_fields=("password",)), "kobana_mcp.E010"),
    ],
)
def test_tool_that_brings_a_schema_nobody_can_use_is_found(settings, tool, id):
    assert set(found(settings, tool)) == {id}
