"""docs/add-to-your-project.md, done: a wheel, a new project, the page's own blocks, and the official client."""

import asyncio
import json
import os
import re
import signal
import socket
import subprocess
import sys
import sysconfig
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "add-to-your-project.md"
BLOCK = re.compile(r'^```python title="(?P<file>[^"]+)"\n(?P<code>.*?)^```$', re.MULTILINE | re.DOTALL)

ALICE = """
from django.contrib.auth.models import User
from notes.models import Note
alice = User.objects.create_user("alice")
Note.objects.create(owner=alice, text="Water the plants")
Note.objects.create(owner=User.objects.create_user("bob"), text="Not for alice")
"""


def environment() -> dict[str, str]:
    """The environment of a stranger: nothing of this test's own Django reaches the new project."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("DJANGO", "PYTHON"))}


def run(*command: str | Path, cwd: Path) -> str:
    """What a command printed."""
    done = subprocess.run(command, cwd=cwd, env=environment(), capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout.strip()


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", out, cwd=ROOT)
    (built,) = out.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new environment that holds the wheel. Its dependencies are lent by the environment of the tests."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False)
    executable = folder / "bin" / "python"
    own = Path(run(executable, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=folder))
    (own / "lent.pth").write_text(sysconfig.get_path("purelib") + "\n")
    run(sys.executable, "-m", "pip", "--python", executable, "install", "-qq", "--no-index", wheel, cwd=folder)
    found = run(executable, "-c", "import kobana_mcp; print(kobana_mcp.__file__)", cwd=folder)
    assert Path(found).is_relative_to(folder)
    return executable


@pytest.fixture(scope="module")
def address() -> str:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{free.getsockname()[1]}"


@pytest.fixture(scope="module")
def project(python: Path, address: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new project, to which the blocks of the page were added in the page's order."""
    folder = tmp_path_factory.mktemp("project")
    run(python, "-m", "django", "startproject", "project", ".", cwd=folder)
    run(python, "manage.py", "startapp", "notes", cwd=folder)
    for block in BLOCK.finditer(PAGE.read_text(encoding="utf-8")):
        with (folder / block["file"]).open("a", encoding="utf-8") as file:
            file.write("\n" + block["code"])
    with (folder / "project" / "settings.py").open("a", encoding="utf-8") as settings:
        settings.write(f'KOBANA_MCP["BASE_URL"] = "http://{address}"  # the one value that is not the page\'s\n')
    return folder


@pytest.fixture(scope="module")
def token(python: Path, project: Path) -> str:
    run(python, "manage.py", "makemigrations", "notes", cwd=project)
    run(python, "manage.py", "check", "--fail-level", "WARNING", cwd=project)
    run(python, "manage.py", "migrate", cwd=project)
    run(python, "manage.py", "shell", "-c", ALICE, cwd=project)
    return run(python, "manage.py", "mcp_token", "--user", "alice", "--scope", "notes:read", cwd=project)


@pytest.fixture(scope="module")
def endpoint(python: Path, project: Path, address: str, token: str) -> Iterator[str]:
    command = [python, "-m", "gunicorn", "project.wsgi", "--bind", address, "--no-control-socket"]
    with (
        (project / "gunicorn.log").open("w") as log,
        subprocess.Popen(command, cwd=project, env=environment(), stderr=log) as server,
    ):
        try:
            run(sys.executable, ROOT / "tools" / "wait_for_server.py", address.split(":")[1], str(server.pid), cwd=ROOT)
            yield f"http://{address}/mcp"
        finally:
            server.send_signal(signal.SIGTERM)


def test_wheel_holds_the_package_and_nothing_else(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"kobana_mcp"}
    assert "kobana_mcp/py.typed" in names
    shipped = {name for name in names if name.startswith("kobana_mcp/")}
    kept = {path for path in (ROOT / "kobana_mcp").rglob("*") if path.is_file() and "__pycache__" not in path.parts}
    assert shipped == {str(path.relative_to(ROOT)) for path in kept}


def test_official_client_lists_and_calls_the_tool_of_a_new_project_in_both_eras(endpoint, token):
    async def visit(mode: str) -> tuple[list[str], str]:
        async with (
            httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=30) as http,
            Client(streamable_http_client(endpoint, http_client=http), mode=mode) as client,
        ):
            tools = await client.list_tools()
            result = await client.call_tool("notes_list", {})
            assert not result.is_error
            return [tool.name for tool in tools.tools], result.content[0].text

    for mode in ("2026-07-28", "legacy"):
        names, text = asyncio.run(visit(mode))
        assert names == ["notes_list"]  # the token has no notes:write
        assert json.loads(text) == [{"id": 1, "text": "Water the plants"}]
