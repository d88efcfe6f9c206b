"""Who may do what, where: tokens, scopes, roles, the choice of workspace, other tenants."""

import uuid

import pytest
from django.utils import timezone

from inbox.api.workspaces import tenant_key
from inbox.models import Inbox, Membership, Role, SystemEvent

SAFE = "inbox.emails:read inbox.inboxes:read inbox.workspaces:read"
INBOXES = "/api/v1/inboxes"
LISTS = {"inbox.emails": "/api/v1/emails", "inbox.inboxes": INBOXES, "inbox.workspaces": "/api/v1/workspaces"}


def code(answer) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]["code"]


@pytest.mark.parametrize("path", LISTS.values())
def test_no_token_is_challenged(client, path, db):
    answer = client.get(path)
    assert code(answer) == (401, "unauthorized")
    assert answer["WWW-Authenticate"].startswith("Bearer ")
    assert "oauth-protected-resource/api/v1" in answer["WWW-Authenticate"]


@pytest.mark.parametrize("credentials", ["Bearer nonsense", "Basic YTpi", "Bearer", "nonsense", "Bearer a b"])
def test_token_that_is_none_is_challenged(client, credentials, db):
    answer = client.get("/api/v1/emails", headers={"Authorization": credentials})
    assert code(answer) == (401, "unauthorized")
    assert 'error="invalid_token"' in answer["WWW-Authenticate"]


def test_token_for_the_mcp_endpoint_is_refused_here(client, token_for, tenant):
    answer = client.get("/api/v1/emails", headers={"Authorization": f"Bearer {token_for(tenant.owner, SAFE, '/mcp')}"})
    assert code(answer) == (401, "unauthorized")


def test_token_in_the_url_is_refused(client, token_for, tenant):
    answer = client.get("/api/v1/emails", {"access_token": token_for(tenant.owner, SAFE, "/api/v1")})
    assert code(answer) == (400, "validation_failed")


def test_signed_in_browser_is_no_token(client, tenant):
    client.force_login(tenant.owner)
    assert code(client.get("/api/v1/emails")) == (401, "unauthorized")


def test_inactive_person_is_refused_at_once(rest_for, tenant):
    rest = rest_for(tenant.viewer, SAFE)
    assert rest.get("/api/v1/emails").status_code == 200
    tenant.viewer.is_active = False
    tenant.viewer.save()
    assert code(rest.get("/api/v1/emails")) == (401, "unauthorized")


@pytest.mark.parametrize("family", LISTS)
@pytest.mark.parametrize("form", ["{}:read", "{}:write", "{}"])
def test_reading_takes_the_read_scope_or_one_that_implies_it(rest_for, tenant, family, form):
    assert rest_for(tenant.viewer, form.format(family)).get(LISTS[family]).status_code == 200


@pytest.mark.parametrize("family", LISTS)
def test_missing_scope_is_named_in_the_challenge(rest_for, tenant, family):
    others = " ".join(f"{other}:write" for other in LISTS if other != family)
    answer = rest_for(tenant.viewer, others).get(LISTS[family])
    assert code(answer) == (403, "insufficient_scope")
    assert 'error="insufficient_scope"' in answer["WWW-Authenticate"]
    assert f'scope="{family}:read"' in answer["WWW-Authenticate"]


@pytest.mark.parametrize("role", Role)
def test_inbox_is_deleted_by_admins_and_owners(rest_for, tenant, role):
    answer = rest_for(tenant.person(role), "inbox.inboxes:write").delete(f"{INBOXES}/{tenant.inbox.pk}")
    may = role.includes(Role.ADMIN)
    assert answer.status_code == (204 if may else 403)
    assert Inbox.objects.live().filter(pk=tenant.inbox.pk).exists() is not may
    if not may:
        assert answer.json()["error"]["code"] == "forbidden"


