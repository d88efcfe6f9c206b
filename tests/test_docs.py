"""What the documentation says is true: the README's curl lines, its links, and the page of settings."""

import json
import re
import shlex
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.conf import settings as django_settings

from kobana_mcp.conf import Settings

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
SETTINGS_PAGE = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
PAGES = [ROOT / "README.md", ROOT / "AGENTS.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]

EXAMPLE = re.compile(r"^```sh\n(curl .*?)^```\s+^```json\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?://)([^)#]+)")


def agrees(answered: Any, printed: Any) -> bool:
    """Equal, members in the same order. A printed text that ends in ``...`` stands for a longer one."""
    if isinstance(printed, dict) and isinstance(answered, dict):
        return list(answered) == list(printed) and all(agrees(answered[name], printed[name]) for name in printed)
    if isinstance(printed, list) and isinstance(answered, list):
        return len(answered) == len(printed) and all(map(agrees, answered, printed))
    if isinstance(printed, str) and printed.endswith("..."):
        return isinstance(answered, str) and answered.startswith(printed[:-3])
    return type(answered) is type(printed) and bool(answered == printed)


@pytest.mark.parametrize("example", list(EXAMPLE.finditer(README)), ids=["initialize", "server/discover", "tools/call"])
def test_curl_lines_of_the_readme_are_answered_as_it_prints_them(example, client, tenant, token_for):
    words = {"$TOKEN": token_for(tenant.owner), "$WORKSPACE": str(tenant.workspace.pk)}
    command = example[1].replace("\\\n", " ")
    for name, value in words.items():
        command = command.replace(name, value)
    _, url, *options = shlex.split(command)
    pairs = list(zip(options[::2], options[1::2], strict=True))
    headers = dict(value.split(": ", 1) for option, value in pairs if option == "-H")
    (body,) = (value for option, value in pairs if option == "-d")
    content_type = headers.pop("Content-Type")

    response = client.post(urlsplit(url).path, body, content_type, headers=headers)

    answered = json.loads(response.content)
    assert response.status_code == 200
    assert agrees(answered, json.loads(example[2])), answered
    assert b"\n" not in response.content


@pytest.mark.parametrize("name", sorted(Settings.__annotations__))
def test_setting_has_a_heading_in_the_docs(name):
    assert re.search(rf"^## `{name}`$", SETTINGS_PAGE, re.MULTILINE)


def test_page_of_settings_names_no_other():
    assert set(re.findall(r"^## `(\w+)`$", SETTINGS_PAGE, re.MULTILINE)) == set(Settings.__annotations__)


def test_every_variable_the_host_reads_is_on_the_page_of_deployment():
    files = [ROOT / "config" / name for name in ("settings.py", "gunicorn.conf.py")]
    source = "".join(file.read_text(encoding="utf-8") for file in files)
    read = set(re.findall(r"""(?:env\.\w+\(|environ\.get\()["'](\w+)["']""", source))
    page = (ROOT / "docs" / "deployment.md").read_text(encoding="utf-8")
    assert read
    assert not {name for name in read if f"| `{name}` |" not in page}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    text = page.read_text(encoding="utf-8")
    assert not [link for link in LINK.findall(text) if not (page.parent / link).exists()]


def test_no_secret_is_part_of_the_repository():
    text = (ROOT / "config" / "settings.py").read_text(encoding="utf-8")
    assert django_settings.SECRET_KEY not in text
