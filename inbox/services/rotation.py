"""Changes the key that secrets are sealed with."""

import uuid
from dataclasses import dataclass, field

from django.db import transaction

from inbox.models import Webhook
from inbox.models.webhooks import SEALED
from inbox.secrets import Unreadable, rotated


@dataclass
class Rotation:
    """What became of the rows that hold secrets.

    Args:
        rotated: how many are sealed with the first key now.
        unreadable: ids of those that no key opens.
    """

    rotated: int = 0
    unreadable: list[uuid.UUID] = field(default_factory=list)


def rotate() -> Rotation:
    """Seals the secrets of every webhook with the first key, row by row, so that none is held for long."""
    result = Rotation()
    for key in Webhook.objects.sealed().values_list("pk", flat=True).iterator():
        _rotate(key, result)
    return result


@transaction.atomic
def _rotate(key: uuid.UUID, result: Rotation) -> None:
    webhook = Webhook.objects.sealed().locked().filter(pk=key).first()
    if webhook is None:
        return
    held = {name: getattr(webhook, name) for name in SEALED}
    try:
        fresh = {name: rotated(sealed) for name, sealed in held.items() if sealed}
    except Unreadable:
        result.unreadable.append(key)
        return
    # Nothing of the webhook itself changes, so neither do its times.
    Webhook.objects.sealed().filter(pk=key).update(**fresh)
    result.rotated += 1
