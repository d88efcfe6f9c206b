"""What every test may ask for: people of two tenants, tokens, eras, and clients of both doors.

The people of a test: an organization with one workspace, one inbox, and a member of every role; the same once more as
another tenant, whose rows nobody of the first may ever see.
"""

import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from hypothesis import settings as hypothesis_settings
from oauth2_provider.models import get_access_token_model, get_application_model, set_token_value

from inbox.models import Inbox, Membership, Organization, Role, User, Workspace
from kobana_mcp import catalogue, registry
from kobana_mcp.access.resources import resource_at
from kobana_mcp.protocol.eras import ERAS, Era
from kobana_mcp.testing import MCPClient

# The same examples in every run, so that a red test is red again.
hypothesis_settings.register_profile("repeatable", derandomize=True, deadline=None, database=None)
hypothesis_settings.load_profile("repeatable")


@dataclass(frozen=True)
class Tenant:
    """One organization: what it has, and one person of every role."""

    organization: Organization
    workspace: Workspace
    inbox: Inbox
    owner: User
    admin: User
    operator: User
    viewer: User

    def person(self, role: str) -> User:
        found: User = getattr(self, role)
        return found


def make_workspace(organization: Organization, label: str) -> Workspace:
    return Workspace.objects.create(organization=organization, label=label, email_prefix=label.lower())


def make_inbox(workspace: Workspace, name: str) -> Inbox:
    return Inbox.objects.create(workspace=workspace, label=name.title(), email=f"{name}@inbox.example")


def make_person(organization: Organization, role: Role) -> User:
    person = User.objects.create_user(f"{role.value}@{organization.slug}.example", name=role.value.title())
    Membership.objects.create(user=person, organization=organization, role=role)
    return person


def make_tenant(name: str) -> Tenant:
    organization = Organization.objects.create(name=name.title(), slug=name)
    workspace = make_workspace(organization, f"{name.title()}-Main")
    people = {role.value: make_person(organization, role) for role in Role}
    return Tenant(organization, workspace, make_inbox(workspace, f"{name}-mail"), **people)


@pytest.fixture
def tenant(db: None) -> Tenant:
    """The tenant that a test is about: one workspace, so that nobody has to name it."""
    return make_tenant("acme")


@pytest.fixture
def other_tenant(db: None) -> Tenant:
    """Somebody else's tenant."""
    return make_tenant("globex")


@pytest.fixture
def second_workspace(tenant: Tenant) -> Workspace:
    """With it the tenant's people reach two workspaces, and have to name one."""
    return make_workspace(tenant.organization, "Acme-Second")


@pytest.fixture
def application(db: None) -> Any:
    """The OAuth client that the tokens of tests were issued to: public, so there is no secret to spend time hashing."""
    model = get_application_model()
    return model.objects.create(
        name="tests",
        client_type=model.CLIENT_PUBLIC,
        authorization_grant_type=model.GRANT_AUTHORIZATION_CODE,
        hash_client_secret=False,
    )


@pytest.fixture
def token_for(application: Any) -> Callable[..., str]:
    """Makes access tokens: ``token_for(person, scope)``; with every scope, for the endpoint, unless told otherwise."""

    def make(user: User, scope: str | None = None, resource: str = "/mcp", *, seconds: int = 3600) -> str:
        catalogue.current()  # read once in the life of a process: no request of a test shall have to
        raw = secrets.token_urlsafe(32)
        token = get_access_token_model()(
            user=user,
            application=application,
            expires=timezone.now() + timedelta(seconds=seconds),
            scope=" ".join(declared.name for declared in registry.scopes) if scope is None else scope,
            resource=[resource_at(resource).identifier],
        )
        set_token_value(token, raw)
        token.save()
        return raw

    return make


@pytest.fixture(params=ERAS, ids=lambda era: era.name)
def era(request: pytest.FixtureRequest) -> Era:
    """Every test that asks for it, or for ``mcp``, runs once per era."""
    found: Era = request.param
    return found


@pytest.fixture
def mcp_for(token_for: Callable[..., str], client: Client) -> Callable[..., MCPClient]:
    """Makes clients of the endpoint: ``mcp_for(person, scope, era=MODERN)``."""

    def make(user: User, scope: str | None = None, *, era: Era = ERAS[0]) -> MCPClient:
        return MCPClient(client, token_for(user, scope), era.versions[0])

    return make


@pytest.fixture
def mcp(mcp_for: Callable[..., MCPClient], tenant: Tenant, era: Era) -> MCPClient:
    """The owner at the endpoint, with every scope, in each era."""
    return mcp_for(tenant.owner, era=era)


@pytest.fixture
def rest_for(token_for: Callable[..., str]) -> Callable[..., Client]:
    """Makes clients of the REST API: ``rest_for(person, scope)``."""

    def make(user: User, scope: str | None = None) -> Client:
        return Client(headers={"Authorization": f"Bearer {token_for(user, scope, '/api/v1')}"})

    return make


@pytest.fixture(autouse=True)
def files_in_memory(settings: Any) -> Iterator[None]:
    """Mail that a test receives is gone with the test."""
    memory = {"BACKEND": "django.core.files.storage.InMemoryStorage"}
    settings.STORAGES = {**settings.STORAGES, "default": memory}
    yield
