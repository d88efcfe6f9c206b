"""What a webhook proves itself with: its signing secret, and the credentials of its target. Opened only to be used."""

import base64
import json
import secrets
from collections.abc import Mapping
from typing import Any

from inbox.models import Webhook, WebhookAuth
from inbox.secrets import seal, unseal

#: How a webhook authenticates -> the fields it then needs.
NEEDED: Mapping[str, tuple[str, ...]] = {
    WebhookAuth.NONE: (),
    WebhookAuth.BASIC: ("auth_basic_user", "auth_basic_password"),
    WebhookAuth.BEARER: ("auth_bearer_token",),
    WebhookAuth.HEADER: ("auth_header_key", "auth_header_value"),
}
FIELDS = tuple(name for names in NEEDED.values() for name in names)

#: Standard Webhooks: a secret is 24 to 64 random bytes, in base64, behind this.
PREFIX = "whsec_"
SECRET_BYTES = 32


def keep_new_signing_secret(webhook: Webhook) -> str:
    """Makes a signing secret, seals it into the unsaved ``webhook`` and returns it, for the one time it is shown."""
    secret = PREFIX + base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode()
    webhook.sealed_signing_secret = seal(secret, _owner(webhook, "signing_secret"))
    return secret


def signing_secret(webhook: Webhook) -> str:
    """In clear, to sign with. Raises inbox.secrets.Unreadable."""
    return unseal(webhook.sealed_signing_secret, _owner(webhook, "signing_secret"))


def keep(webhook: Webhook, given: Mapping[str, Any]) -> None:
    """Seals those of the given credentials that the unsaved webhook's ``auth`` needs; others are left out."""
    needed = {name: given[name] for name in NEEDED[webhook.auth]}
    webhook.sealed_credentials = seal(json.dumps(needed), _owner(webhook, "credentials")) if needed else ""


def credentials(webhook: Webhook) -> dict[str, str]:
    """In clear, by field name. Raises inbox.secrets.Unreadable."""
    if not webhook.sealed_credentials:
        return {}
    found: dict[str, str] = json.loads(unseal(webhook.sealed_credentials, _owner(webhook, "credentials")))
    return found


def differing(webhook: Webhook, given: Mapping[str, Any]) -> list[str]:
    """Names of those of ``auth`` and its fields in ``given`` that are not what the webhook has."""
    if given.get("auth", webhook.auth) != webhook.auth:
        return ["auth"]
    return [
        name
        for name, value in credentials(webhook).items()
        if name in given and not secrets.compare_digest(value.encode(), given[name].encode())
    ]


def forget(webhook: Webhook) -> None:
    """Empties both, in the unsaved ``webhook``: a deleted one needs neither again."""
    webhook.sealed_signing_secret = webhook.sealed_credentials = ""


def authorization(webhook: Webhook) -> dict[str, str]:
    """The headers in which the webhook's requests prove themselves, in clear. Raises inbox.secrets.Unreadable."""
    held = credentials(webhook)
    if webhook.auth == WebhookAuth.BASIC:
        pair = f"{held['auth_basic_user']}:{held['auth_basic_password']}"
        return {"Authorization": f"Basic {base64.b64encode(pair.encode()).decode()}"}
    if webhook.auth == WebhookAuth.BEARER:
        return {"Authorization": f"Bearer {held['auth_bearer_token']}"}
    if webhook.auth == WebhookAuth.HEADER:
        return {held["auth_header_key"]: held["auth_header_value"]}
    return {}


def _owner(webhook: Webhook, what: str) -> str:
    return f"webhook {webhook.pk} {what}"
