"""What stands in front of the endpoint: body limit, Origin and CORS, rate-limit headers, the dress of every answer."""

import json
from io import BytesIO
from tempfile import SpooledTemporaryFile
from types import SimpleNamespace

import pytest
from django.core.handlers.asgi import ASGIRequest
from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpResponse
from django.test import RequestFactory

from kobana_mcp import wire
from kobana_mcp.middleware import BodyLimitMiddleware, OriginMiddleware, RateLimitHeadersMiddleware, is_listed
from kobana_mcp.protocol.errors import MethodNotAllowed, UnsupportedProtocolVersion

LISTED = "https://app.example.test"
ORIGINS = (
    LISTED,
    "https://desk.example.test",
    "http://[::1]:3000",
    "http://localhost:5173",
    "https://bad.example.test/path",
    "*",
)
LIMIT = 100

REACHED = []


def view(request):
    """Stands for everything behind the middleware; notes the body it was given."""
    REACHED.append(request.body)
    return HttpResponse(b"{}", content_type="application/json")


@pytest.fixture(autouse=True)
def _settings(settings):
    REACHED.clear()
    settings.KOBANA_MCP = {"ENDPOINT_PATH": "/mcp", "ALLOWED_ORIGINS": list(ORIGINS), "MAX_BODY_BYTES": LIMIT}


class Stream(BytesIO):
    """A server's input that counts what was taken, and may break off."""

    def __init__(self, content=b"", error=None):
        super().__init__(content)
        self.error = error
        self.taken = 0

    def read(self, size=-1):
        if self.error is not None:
            raise self.error
        data = super().read(size)
        self.taken += len(data)
        return data


class Waiting(Stream):
    """A socket kept alive: to read from it is to wait for ever."""

    def read(self, size=-1):
        raise AssertionError("read a socket that has nothing to say")


def environ(stream, **more):
    base = RequestFactory()._base_environ(REQUEST_METHOD="POST", PATH_INFO="/mcp", CONTENT_TYPE="application/json")
    return {**base, "wsgi.input": stream, **more}


def through(middleware, request, get_response=view):
    return middleware(get_response)(request)


def limited(stream, **more):
    return through(BodyLimitMiddleware, WSGIRequest(environ(stream, **more)))


def origin(value, method="POST", **more):
    sent = {} if value is None else {"HTTP_ORIGIN": value}
    return through(OriginMiddleware, RequestFactory().generic(method, "/mcp", **sent, **more))


def error_of(response):
    assert response["Content-Type"] == "application/json"
    payload = json.loads(response.content)
    assert "id" not in payload
    return payload["error"]


# The body limit


def test_body_at_the_limit_reaches_the_view_whole_bl_01():
    assert limited(Stream(b"x" * LIMIT), CONTENT_LENGTH=str(LIMIT)).status_code == 200
    assert REACHED == [b"x" * LIMIT]


@pytest.mark.parametrize("length", [str(LIMIT + 1), "5000000", "9" * 5000])
def test_declared_length_over_the_limit_is_refused_without_reading_bl_01(length):
    stream = Stream(b"x" * (LIMIT + 1))
    response = limited(stream, CONTENT_LENGTH=length)
    assert (response.status_code, error_of(response)["code"]) == (413, -32600)
    assert str(LIMIT) in error_of(response)["message"]
    assert (stream.taken, REACHED) == (0, [])


@pytest.mark.parametrize("django_limit", [1, 10 * LIMIT, None])
@pytest.mark.parametrize(("size", "status"), [(LIMIT, 200), (LIMIT + 1, 413)])
def test_limit_is_our_own_and_not_django_s_bl_01(settings, django_limit, size, status):
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = django_limit
    assert limited(Stream(b"x" * size), CONTENT_LENGTH=str(size)).status_code == status


def test_chunked_body_that_django_takes_for_empty_is_read_t_07():
    terminated = {"HTTP_TRANSFER_ENCODING": "chunked", "wsgi.input_terminated": True}
    assert WSGIRequest(environ(Stream(b"{}"), **terminated)).body == b""
    assert limited(Stream(b"{}"), **terminated).status_code == 200
    assert REACHED == [b"{}"]


def test_chunked_body_is_counted_while_it_is_read_t_07():
    stream = Stream(b"x" * 10 * LIMIT)
    response = limited(stream, **{"HTTP_TRANSFER_ENCODING": "chunked", "wsgi.input_terminated": True})
    assert (response.status_code, stream.taken, REACHED) == (413, LIMIT + 1, [])


