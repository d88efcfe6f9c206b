"""A person, a client and a token for them."""

import io

from django.contrib.auth import get_user_model
from django.core.management import call_command


def fill() -> dict[str, str]:
    person = get_user_model().objects.create_user("ana")
    printed = io.StringIO()
    call_command("mcp_token", user=person.get_username(), stdout=printed)
    return {"token": printed.getvalue().strip()}
