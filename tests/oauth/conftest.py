"""People with a session, clients with redirects, and a code flow in a few words."""

import base64
import hashlib
import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client
from oauth2_provider.models import get_application_model

VERIFIER = "v" * 64
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).rstrip(b"=").decode()
REDIRECT = "https://assistant.example.com/callback"
RESOURCE = "http://testserver/mcp"
API = "http://testserver/api/v1"
SCOPE = "inbox.emails:read inbox.inboxes:write"


@dataclass
class Flow:
    """A browser of one person and the assistant he connects."""

    browser: Client
    application: Any

    def params(self, **changes: Any) -> dict[str, Any]:
        given = {
            "response_type": "code",
            "client_id": self.application.client_id,
            "redirect_uri": REDIRECT,
            "scope": SCOPE,
            "state": "xyz",
            "code_challenge": CHALLENGE,
            "code_challenge_method": "S256",
            "resource": RESOURCE,
        }
        return {name: value for name, value in {**given, **changes}.items() if value is not None}

    def ask(self, **changes: Any) -> Any:
        """The consent page, or what is answered instead."""
        return self.browser.get("/oauth/authorize", self.params(**changes))

    def consent(
        self, granted: str | None = None, allow: bool = True, fields: dict[str, Any] | None = None, **changes: Any
    ) -> Any:
        """What the person's click is answered with; ``granted`` are the scopes left ticked."""
        page = self.ask(**changes)
        assert page.status_code == 200, page.content
        html = page.content.decode()
        hidden = dict(re.findall(r'<input type="hidden" name="(\w+)"(?: value="([^"]*)")?', html))
        ticked = re.findall(r'name="granted" value="([^"]+)"', html) if granted is None else granted.split()
        given = {**hidden, "granted": ticked, **(fields or {})}
        return self.browser.post("/oauth/authorize", {**given, "allow": "true"} if allow else given)

    def code(self, **changes: Any) -> str:
        return returned(self.consent(**changes))["code"]

    def redeem(self, code: str, **changes: Any) -> Any:
        """What the token endpoint answers, as the client asks it: without the person's browser."""
        given = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": REDIRECT,
            "client_id": self.application.client_id,
            "code_verifier": VERIFIER,
        }
        return token_request(**{**given, **changes})

    def tokens(self, **changes: Any) -> dict[str, Any]:
        answer = self.redeem(self.code(**changes))
        assert answer.status_code == 200, answer.content
        found: dict[str, Any] = answer.json()
        return found

    def refresh(self, refresh_token: str, **changes: Any) -> Any:
        given = {"grant_type": "refresh_token", "refresh_token": refresh_token}
        return token_request(**{**given, "client_id": self.application.client_id, **changes})


def token_request(**given: Any) -> Any:
    return Client().post("/oauth/token", {name: value for name, value in given.items() if value is not None})


def returned(answer: Any) -> dict[str, str]:
    """What the redirect back to the assistant says."""
    assert answer.status_code == 302, answer.content
    assert answer.headers["Location"].startswith(REDIRECT), answer.headers["Location"]
    return {name: value[0] for name, value in parse_qs(urlsplit(answer.headers["Location"]).query).items()}


@pytest.fixture(autouse=True)
def issuer(settings: Any) -> None:
    """All of it stands where Django's test client thinks it is."""
    settings.KOBANA_MCP = {**settings.KOBANA_MCP, "BASE_URL": "http://testserver"}
    settings.OAUTH2_PROVIDER = {**settings.OAUTH2_PROVIDER, "OIDC_ISS_ENDPOINT": "http://testserver"}


@pytest.fixture
def assistant(db: None) -> Any:
    """A public client with one redirect, registered by an administrator."""
    model = get_application_model()
    return model.objects.create(
        name="Assistant <b>bold</b>",
        client_type=model.CLIENT_PUBLIC,
        authorization_grant_type=model.GRANT_AUTHORIZATION_CODE,
        redirect_uris=REDIRECT,
    )


@pytest.fixture
def flow(tenant: Any, assistant: Any) -> Flow:
    browser = Client()
    browser.force_login(tenant.owner)
    return Flow(browser, assistant)