def test_chunked_body_without_an_end_is_asked_for_with_a_length_t_07():
    response = limited(Waiting(), HTTP_TRANSFER_ENCODING="chunked")
    assert (response.status_code, error_of(response)["code"]) == (411, 411)


def test_socket_without_a_body_is_never_waited_for():
    assert limited(Waiting()).status_code == 200
    assert REACHED == [b""]


@pytest.mark.parametrize("length", ["", "abc", "-5", "1.5", "\u0661\u0662", "+3", "\u00b2"])
def test_length_that_is_no_number_does_not_crash(length):
    assert limited(Stream(), CONTENT_LENGTH=length).status_code == 200


@pytest.mark.parametrize("error", [OSError("reset"), ConnectionResetError(), RuntimeError("bad trailer")])
def test_client_that_breaks_off_is_refused_and_not_a_crash(error):
    response = limited(Stream(error=error), CONTENT_LENGTH="10")
    assert (response.status_code, error_of(response)["code"]) == (400, -32700)


def test_body_shorter_than_declared_is_not_served():
    response = limited(Stream(b"{}"), CONTENT_LENGTH="10")
    assert (response.status_code, error_of(response)["code"], REACHED) == (400, -32700, [])


def test_body_under_asgi_is_read_and_limited_alike():
    for size, status in ((LIMIT, 200), (LIMIT + 1, 413)):
        with SpooledTemporaryFile() as body:
            body.write(b"x" * size)
            body.seek(0)
            scope = {"path": "/mcp", "method": "POST", "headers": [(b"transfer-encoding", b"chunked")]}
            assert through(BodyLimitMiddleware, ASGIRequest(scope, body)).status_code == status
    assert REACHED == [b"x" * LIMIT]


def test_body_can_still_be_read_as_a_stream():
    seen = []

    def reader(request):
        seen.append(request.read())
        return HttpResponse()

    request = WSGIRequest(environ(Stream(b"{}"), CONTENT_LENGTH="2"))
    assert through(BodyLimitMiddleware, request, reader).status_code == 200
    assert seen == [b"{}"]


# Origin and CORS


@pytest.mark.parametrize(
    ("value", "status"),
    [
        (None, 200),
        (LISTED, 200),
        ("HTTPS://APP.EXAMPLE.TEST", 200),
        ("https://app.example.test:443", 200),
        ("http://[::1]:3000", 200),
        ("http://localhost:5173", 200),
        ("", 403),
        ("null", 403),
        ("*", 403),
        ("https://evil.test", 403),
        ("http://[0:0:0:0:0:0:0:1]:3000", 403),
        ("https://app.example.test.", 403),
        ("https://app.example.test.evil.test", 403),
        ("https://app.example.test@evil.test", 403),
        ("https://evil.test@app.example.test", 403),
        ("https://app.example.test/", 403),
        ("https://app.example.test?x", 403),
        ("https://app.example.test:", 403),
        ("https://app.example.test:80", 403),
        ("https://app.example.test\n", 403),
        ("http://app.example.test", 403),
        ("http://app.example.test:443", 403),
        ("app.example.test", 403),
        ("http://localhost:5174", 403),
        ("http://localhost", 403),
        (f"{LISTED},{LISTED}", 403),
        (f"{LISTED} https://evil.test", 403),
        ("https://bad.example.test/path", 403),
        ("https://bad.example.test", 403),
        ("https://des\u212a.example.test", 403),
    ],
)
@pytest.mark.parametrize("method", ["POST", "GET", "HEAD", "DELETE"])
def test_only_listed_origins_are_served_or_01_or_03(value, status, method):
    response = origin(value, method)
    assert response.status_code == status
    assert bool(REACHED) == (status == 200)
    assert response["Vary"] == "Origin"
    assert response.get("Access-Control-Allow-Origin") == (value if status == 200 else None)


def test_refused_origin_gets_a_json_rpc_error_without_id_or_01():
    assert error_of(origin("https://evil.test")) == {"code": 403, "message": "Origin not allowed"}


def test_origin_that_equals_the_host_of_the_request_is_not_thereby_listed_or_02():
    assert origin("http://evil.test", HTTP_HOST="evil.test").status_code == 403


def test_empty_allow_list_serves_those_without_origin_only(settings):
    settings.KOBANA_MCP = {"ALLOWED_ORIGINS": []}
    assert [origin(None).status_code, origin(LISTED).status_code] == [200, 403]


def test_changed_allow_list_holds_at_once(settings):
    assert not is_listed("https://other.example.test")
    settings.KOBANA_MCP = {"ALLOWED_ORIGINS": ["https://Other.example.test:443"]}
    assert is_listed("https://other.example.test")
    assert not is_listed(LISTED)