def test_role_is_asked_before_the_scope(rest_for, tenant):
    assert code(rest_for(tenant.viewer, SAFE).delete(f"{INBOXES}/{tenant.inbox.pk}")) == (403, "forbidden")
    assert code(rest_for(tenant.admin, SAFE).delete(f"{INBOXES}/{tenant.inbox.pk}")) == (403, "insufficient_scope")


def test_deleting_answers_204_then_404_and_tells_it_once(rest_for, tenant):
    rest = rest_for(tenant.admin, "inbox.inboxes")
    first = rest.delete(f"{INBOXES}/{tenant.inbox.external_id}")
    assert (first.status_code, first.content) == (204, b"")
    assert code(rest.delete(f"{INBOXES}/{tenant.inbox.pk}")) == (404, "not_found")
    assert code(rest.get(f"{INBOXES}/{tenant.inbox.pk}")) == (404, "not_found")
    assert rest.get(INBOXES).json()["data"] == []
    event = SystemEvent.objects.get(slug="inbox.deleted")
    assert (event.workspace, event.inbox) == (tenant.workspace, tenant.inbox)
    assert event.payload["by"]["email"] == tenant.admin.email
    assert event.payload["inbox"]["email"] == tenant.inbox.email


def test_deleted_at_is_shown_nowhere(rest_for, tenant):
    rest = rest_for(tenant.viewer, SAFE)
    for path in (f"{INBOXES}/{tenant.inbox.pk}", f"/api/v1/workspaces/{tenant.workspace.pk}"):
        assert "deleted_at" not in rest.get(path).json()["data"]


def test_only_workspace_needs_no_header(rest_for, tenant):
    rest = rest_for(tenant.viewer, SAFE)
    assert rest.get(INBOXES).json()["data"][0]["id"] == str(tenant.inbox.pk)


def test_several_workspaces_and_none_named_lists_the_choices(rest_for, tenant, second_workspace):
    answer = rest_for(tenant.viewer, SAFE).get(INBOXES)
    assert code(answer) == (400, "workspace_required")
    assert answer.json()["error"]["details"]["workspaces"] == [
        {"id": str(workspace.pk), "label": workspace.label} for workspace in (tenant.workspace, second_workspace)
    ]


def test_named_workspace_by_id_or_external_id(rest_for, tenant, second_workspace):
    second_workspace.external_id = uuid.uuid4()
    second_workspace.save()
    rest = rest_for(tenant.viewer, SAFE)
    for key, rows in ((tenant.workspace.pk, 1), (second_workspace.pk, 0), (second_workspace.external_id, 0)):
        answer = rest.get(INBOXES, headers={"X-Workspace-Id": str(key)})
        assert len(answer.json()["data"]) == rows


def test_default_workspace_stands_in_and_the_header_wins(rest_for, tenant, second_workspace):
    tenant.viewer.default_workspace = tenant.workspace
    tenant.viewer.save()
    rest = rest_for(tenant.viewer, SAFE)
    assert len(rest.get(INBOXES).json()["data"]) == 1
    assert rest.get(INBOXES, headers={"X-Workspace-Id": str(second_workspace.pk)}).json()["data"] == []


def test_default_workspace_out_of_reach_does_not_count(rest_for, tenant, other_tenant, second_workspace):
    tenant.viewer.default_workspace = other_tenant.workspace
    tenant.viewer.save()
    assert code(rest_for(tenant.viewer, SAFE).get(INBOXES)) == (400, "workspace_required")


def test_workspace_out_of_reach_is_like_one_that_does_not_exist(rest_for, tenant, other_tenant, second_workspace):
    second_workspace.deleted_at = timezone.now()
    second_workspace.save()
    rest = rest_for(tenant.viewer, SAFE)
    bodies = set()
    for key in (other_tenant.workspace.pk, second_workspace.pk, uuid.uuid4(), "nope", "", "\xff"):
        answer = rest.get(INBOXES, headers={"X-Workspace-Id": str(key)})
        assert code(answer) == (404, "workspace_not_found")
        bodies.add(answer.content)
    assert len(bodies) == 1


