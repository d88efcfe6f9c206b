"""What the services of externally named rows share: creating, changing and upserting by the caller's own id."""

import uuid
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from django.db import IntegrityError, models, transaction

from inbox.errors import Conflict, NotFound
from inbox.models import Workspace

T = TypeVar("T")


def insert(row: models.Model, taken: Callable[[str], str]) -> None:
    """Writes a new row. Raises Conflict, in the words that ``taken`` finds for the database's own, for a key in use."""
    try:
        with transaction.atomic():
            row.save(force_insert=True)
    except IntegrityError as error:
        raise Conflict(taken(str(error))) from None


def held(model: Any, row: models.Model) -> Any:
    """The row itself, locked until the transaction ends. Raises NotFound when somebody deleted it meanwhile."""
    found = model.objects.live().locked().select_related("workspace").filter(pk=row.pk).first()
    if found is None:
        raise NotFound
    return found


def change(row: models.Model, wanted: Mapping[str, Any]) -> list[str]:
    """Sets the columns that differ and saves them. Returns their names, in order."""
    changed = [name for name, value in wanted.items() if getattr(row, name) != value]
    for name in changed:
        setattr(row, name, wanted[name])
    if changed:
        row.save(update_fields=[*changed, "updated_at"])
    return changed


def upsert(
    model: Any, workspace: Workspace, external_id: uuid.UUID, *, update: Callable[[Any], T], create: Callable[[], T]
) -> tuple[T, bool]:
    """Updates the live row of this external_id, or creates it; says which. Safe when many do so at once.

    Raises Conflict for an id that is another row's own, and whatever ``update`` and ``create`` raise.
    """
    rows = model.objects.live().within(workspace)
    fault = Conflict()
    for _ in range(3):
        found = rows.filter(external_id=external_id).first()
        if found is not None:
            try:
                return update(found), False
            except NotFound:
                continue  # deleted between the look and the lock: the next look decides
        refuse_id_of_another(model, workspace, external_id)
        try:
            return create(), True
        except Conflict as conflict:
            # Somebody else was faster, and by now it is there; unless it is another key that is taken.
            fault = conflict
    raise fault


def refuse_id_of_another(model: Any, workspace: Workspace, external_id: uuid.UUID | None) -> None:
    """An external_id that is another row's own id would be found by nobody. Raises Conflict."""
    rows = model.objects.live().within(workspace).filter(id=external_id)
    if external_id is not None and rows.exclude(external_id=external_id).exists():
        raise Conflict("This external_id is the id of another row.")
