"""Walking a list page by page."""

from datetime import timedelta

import pytest
from django.core import signing
from django.utils import timezone

from inbox.models import Email

EMAILS = "/api/v1/emails"
READ = "inbox.emails:read inbox.inboxes:read"


@pytest.fixture
def viewer(rest_for, tenant):
    return rest_for(tenant.viewer, READ)


@pytest.fixture
def mails(tenant, make_email):
    """Seven mails, three of them of one and the same moment."""
    made = [make_email(tenant.inbox, subject=f"n{number}") for number in range(7)]
    Email.objects.filter(pk__in=[mail.pk for mail in made[2:5]]).update(created_at=timezone.now())
    return made


def walk(client, query: str = "") -> list[str]:
    """The ids of the whole list, by its cursors."""
    seen, cursor = [], ""
    while True:
        page = client.get(f"{EMAILS}?limit=2{query}{cursor}").json()
        seen += [row["id"] for row in page["data"]]
        if page["meta"]["next_cursor"] is None:
            return seen
        cursor = f"&cursor={page['meta']['next_cursor']}"


def test_walk_sees_each_row_once(viewer, mails):
    seen = walk(viewer)
    assert len(seen) == len(set(seen)) == 7
    assert seen == [row["id"] for row in viewer.get(EMAILS).json()["data"]]


def test_walk_is_not_disturbed_by_rows_that_come_meanwhile(viewer, mails, tenant, make_email):
    first = viewer.get(f"{EMAILS}?limit=3").json()
    make_email(tenant.inbox, subject="late")
    rest = viewer.get(f"{EMAILS}?cursor={first['meta']['next_cursor']}").json()
    assert {row["id"] for row in first["data"] + rest["data"]} == {str(mail.pk) for mail in mails}


def test_page_size_may_change_on_the_way(viewer, mails):
    cursor = viewer.get(f"{EMAILS}?limit=1").json()["meta"]["next_cursor"]
    assert len(viewer.get(f"{EMAILS}?limit=200&cursor={cursor}").json()["data"]) == 6


def test_last_page_that_is_just_full_has_no_cursor(viewer, mails):
    assert viewer.get(f"{EMAILS}?limit=7").json()["meta"]["next_cursor"] is None


def test_default_page_has_fifty_rows(viewer, tenant, make_email):
    for number in range(51):
        make_email(tenant.inbox, minutes_ago=number)
    page = viewer.get(EMAILS).json()
    assert len(page["data"]) == 50
    assert page["meta"]["next_cursor"]


@pytest.mark.parametrize("limit", ["0", "201", "-1", "ten", "1.0", "", " 5", "٣", "9" * 5000, "%00", "1e2", "0x10"])
def test_bad_limit_is_refused(viewer, limit):
    answer = viewer.get(f"{EMAILS}?limit={limit}")
    assert answer.status_code == 400
    assert list(answer.json()["error"]["details"]["fieldErrors"]) == ["limit"]


def refused(answer) -> bool:
    return answer.status_code == 400 and list(answer.json()["error"]["details"]["fieldErrors"]) == ["cursor"]


@pytest.mark.parametrize(
    "cursor", ["", "bogus", "%25%25%25", "e30=", "MTo5OTk5OTk5", "A" * 10_000, "%00", "null", "a:b:c"]
)
def test_garbage_cursor_is_refused(viewer, mails, cursor):
    assert refused(viewer.get(f"{EMAILS}?cursor={cursor}"))


def test_tampered_cursor_is_refused(viewer, mails):
    cursor = viewer.get(f"{EMAILS}?limit=1").json()["meta"]["next_cursor"]
    for position in (0, len(cursor) // 2, len(cursor) - 1):
        other = "A" if cursor[position] != "A" else "B"
        assert refused(viewer.get(f"{EMAILS}?cursor={cursor[:position]}{other}{cursor[position + 1 :]}"))


def test_signed_nonsense_is_refused(viewer, mails):
    for payload in ([], {}, 1, [1, 2, 3], ["a", "b", "c"], None):
        assert refused(viewer.get(f"{EMAILS}?cursor={signing.dumps(payload, salt='inbox.api.cursor')}"))


def test_cursor_is_bound_to_the_filters(viewer, mails):
    cursor = viewer.get(f"{EMAILS}?limit=1&status=received").json()["meta"]["next_cursor"]
    assert refused(viewer.get(f"{EMAILS}?limit=1&cursor={cursor}"))
    assert refused(viewer.get(f"{EMAILS}?limit=1&status=failed&cursor={cursor}"))
    assert viewer.get(f"{EMAILS}?status=received&limit=1&cursor={cursor}").status_code == 200


def test_cursor_is_bound_to_the_list_the_person_and_the_workspace(
    viewer, mails, tenant, other_tenant, second_workspace, rest_for
):
    chosen = {"X-Workspace-Id": str(tenant.workspace.pk)}
    cursor = viewer.get(f"{EMAILS}?limit=1", headers=chosen).json()["meta"]["next_cursor"]
    assert viewer.get(f"{EMAILS}?cursor={cursor}", headers=chosen).status_code == 200
    assert refused(viewer.get(f"/api/v1/inboxes?cursor={cursor}", headers=chosen))
    assert refused(viewer.get(f"{EMAILS}?cursor={cursor}", headers={"X-Workspace-Id": str(second_workspace.pk)}))
    assert refused(rest_for(tenant.owner, READ).get(f"{EMAILS}?cursor={cursor}", headers=chosen))
    assert refused(rest_for(other_tenant.viewer, READ).get(f"{EMAILS}?cursor={cursor}"))


def test_deep_page_reads_only_its_own_rows(viewer, tenant, make_email, django_assert_num_queries):
    for number in range(30):
        make_email(tenant.inbox, created_at=timezone.now() - timedelta(minutes=number))
    cursor = viewer.get(f"{EMAILS}?limit=20").json()["meta"]["next_cursor"]
    with django_assert_num_queries(3) as captured:
        viewer.get(f"{EMAILS}?limit=5&cursor={cursor}")
    assert "OFFSET" not in captured.captured_queries[-1]["sql"]
    assert captured.captured_queries[-1]["sql"].endswith("LIMIT 6")