def preflight(value, asked="authorization, content-type, mcp-protocol-version, mcp-method, mcp-name"):
    return origin(
        value,
        "OPTIONS",
        HTTP_ACCESS_CONTROL_REQUEST_METHOD="POST",
        HTTP_ACCESS_CONTROL_REQUEST_HEADERS=asked,
    )


def names(response, header):
    return {name.strip().lower() for name in response[header].split(",")}


def test_preflight_is_answered_without_a_token_or_05():
    response = preflight(LISTED)
    assert (response.status_code, response.content, REACHED) == (204, b"", [])
    assert response["Access-Control-Allow-Origin"] == LISTED
    assert "post" in names(response, "Access-Control-Allow-Methods")
    assert names(response, "Access-Control-Allow-Headers") == {
        "authorization",
        "content-type",
        "accept",
        "accept-language",
        "mcp-protocol-version",
        "mcp-method",
        "mcp-name",
        "x-workspace-id",
        "mcp-session-id",
        "last-event-id",
    }
    assert int(response["Access-Control-Max-Age"]) > 0
    assert response["Vary"] == "Origin"
    assert "Access-Control-Allow-Credentials" not in response


@pytest.mark.parametrize(
    ("asked", "echoed"),
    [
        ("mcp-param-region, Mcp-Param-Tenant_1", {"mcp-param-region", "mcp-param-tenant_1"}),
        ("mcp-param-, x-mcp-param-region, mcp-param-a b, mcp-param-a:b, mcp-param-é", set()),
        ("mcp-param-a\r\nX-Evil: 1", set()),
        ("cookie", set()),
        ("", set()),
    ],
)
def test_preflight_allows_the_parameter_headers_it_was_asked_for_or_05(asked, echoed):
    usual = names(preflight(LISTED), "Access-Control-Allow-Headers")
    assert names(preflight(LISTED, asked), "Access-Control-Allow-Headers") - usual == echoed


def test_preflight_from_an_unlisted_origin_is_refused_or_05():
    response = preflight("https://evil.test")
    assert response.status_code == 403
    assert not [name for name in response.headers if name.startswith("Access-Control")]


def test_options_without_origin_is_told_the_methods():
    response = origin(None, "OPTIONS")
    assert (response.status_code, response["Allow"], REACHED) == (204, "POST, OPTIONS", [])
    assert not [name for name in response.headers if name.startswith("Access-Control")]


def test_what_a_page_may_read_is_exposed_without_credentials():
    response = origin(LISTED)
    assert names(response, "Access-Control-Expose-Headers") == {
        "www-authenticate",
        "mcp-protocol-version",
        "x-ratelimit-limit",
        "x-ratelimit-remaining",
        "x-ratelimit-reset",
        "retry-after",
    }
    assert "Access-Control-Allow-Credentials" not in response


def test_too_large_a_body_is_told_to_a_listed_page_too_v_10():
    response = limited(Stream(), CONTENT_LENGTH=str(LIMIT + 1), HTTP_ORIGIN=LISTED)
    assert (response.status_code, response["Access-Control-Allow-Origin"]) == (413, LISTED)


def test_body_limit_comes_before_origin():
    chain = BodyLimitMiddleware(OriginMiddleware(view))
    too_large = WSGIRequest(environ(Stream(), CONTENT_LENGTH=str(LIMIT + 1), HTTP_ORIGIN="https://evil.test"))
    small = WSGIRequest(environ(Stream(b"{}"), CONTENT_LENGTH="2", HTTP_ORIGIN="https://evil.test"))
    assert [chain(too_large).status_code, chain(small).status_code] == [413, 403]


# Every answer

ALL = (BodyLimitMiddleware, OriginMiddleware, RateLimitHeadersMiddleware)


@pytest.mark.parametrize("middleware", ALL)
@pytest.mark.parametrize("status", [200, 202, 404, 500])
@pytest.mark.parametrize("path", ["/mcp", "/mcp/"])
def test_every_answer_of_the_endpoint_is_never_stored(middleware, status, path):
    def somebody(request):
        return HttpResponse("x", status=status, headers={"Cache-Control": "max-age=60", "Vary": "Accept-Language"})

    response = through(middleware, RequestFactory().post(path, HTTP_ORIGIN=LISTED), somebody)
    assert (response.status_code, response["Cache-Control"]) == (status, "no-store")
    assert response["Vary"] == "Accept-Language, Origin"
    assert response["Access-Control-Allow-Origin"] == LISTED


