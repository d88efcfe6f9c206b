"""What the gunicorn of the cases serves: the inbox's own settings, a person with a token, and names in many scripts."""

import io

from django.core.management import call_command

from tests.conftest import make_tenant

LABEL = "Füße 日本 😀"


def fill() -> dict[str, str]:
    """One tenant; its inbox has a label that takes more octets than characters."""
    tenant = make_tenant("acme")
    tenant.inbox.label = LABEL
    tenant.inbox.save()
    printed = io.StringIO()
    call_command("mcp_token", user=tenant.owner.get_username(), stdout=printed)
    return {"token": printed.getvalue().strip(), "inbox": str(tenant.inbox.pk)}
