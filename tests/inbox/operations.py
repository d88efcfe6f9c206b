"""Every operation of the REST API as a row: who may do it, with which scope, and what it answers when all is right."""

import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from inbox.models import Role


def new_id() -> str:
    return str(uuid.uuid4())


@dataclass(frozen=True)
class Operation:
    """One method on one path.

    Args:
        path: below ``/api/v1/``; ``{id}`` and ``{delivery_id}`` are filled with rows of ``kind``.
        status: the answer to one who may.
        body: makes a body that is right.
        kind: the row the path names; empty where it names none.
        upserts: ``{id}`` is an external_id that need not exist: then a new row is made.
    """

    method: str
    path: str
    role: Role
    status: int
    kind: str = ""
    body: Callable[[], dict[str, Any]] | None = None
    upserts: bool = False
    needs_workspace: bool = True
    family: str = field(default="")

    @property
    def scope(self) -> str:
        name = self.family or self.path.split("/")[0].replace("-", "_")
        return f"inbox.{name}:{'read' if self.method == 'GET' else 'write'}"

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


def row(method: str, path: str, role: Role, status: int, **facts: Any) -> Operation:
    kind = path.split("/")[0].replace("-", "_").removesuffix("s") if "{id}" in path else ""
    return Operation(method, path, role, status, kind={"inboxe": "inbox"}.get(kind, kind), **facts)


VIEWER, OPERATOR, ADMIN, OWNER = Role.VIEWER, Role.OPERATOR, Role.ADMIN, Role.OWNER
WORKSPACE = {"needs_workspace": False}
AGENT = {"label": "Reader", "llm_model": "small-model", "system_message": "Read the mail."}
HOOK = {"label": "Hook", "url": "https://hooks.example.com/in"}

OPERATIONS = (
    row("GET", "workspaces", VIEWER, 200, **WORKSPACE),
    row("POST", "workspaces", OWNER, 201, body=lambda: {"source": "kobana_app", "label": "New"}, **WORKSPACE),
    row("GET", "workspaces/{id}", VIEWER, 200, **WORKSPACE),
    row("PATCH", "workspaces/{id}", OWNER, 200, body=lambda: {"label": "Renamed"}, **WORKSPACE),
    row("DELETE", "workspaces/{id}", OWNER, 204, **WORKSPACE),
    row("GET", "workspaces/{id}/usage", VIEWER, 200, **WORKSPACE),
    row("GET", "inboxes", VIEWER, 200),
    row("POST", "inboxes", ADMIN, 201, body=lambda: {"label": "New"}),
    row("GET", "inboxes/{id}", VIEWER, 200),
    row("PATCH", "inboxes/{id}", ADMIN, 200, body=lambda: {"label": "Renamed"}),
    row("PUT", "inboxes/{id}", ADMIN, 200, body=lambda: {"label": "Upserted"}, upserts=True),
    row("DELETE", "inboxes/{id}", ADMIN, 204),
    row("POST", "inboxes/{id}/recipients", ADMIN, 201, body=lambda: {"email": "new@writers.example"}),
    row("DELETE", "inboxes/{id}/recipients", ADMIN, 200, body=lambda: {"email": "new@writers.example"}),
    row("GET", "agents", VIEWER, 200),
    row("POST", "agents", ADMIN, 201, body=lambda: dict(AGENT)),
    row("GET", "agents/{id}", VIEWER, 200),
    row("PATCH", "agents/{id}", ADMIN, 200, body=lambda: {"label": "Renamed"}),
    row("PUT", "agents/{id}", ADMIN, 200, body=lambda: dict(AGENT), upserts=True),
    row("DELETE", "agents/{id}", ADMIN, 204),
    row("GET", "webhooks", VIEWER, 200),
    row("POST", "webhooks", ADMIN, 201, body=lambda: dict(HOOK)),
    row("GET", "webhooks/{id}", VIEWER, 200),
    row("PATCH", "webhooks/{id}", ADMIN, 200, body=lambda: {"label": "Renamed"}),
    row("PUT", "webhooks/{id}", ADMIN, 200, body=lambda: dict(HOOK), upserts=True),
    row("DELETE", "webhooks/{id}", ADMIN, 204),
    row("POST", "webhooks/{id}/test", OPERATOR, 202),
    row("POST", "webhooks/{id}/regenerate-secret", ADMIN, 200),
    row("GET", "webhooks/{id}/deliveries", VIEWER, 200),
    row("GET", "webhooks/{id}/deliveries/{delivery_id}", VIEWER, 200),
    row("POST", "webhooks/{id}/deliveries/{delivery_id}/replay", OPERATOR, 202),
    row("GET", "emails", VIEWER, 200),
    row("GET", "emails/{id}", VIEWER, 200),
    row("GET", "emails/{id}/eml", VIEWER, 200),
    row("POST", "emails/{id}/reprocess", OPERATOR, 202),
    row("GET", "agent-runs", VIEWER, 200),
    row("GET", "agent-runs/{id}", VIEWER, 200),
    row("GET", "system-events", VIEWER, 200),
    row("GET", "system-events/{id}", VIEWER, 200),
)
