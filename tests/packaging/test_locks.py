"""The lock files: usable anywhere, complete, and of one mind."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LOCKS = sorted((ROOT / "requirements").glob("*.txt"))
PIN = re.compile(r"^([A-Za-z0-9._-]+)==(\S+)(?: ; (.+?))? \\$", re.MULTILINE)


def pins(lock: Path) -> set[tuple[str, str, str]]:
    return set(PIN.findall(lock.read_text(encoding="utf-8")))


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_lock_names_no_server_and_no_folder_of_a_machine(lock):
    assert not re.search(r"://|^--(?!hash)|(?<![\w.])/\w", lock.read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_every_line_of_a_lock_is_a_pin_with_hashes(lock):
    text = lock.read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    assert len([line for line in lines if not line.startswith("    --hash=sha256:")]) == len(PIN.findall(text)) > 0


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_lock_has_a_django_for_every_python(lock):
    versions = {marker: version for name, version, marker in pins(lock) if name == "django"}
    assert versions["python_full_version < '3.12'"].startswith("5.2.")
    assert versions["python_full_version >= '3.12'"].startswith("6.1.")


@pytest.mark.parametrize("name", ["test.txt", "production.txt"])
def test_locks_hold_the_same_versions(name):
    versions = {(package, version) for package, version, _ in pins(ROOT / "requirements" / "dev.txt")}
    assert {(package, version) for package, version, _ in pins(ROOT / "requirements" / name)} <= versions


def test_what_the_package_needs_is_in_the_production_lock():
    with (ROOT / "pyproject.toml").open("rb") as file:
        needed = tomllib.load(file)["project"]["dependencies"]
    locked = {name for name, _, _ in pins(ROOT / "requirements" / "production.txt")}
    assert {re.split(r"[<>=]", requirement)[0].lower() for requirement in needed} <= locked
