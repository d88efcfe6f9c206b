"""What the tables themselves promise, whoever writes them."""

import pytest
from django.contrib.auth import authenticate
from django.db import IntegrityError, transaction
from django.utils import timezone

from inbox.models import Agent, Email, Inbox, Membership, Organization, Role, User, Workspace
from inbox.models.base import new_id


def test_login_is_the_address_in_any_case(db):
    person = User.objects.create_user("Ana@Example.com", "a long passphrase")
    assert person.email == "ana@example.com"
    assert authenticate(username="ANA@example.COM", password="a long passphrase") == person


def test_person_without_password_cannot_sign_in(db):
    User.objects.create_user("machine@example.com")
    assert authenticate(username="machine@example.com", password="") is None


def test_person_needs_an_address(db):
    with pytest.raises(ValueError, match="e-mail address"):
        User.objects.create_user("")


def test_database_refuses_one_login_in_two_spellings(db):
    User.objects.create_user("ana@example.com")
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.bulk_create([User(email="ANA@example.com")])


def test_keys_are_in_the_order_of_time():
    keys = [new_id() for _ in range(100)]
    assert keys == sorted(keys)
    assert {key.version for key in keys} == {7}


def test_external_id_is_the_id_where_none_was_given(tenant):
    assert tenant.inbox.external_id == tenant.inbox.pk
    (made,) = Agent.objects.bulk_create([Agent(workspace=tenant.workspace, label="a", llm_model="m")])
    assert Agent.objects.get(pk=made.pk).external_id == made.pk


def test_external_id_that_was_given_is_kept(tenant):
    wanted = new_id()
    made = Agent.objects.create(workspace=tenant.workspace, label="a", llm_model="m", external_id=wanted)
    assert Agent.objects.get(pk=made.pk).external_id == wanted


def test_database_refuses_an_address_twice_among_live_inboxes(tenant, other_tenant):
    with pytest.raises(IntegrityError), transaction.atomic():
        Inbox.objects.create(workspace=other_tenant.workspace, label="x", email=tenant.inbox.email)
    tenant.inbox.deleted_at = timezone.now()
    tenant.inbox.save()
    assert Inbox.objects.create(workspace=other_tenant.workspace, label="x", email=tenant.inbox.email)


def test_database_refuses_an_address_that_is_not_lower_case(tenant):
    with pytest.raises(IntegrityError), transaction.atomic():
        Inbox.objects.create(workspace=tenant.workspace, label="x", email="Mixed@inbox.example")


def test_external_id_is_unique_among_live_rows_of_one_workspace(tenant, other_tenant):
    same = tenant.inbox.external_id
    with pytest.raises(IntegrityError), transaction.atomic():
        Inbox.objects.create(workspace=tenant.workspace, label="x", email="x@inbox.example", external_id=same)
    assert Inbox.objects.create(workspace=other_tenant.workspace, label="x", email="y@inbox.example", external_id=same)


def test_external_id_of_a_live_workspace_is_unique_everywhere(tenant, other_tenant):
    with pytest.raises(IntegrityError), transaction.atomic():
        Workspace.objects.create(
            organization=other_tenant.organization, label="x", external_id=tenant.workspace.external_id
        )


def test_database_refuses_a_second_membership_and_an_unknown_role(tenant):
    with pytest.raises(IntegrityError), transaction.atomic():
        Membership.objects.create(user=tenant.owner, organization=tenant.organization, role=Role.VIEWER)
    with pytest.raises(IntegrityError), transaction.atomic():
        Membership.objects.filter(user=tenant.owner).update(role="emperor")


def test_find_takes_id_before_external_id(tenant):
    first = Agent.objects.create(workspace=tenant.workspace, label="first", llm_model="m")
    Agent.objects.filter(pk=first.pk).update(external_id=new_id())
    second = Agent.objects.create(workspace=tenant.workspace, label="second", llm_model="m", external_id=first.pk)
    assert Agent.objects.find(str(first.pk)) == first
    assert Agent.objects.find(str(second.pk).upper()) == second


@pytest.mark.parametrize("text", ["", "nope", "00000000", "{01a22fff-a322-7127-a231-cee7a73f8774}", "a" * 36])
def test_find_takes_nothing_but_a_uuid_in_its_usual_form(tenant, text):
    assert Inbox.objects.find(text) is None


def test_reach_is_the_live_workspaces_of_live_organizations(tenant, other_tenant, second_workspace):
    Membership.objects.create(user=tenant.owner, organization=other_tenant.organization, role=Role.VIEWER)
    reach = User.objects.get(pk=tenant.owner.pk).reach
    assert set(reach.workspaces) == {tenant.workspace, second_workspace, other_tenant.workspace}
    assert reach.role_in(tenant.workspace) == Role.OWNER
    assert reach.role_in(other_tenant.workspace) == Role.VIEWER

    second_workspace.deleted_at = timezone.now()
    second_workspace.save()
    Organization.objects.filter(pk=other_tenant.organization.pk).update(is_active=False)
    reach = User.objects.get(pk=tenant.owner.pk).reach
    assert set(reach.workspaces) == {tenant.workspace}
    assert reach.role_in(other_tenant.workspace) is None


def test_inactive_person_reaches_nothing(tenant):
    tenant.owner.is_active = False
    assert tenant.owner.reach.workspaces == ()
    assert not tenant.owner.reach.allows_somewhere(Role.VIEWER)


def test_reach_costs_one_query_and_only_once(tenant, second_workspace, django_assert_num_queries):
    person = User.objects.get(pk=tenant.owner.pk)
    with django_assert_num_queries(1):
        assert person.reach.find(str(second_workspace.pk)) == second_workspace
        assert person.reach.allows(Role.OWNER, tenant.workspace)
        assert person.reach.allows(Role.ADMIN)


def test_reachable_rows_are_those_of_reachable_workspaces(tenant, other_tenant, make_email):
    mine = make_email(tenant.inbox)
    make_email(other_tenant.inbox)
    assert list(Email.objects.reachable_by(tenant.viewer)) == [mine]
    assert list(Inbox.objects.live().reachable_by(tenant.viewer)) == [tenant.inbox]


def test_each_role_includes_those_below_it():
    assert [[role.includes(other) for other in Role] for role in Role] == [
        [True, False, False, False],
        [True, True, False, False],
        [True, True, True, False],
        [True, True, True, True],
    ]
