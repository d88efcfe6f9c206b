"""What two servers on one database find there."""

import io

from django.core.management import call_command

from kobana_mcp.models import ToolPolicy
from tests.conftest import make_tenant


def first() -> dict[str, str]:
    """A tenant with an inbox, and a token of its owner."""
    tenant = make_tenant("acme")
    printed = io.StringIO()
    call_command("mcp_token", user=tenant.owner.get_username(), stdout=printed)
    return {"token": printed.getvalue().strip(), "inbox": str(tenant.inbox.pk)}


def second() -> dict[str, str]:
    """What an administrator does in another process, long after the first began to serve."""
    ToolPolicy.objects.create(tool="agents_list", is_enabled=False)
    return {}