def test_person_without_organization_is_forbidden(rest_for, tenant):
    Membership.objects.filter(user=tenant.viewer).delete()
    rest = rest_for(tenant.viewer, SAFE)
    for path in LISTS.values():
        assert code(rest.get(path)) == (403, "forbidden")


def test_member_of_an_organization_without_workspace_sees_an_empty_list(rest_for, tenant):
    tenant.workspace.deleted_at = timezone.now()
    tenant.workspace.save()
    rest = rest_for(tenant.viewer, SAFE)
    assert rest.get("/api/v1/workspaces").json()["data"] == []
    assert code(rest.get(INBOXES)) == (403, "forbidden")


def test_role_counts_in_the_chosen_workspace(rest_for, tenant, other_tenant):
    Membership.objects.create(user=tenant.admin, organization=other_tenant.organization, role=Role.VIEWER)
    rest = rest_for(tenant.admin, "inbox.inboxes")
    there = {"X-Workspace-Id": str(other_tenant.workspace.pk)}
    assert code(rest.delete(f"{INBOXES}/{other_tenant.inbox.pk}", headers=there)) == (403, "forbidden")
    assert code(rest.delete(f"{INBOXES}/{tenant.inbox.pk}")) == (400, "workspace_required")
    here = {"X-Workspace-Id": str(tenant.workspace.pk)}
    assert rest.delete(f"{INBOXES}/{tenant.inbox.pk}", headers=here).status_code == 204


def test_other_tenants_rows_are_like_rows_that_do_not_exist(rest_for, tenant, other_tenant, make_email):
    foreign = make_email(other_tenant.inbox)
    rest = rest_for(tenant.owner, None)
    for path, key in (
        ("/api/v1/emails", foreign.pk),
        (INBOXES, other_tenant.inbox.pk),
        (INBOXES, other_tenant.inbox.external_id),
        ("/api/v1/workspaces", other_tenant.workspace.pk),
    ):
        answer, unknown = rest.get(f"{path}/{key}"), rest.get(f"{path}/{uuid.uuid4()}")
        assert code(answer) == (404, "not_found")
        assert answer.content == unknown.content
    assert code(rest.delete(f"{INBOXES}/{other_tenant.inbox.pk}")) == (404, "not_found")
    assert rest.get("/api/v1/emails").json()["data"] == []


def test_workspaces_need_no_choice(rest_for, tenant, second_workspace, other_tenant):
    rest = rest_for(tenant.viewer, SAFE)
    labels = [row["label"] for row in rest.get("/api/v1/workspaces").json()["data"]]
    assert labels == [second_workspace.label, tenant.workspace.label]
    shown = rest.get(f"/api/v1/workspaces/{second_workspace.external_id}").json()["data"]
    assert shown["id"] == str(second_workspace.pk)
    assert shown["monthly_cost_used"] == 0
    assert shown["monthly_cost_limit"] is None


def test_workspace_query_count_is_constant(rest_for, tenant, second_workspace, django_assert_num_queries):
    rest = rest_for(tenant.viewer, SAFE)
    for path in ("/api/v1/workspaces", f"/api/v1/workspaces/{tenant.workspace.pk}"):
        with django_assert_num_queries(3):
            rest.get(path)


class Anyone:
    def __init__(self, user):
        self.user = user


def test_tenant_key_is_the_resolved_workspace_and_never_raises(rf, tenant, other_tenant, second_workspace):
    def key(**headers: str) -> str:
        return tenant_key(Anyone(tenant.owner), rf.get("/", headers=headers))

    assert key(**{"X-Workspace-Id": str(second_workspace.external_id)}) == str(second_workspace.pk)
    assert key(**{"X-Workspace-Id": str(other_tenant.workspace.pk)}) == ""
    assert key() == ""
    assert tenant_key(Anyone(other_tenant.owner), rf.get("/")) == str(other_tenant.workspace.pk)
