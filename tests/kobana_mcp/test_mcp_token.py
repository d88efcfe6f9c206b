"""The token of the command line: good for one resource, one person and a while, and for nothing more."""

import io

import pytest
from django.core.management import CommandError, call_command
from oauth2_provider.models import get_access_token_model, get_application_model

from kobana_mcp.protocol.eras import MODERN
from kobana_mcp.testing import MCPClient


def token(**options):
    out = io.StringIO()
    call_command("mcp_token", stdout=out, **options)
    return out.getvalue()


def test_it_prints_one_token_that_works_and_nothing_else(client, tenant):
    printed = token(user=tenant.viewer.get_username(), scope="inbox.emails:read")
    assert printed == printed.strip() + "\n" and " " not in printed
    assert MCPClient(client, printed.strip(), MODERN.versions[0]).tools() == ["emails_list", "emails_get"]


def test_token_is_not_kept_in_clear(tenant):
    printed = token(user=tenant.viewer.get_username()).strip()
    stored = get_access_token_model().objects.get()
    assert printed not in [str(value) for value in vars(stored).values()]


def test_token_for_the_api_is_none_for_the_endpoint(client, tenant):
    printed = token(user=tenant.viewer.get_username(), resource="/api/v1").strip()
    assert MCPClient(client, printed, MODERN.versions[0]).send("tools/list").status_code == 401


def test_its_client_is_one_and_cannot_be_signed_in_through(tenant):
    token(user=tenant.viewer.get_username())
    token(user=tenant.owner.get_username())
    client = get_application_model().objects.get()
    assert (client.client_type, client.redirect_uris) == ("public", "")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"user": "nobody@acme.example"}, "There is no user"),
        ({"scope": "inbox.emails:read made:up"}, "Unknown scope: made:up"),
        ({"resource": "/elsewhere"}, "There is no resource"),
        ({"minutes": 0}, "1 minute to 24 hours"),
        ({"minutes": 100_000}, "1 minute to 24 hours"),
    ],
)
def test_wrong_option_is_explained_and_makes_no_token(tenant, options, words):
    with pytest.raises(CommandError, match=words):
        token(**{"user": tenant.viewer.get_username(), **options})
    assert not get_access_token_model().objects.exists()
