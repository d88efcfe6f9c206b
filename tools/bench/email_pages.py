"""Fills a database with mail, asks the API for pages of it, and looks at how the database answered. See ``emails``."""

import io
import json
import time
from collections.abc import Iterator
from statistics import median
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.core import signing
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from inbox.api.pagination import EPOCH, MICROSECOND, SALT
from inbox.models import Email, Inbox, Membership, Organization, Role, User, Workspace

MAILS, OTHERS, DEPTH, ROUNDS, MOST = 1_000_000, 49, 900_000, 25, 1.5
PERSON = "viewer@bench.example"
FILL = """
INSERT INTO inbox_email (id, created_at, updated_at, workspace_id, inbox_id, message_id, raw_s3_key, subject, sender,
    "to", cc, bcc, header_to, forwarded, attachments, status, aws_ses_metadata, custom_metadata, agent_metadata,
    metadata, received_at)
SELECT gen_random_uuid(), moment, moment, %s, %s, '<' || n || '@bench.example>', 'mail/' || n, 'Order ' || md5(n::text),
    'writer' || (n %% 5000) || '@bench.example', '[]', '[]', '[]', '[]', false, '[]',
    (ARRAY['received', 'approved', 'processed', 'processed', 'rejected', 'failed'])[1 + n %% 6],
    '{}', '{}', '{}', '{}', moment
FROM (SELECT n, now() - n * interval '1 second' AS moment FROM generate_series(1, %s) AS n) AS numbers
"""


def main() -> int:
    settings.ALLOWED_HOSTS = ["testserver"]
    inbox = _filled()
    client = _signed_in()
    first, deep = _compare(client, {}, {"cursor": _cursor_at(client, inbox, DEPTH)})
    ratio = deep / first
    print(f"page 1 {first:.2f} ms, page at depth {DEPTH:,} {deep:.2f} ms: {ratio:.2f}x of {MOST}x")
    scanned = False
    for filters in _filters(inbox):
        nodes = list(_nodes(client, filters))
        scanned = scanned or any(node.startswith("Seq Scan on inbox_email") for node in nodes)
        print(f"{', '.join(filters):16} {' < '.join(nodes)}")
    return int(ratio > MOST or scanned)


def _filled() -> Inbox:
    """The inbox that has the million; every other workspace has two thousand."""
    inboxes = []
    for n in range(1 + OTHERS):
        organization = Organization.objects.create(name=f"Bench {n}", slug=f"bench-{n}")
        workspace = Workspace.objects.create(organization=organization, label=f"W{n}", email_prefix=f"w{n}")
        inboxes.append(Inbox.objects.create(workspace=workspace, label=f"I{n}", email=f"i{n}@inbox.example"))
    person = User.objects.create_user(PERSON, name="Viewer")
    Membership.objects.create(user=person, organization=inboxes[0].workspace.organization, role=Role.VIEWER)
    with connection.cursor() as cursor:
        for n, inbox in enumerate(inboxes):
            cursor.execute(FILL, [inbox.workspace_id, inbox.pk, MAILS if n == 0 else 2000])
        cursor.execute("VACUUM ANALYZE inbox_email")
    return inboxes[0]


def _signed_in() -> Client:
    token = io.StringIO()
    call_command("mcp_token", user=PERSON, resource="/api/v1", scope="inbox.emails:read", stdout=token)
    return Client(headers={"Authorization": f"Bearer {token.getvalue().strip()}"})


def _page(client: Client, query: dict[str, str]) -> Any:
    answer = client.get(f"/api/v1/emails?{urlencode(query)}")
    if answer.status_code != 200:
        raise SystemExit(f"{query}: {answer.status_code} {answer.content[:300]!r}")
    return answer.json()


def _cursor_at(client: Client, inbox: Inbox, depth: int) -> str:
    """The cursor that walking there would have ended with: the first page's own, with another row in it."""
    *_, fingerprint = signing.loads(_page(client, {})["meta"]["next_cursor"], salt=SALT)
    row = Email.objects.within(inbox.workspace).newest_first()[depth]
    return signing.dumps([(row.created_at - EPOCH) // MICROSECOND, row.pk.hex, fingerprint], salt=SALT)


def _compare(client: Client, *queries: dict[str, str]) -> list[float]:
    """Median milliseconds of each query; they take turns, so that noise hits all alike."""
    spent: list[list[float]] = [[] for _ in queries]
    for _ in range(ROUNDS):
        for query, found in zip(queries, spent, strict=True):
            begun = time.perf_counter()
            if len(_page(client, query)["data"]) != 50:
                raise SystemExit("A page of fifty was expected.")
            found.append((time.perf_counter() - begun) * 1000)
    return [median(found) for found in spent]


def _filters(inbox: Inbox) -> Iterator[dict[str, str]]:
    middle = Email.objects.within(inbox.workspace).newest_first()[MAILS // 2].received_at.isoformat()
    yield {"status": "failed"}
    yield {"inbox_id": str(inbox.pk)}
    yield {"received_after": middle}
    yield {"received_before": middle}
    yield {"from": "writer77@bench.example"}
    yield {"q": "c4ca4238a0b92"}
    yield {"q": "order"}


def _nodes(client: Client, query: dict[str, str]) -> Iterator[str]:
    """The nodes of the plan that answers ``query``, outermost first."""
    with CaptureQueriesContext(connection) as captured:
        _page(client, query)
    (sql,) = [each["sql"] for each in captured if 'FROM "inbox_email"' in each["sql"]]
    with connection.cursor() as cursor:
        cursor.execute("EXPLAIN (FORMAT JSON) " + sql.replace("%", "%%"), [])
        (plan,) = cursor.fetchone()
    waiting = [(json.loads(plan) if isinstance(plan, str) else plan)[0]["Plan"]]
    while waiting:
        node = waiting.pop(0)
        target = node.get("Index Name") or node.get("Relation Name")
        yield node["Node Type"] + (f" on {target}" if target else "")
        waiting[:0] = node.get("Plans", [])
