"""Every message of CPython's own e-mail tests comes in, where this Python has them."""

import importlib.util
from pathlib import Path

import pytest


def messages() -> list[Path]:
    """The files of ``test.test_email.data``; distributions may leave the package out."""
    try:
        package = importlib.util.find_spec("test.test_email")
    except ModuleNotFoundError:
        return []
    places = (package.submodule_search_locations or ()) if package else ()
    return sorted(file for place in places for file in Path(place, "data").glob("*.txt"))


MESSAGES = messages()
ABSENT = pytest.param(
    None, marks=pytest.mark.skip(reason="this Python comes without test.test_email.data"), id="absent"
)


@pytest.mark.parametrize("file", [pytest.param(file, id=file.name) for file in MESSAGES] or [ABSENT])
def test_message_of_cpython_is_stored_and_shown(file, deliver_one, rest_for, tenant):
    email = deliver_one(file.read_bytes())
    answer = rest_for(tenant.viewer, "inbox.emails:read").get(f"/api/v1/emails/{email.pk}")
    assert answer.status_code == 200
    shown = answer.json()["data"]
    assert shown["body"]["text"] is not None or shown["body"]["html"] is not None or shown["attachments"]
