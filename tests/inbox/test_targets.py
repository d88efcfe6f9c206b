"""Where webhooks may go: nowhere but to the public internet, however an address is written."""

import json

import pytest

from inbox.models import Webhook
from inbox.targets import LONGEST, BadTarget, check

PUBLIC = [
    "https://hooks.example.com",
    "https://hooks.example.com:8443/in?a=b%20c#d",
    "HTTPS://Hooks.Example.COM./in",
    "https://xn--bcher-kva.example/in",
    "https://my_host.example.com/",
    "https://8.8.8.8/in",
    "https://[2606:4700:4700::1111]/in",
    "https://localhost.example.com/",
    "https://10.example.com/",
    "https://a.example.com/" + "x" * (LONGEST - 22),
]
INSIDE = [
    *("https://localhost", "https://LOCALHOST./", "https://a.localhost/", "https://printer.local", "https://intranet"),
    *("https://metadata.google.internal/", "https://router.home.arpa/", "https://db/", "https://db:5432/"),
    *("https://127.0.0.1/", "https://127.0.0.1./", "https://127.1.2.3:80/", "https://10.0.0.1", "https://172.16.0.1"),
    *("https://192.168.1.1", "https://169.254.169.254/latest/meta-data", "https://0.0.0.0/", "https://100.64.0.1"),
    *("https://224.0.0.1", "https://255.255.255.255", "https://240.0.0.1", "https://192.0.2.1", "https://198.18.0.1"),
    # The same addresses as numbers that resolvers and browsers read too.
    *("https://2130706433/", "https://0x7f000001/", "https://0x7f.0.0.1", "https://0177.0.0.1", "https://127.1"),
    *("https://017700000001", "https://127.0.0.01", "https://0x", "https://1.2.3.4.5", "https://example.0x7f"),
    *(
        "https://[::1]/",
        "https://[::]/",
        "https://[::ffff:127.0.0.1]/",
        "https://[::ffff:8.8.8.8]",
        "https://[fe80::1]",
    ),
    *("https://[fc00::1]", "https://[fec0::1]", "https://[ff02::1]", "https://[64:ff9b::7f00:1]", "https://[::7f00:1]"),
    *("https://[2002:7f00:1::]", "https://[2001:0:7f00:1::]", "https://[2001:db8::1]", "https://[fe80::1%25eth0]"),
]
UNREADABLE = [
    *("", "nope", "https://", "https:///path", "//hooks.example.com", "https:hooks.example.com", "https://?a"),
    *(
        "http://hooks.example.com",
        "ftp://hooks.example.com",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "gopher://a.b",
    ),
    *(
        "https://user@hooks.example.com",
        "https://user:pw@hooks.example.com",
        "https://:@hooks.example.com",
        "https://@a.b",
    ),
    *("https://hooks.example.com:0", "https://hooks.example.com:65536", "https://hooks.example.com:x", "https://a.b:"),
    *("https://hooks.example.com\\@127.0.0.1/", "https://a b.com/", "https://a.com/\tx", "https://a.com/\r\nHost: b"),
    *(
        "https://bücher.example/",
        "https://１２７.0.0.1/",
        "https://ⓛocalhost/",
        "https://%31%32%37.0.0.1/",
        "https://a..b",
    ),
    *("https://-a.com", "https://a-.com", "https://[v1.fe]/", "https://[1.2.3.4]/", "https://[::1", "https://::1/"),
    *(
        "https://" + "a" * 64 + ".com",
        "https://" + "a." * 130 + "com",
        "https://a.com/" + "x" * LONGEST,
        "https://*.a.com",
    ),
]


@pytest.mark.parametrize("url", PUBLIC)
def test_public_address_is_taken(url):
    check(url)


@pytest.mark.parametrize("url", [*INSIDE, *UNREADABLE])
def test_every_other_address_is_refused(url):
    with pytest.raises(BadTarget):
        check(url)


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:9000/in", "http://localhost/", "https://[::1]/", "http://a.example/"]
)
def test_setting_lets_a_developer_call_this_machine_over_http(settings, url):
    settings.INBOX_WEBHOOKS_TO_THIS_MACHINE = True
    check(url)


@pytest.mark.parametrize("url", ["http://10.0.0.1", "http://user@localhost", "ftp://localhost", "http://127.0.0.2"])
def test_setting_opens_no_other_door(settings, url):
    settings.INBOX_WEBHOOKS_TO_THIS_MACHINE = True
    with pytest.raises(BadTarget):
        check(url)


@pytest.mark.parametrize("url", ["http://hooks.example.com", "https://169.254.169.254/", "https://[::ffff:127.0.0.1]/"])
def test_address_is_looked_at_whenever_it_is_set(rest_for, tenant, make_webhook, url):
    webhook = make_webhook()
    admin = rest_for(tenant.admin, "inbox.webhooks")
    for method, path, body in (
        ("POST", "", {"label": "x", "url": url}),
        ("PATCH", f"/{webhook.pk}", {"url": url}),
        ("PUT", f"/{webhook.external_id}", {"url": url}),
    ):
        answer = admin.generic(method, f"/api/v1/webhooks{path}", json.dumps(body), "application/json")
        assert answer.status_code == 400
        assert list(answer.json()["error"]["details"]["fieldErrors"]) == ["url"]
    assert Webhook.objects.get().url == webhook.url
