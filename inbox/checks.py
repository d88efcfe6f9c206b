"""What is wrong with the settings of the inbox, told at start-up. An id is never used again for something else."""

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register

from inbox import conf
from inbox.secrets import SHORTEST_KEY


@register(Tags.security)
def encryption_keys(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """Keys that could be guessed, and a list that is one text."""
    chosen = getattr(settings, "INBOX_ENCRYPTION_KEYS", ())
    if isinstance(chosen, str):
        return [Error("INBOX_ENCRYPTION_KEYS is one text: it has to be a list.", id="inbox.E001")]
    short = [position for position, key in enumerate(chosen, 1) if len(key) < SHORTEST_KEY]
    return [
        Error(f"Key {position} of INBOX_ENCRYPTION_KEYS is shorter than {SHORTEST_KEY} characters.", id="inbox.E002")
        for position in short
    ]


@register(Tags.security, deploy=True)
def webhooks_to_this_machine(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """A door that is for developing only."""
    if not conf.webhooks_to_this_machine():
        return []
    return [Warning("INBOX_WEBHOOKS_TO_THIS_MACHINE lets webhooks call this machine.", id="inbox.W001")]
