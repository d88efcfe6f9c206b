"""For the named cases: clients of each era at Django's door, and the same at a real gunicorn."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from kobana_mcp.protocol.eras import LEGACY, MODERN, Era
from kobana_mcp.testing import MCPClient
from tests.door.raw import Door, opened
from tests.kobana_mcp.conftest import site  # noqa: F401 - a fixture


@pytest.fixture(scope="session")
def door(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Door]:
    """A gunicorn with the host's own configuration and a SQLite file of its own."""
    folder = tmp_path_factory.mktemp("gunicorn")
    with opened("tests.cases.fill.fill", folder, DJANGO_SETTINGS_MODULE="tests.cases.settings") as found:
        yield found


@pytest.fixture
def served(door: Door, era: Era) -> MCPClient:
    """The owner at the gunicorn, in each era."""
    return served_by(door, era)


def served_by(door: Door, era: Era) -> MCPClient:
    return MCPClient(door, door.facts["token"], era.versions[0])  # type: ignore[arg-type]


@pytest.fixture
def modern(mcp_for: Callable[..., MCPClient], tenant: Any) -> MCPClient:
    return mcp_for(tenant.owner, era=MODERN)


@pytest.fixture
def legacy(mcp_for: Callable[..., MCPClient], tenant: Any) -> MCPClient:
    return mcp_for(tenant.owner, era=LEGACY)


@pytest.fixture
def modern_served(door: Door) -> MCPClient:
    return served_by(door, MODERN)