@pytest.mark.parametrize("status", [400, 403, 404, 500, 503])
def test_page_of_html_about_an_error_is_told_in_json(status):
    def somebody(request):
        return HttpResponse("<h1>", status=status, headers={"Retry-After": "7", "Content-Language": "en"})

    response = through(BodyLimitMiddleware, RequestFactory().post("/mcp"), somebody)
    assert (response.status_code, error_of(response)["code"]) == (status, status)
    assert response["Retry-After"] == "7"
    assert "Content-Language" not in response


@pytest.mark.parametrize("middleware", ALL)
@pytest.mark.parametrize("path", ["/", "/mcp//", "/mcp/x", "/mcpx", "/MCP", "/api/v1/emails", "/x/mcp"])
def test_other_paths_are_left_alone(middleware, path):
    plain = HttpResponse(b"body")
    request = RequestFactory().options(path, HTTP_ORIGIN="https://evil.test", CONTENT_LENGTH="5000")
    assert through(middleware, request, lambda request: plain) is plain
    assert set(plain.headers) == {"Content-Type"}


@pytest.mark.parametrize(("configured", "path"), [("/mcp/", "/mcp"), ("/a/mcp", "/a/mcp/"), ("/", "/")])
def test_path_is_a_setting_with_or_without_its_slash(settings, configured, path):
    settings.KOBANA_MCP = {"ENDPOINT_PATH": configured}
    response = through(OriginMiddleware, RequestFactory().post(path, HTTP_ORIGIN="https://evil.test"))
    assert response.status_code == 403


@pytest.mark.parametrize("middleware", ALL)
@pytest.mark.parametrize(("text", "length"), [("", "0"), ("Füße 日本 😀", "18")])
def test_length_is_the_number_of_octets_jr_18(middleware, text, length):
    response = through(middleware, RequestFactory().post("/mcp"), lambda request: HttpResponse(text))
    assert response["Content-Length"] == length == str(len(text.encode()))


def test_refusal_has_its_length_and_a_preflight_has_none_jr_18():
    refused = origin("https://evil.test")
    assert refused["Content-Length"] == str(len(refused.content))
    assert "Content-Length" not in preflight(LISTED)


@pytest.mark.parametrize("middleware", ALL)
def test_head_has_the_headers_and_no_body(middleware):
    response = through(middleware, RequestFactory().head("/mcp"), lambda request: wire.refuse(MethodNotAllowed()))
    assert (response.status_code, response.content, response["Allow"]) == (405, b"", "POST, OPTIONS")
    assert response["Content-Length"] == str(len(wire.refuse(MethodNotAllowed()).content))


def test_budget_left_by_the_view_is_told():
    def rated(request):
        request.mcp_budget = SimpleNamespace(limit=120, remaining=0, reset=1790000000)
        return HttpResponse(status=429)

    response = through(RateLimitHeadersMiddleware, RequestFactory().post("/mcp"), rated)
    told = {name: value for name, value in response.headers.items() if name.startswith("X-RateLimit")}
    assert told == {"X-RateLimit-Limit": "120", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1790000000"}


def test_caller_without_budget_is_told_of_none():
    response = through(RateLimitHeadersMiddleware, RequestFactory().post("/mcp"))
    assert not [name for name in response.headers if name.startswith("X-RateLimit")]


# The wire


def test_refusal_carries_the_error_and_its_headers():
    response = wire.refuse(MethodNotAllowed(), request_id=0)
    assert (response.status_code, response["Allow"]) == (405, "POST, OPTIONS")
    assert json.loads(response.content) == {
        "jsonrpc": "2.0",
        "id": 0,
        "error": {"code": 405, "message": "Only POST is served here"},
    }


def test_refusal_takes_the_status_of_the_era_where_it_has_one():
    error = UnsupportedProtocolVersion("1999-01-01", ("2026-07-28",))
    assert [wire.refuse(error).status_code, wire.refuse(error, status=200).status_code] == [400, 200]


def test_answer_is_one_line_of_json_that_is_not_stored():
    response = wire.answer({"text": "a\nb ü"}, headers={"MCP-Protocol-Version": "2025-06-18"})
    assert response.content == '{"text": "a\\nb ü"}'.encode()
    assert response["Content-Type"] == "application/json"
    assert response["Cache-Control"] == "no-store"
    assert response["MCP-Protocol-Version"] == "2025-06-18"


def test_empty_answer_has_neither_body_nor_media_type():
    response = wire.answer(None, status=202)
    assert (response.status_code, response.content) == (202, b"")
    assert "Content-Type" not in response
