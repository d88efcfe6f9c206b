"""Runs the official conformance suite, and then the official clients as they are, against the fixtures on gunicorn.

usage: python -m tests.conformance.run [suite] [clients]     (both unless told otherwise)

Installs what is not Python into VAR_DIR/conformance, from the lock file beside this: it needs Node 20 or later and npm.
"""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import venv
from collections import Counter
from pathlib import Path

from tests.conformance import relay
from tests.door.raw import ROOT, Door, opened

HERE = Path(__file__).resolve().parent
WORK = Path(os.environ.get("VAR_DIR", ROOT / "var")).resolve() / "conformance"
MODULES = WORK / "node_modules" / "@modelcontextprotocol"
FASTMCP = WORK / "fastmcp" / "bin" / "python"
REVISIONS = ("2026-07-28", "2025-06-18")
STATUSES = ("SUCCESS", "FAILURE", "WARNING", "SKIPPED")
#: One more client, which needs other versions than ours of what both use: in an environment of its own.
FASTMCP_PACKAGE = "fastmcp==4.1.6"


def install() -> None:
    """What ``package-lock.json`` names, anew when it changed."""
    WORK.mkdir(parents=True, exist_ok=True)
    lock = (HERE / "package-lock.json").read_bytes()
    installed = WORK / ".installed"
    if not installed.exists() or installed.read_bytes() != lock:
        for name in ("package.json", "package-lock.json", ".npmrc"):
            shutil.copy(HERE / name, WORK)
        command("npm", "ci", "--no-audit", "--no-fund", "--loglevel=error", cwd=WORK)
        installed.write_bytes(lock)
    if not FASTMCP.exists():
        venv.create(WORK / "fastmcp", with_pip=True)
        command(str(FASTMCP), "-m", "pip", "install", "-qq", FASTMCP_PACKAGE)


def command(*words: str, cwd: Path = ROOT) -> None:
    print("$", *words, flush=True)  # noqa: T201
    subprocess.run(words, cwd=cwd, check=True)


def node(*words: str) -> list[str]:
    """Node 20 lacks a function that the suite imports but does not need for servers."""
    version = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True).stdout
    old = int(version.lstrip("v").partition(".")[0]) < 22
    return ["node", *(["--import", str(HERE / "node20.mjs")] if old else []), *words]


def suite(url: str) -> bool:
    """Whether the official suite finds what the baselines say, at each revision."""
    found = [_suite(url, revision) for revision in REVISIONS]
    return all(found)


def _suite(url: str, revision: str) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        own = ["server", "--url", url, "--suite", "all", "--spec-version", revision, "-o", folder]
        baseline = ["--expected-failures", str(HERE / f"baseline-{revision}.yml")]
        words = node(str(MODULES / "conformance" / "dist" / "index.js"), *own, *baseline)
        done = subprocess.run(words, capture_output=True, text=True, cwd=WORK)
        _report(revision, Path(folder))
    if done.returncode:
        print(done.stdout.partition("Expected failures")[2] or done.stdout[-2000:], done.stderr)  # noqa: T201
    return done.returncode == 0


def reasons(revision: str) -> dict[str, str]:
    """Entry of the baseline -> why it stands there."""
    lines = (HERE / f"baseline-{revision}.yml").read_text(encoding="utf-8").splitlines()
    entries = (line.strip().removeprefix("- ").partition(" # ") for line in lines if line.startswith("  - "))
    return {entry: reason for entry, _, reason in entries}


def _report(revision: str, folder: Path) -> None:
    """A line for whatever is not simply passed, and a total."""
    expected = reasons(revision)
    verdicts, checks, lines = Counter(), Counter(), {}
    for file in sorted(folder.glob("*/checks.json")):
        name = re.sub(r"^server-|-\d{4}-\d\d-\d\dT.*$", "", file.parent.name)
        found = json.loads(file.read_text(encoding="utf-8"))
        counted = Counter(check["status"] for check in found)
        verdicts["failed" if counted["FAILURE"] else "passed" if counted["SUCCESS"] else "skipped"] += 1
        checks += counted
        for check in found:
            if check["status"] in ("FAILURE", "WARNING"):
                entry = f"{name}:{check['id']}"
                reason = expected.get(entry) or expected.get(name)
                lines[f"  expected {name}: {reason}" if reason else f"  {check['status']} {entry}: {check}"] = None
    scenarios = ", ".join(f"{verdicts[verdict]} {verdict}" for verdict in ("passed", "failed", "skipped"))
    details = ", ".join(f"{checks[status]} {status.lower()}" for status in STATUSES)
    print(*lines, f"suite {revision}: scenarios {scenarios}; checks {details}", sep="\n", flush=True)  # noqa: T201


def clients(url: str, token: str) -> bool:
    """Whether every official client, as it is, connects, lists and calls in both eras."""
    script = shutil.copy(HERE / "clients" / "typescript.mjs", WORK)  # its imports are found beside it
    programs = {
        "Python mcp": [sys.executable, str(HERE / "clients" / "python.py")],
        "TypeScript": ["node", str(script)],
        "fastmcp": [str(FASTMCP), str(HERE / "clients" / "fast.py")],
    }
    good = True
    for name, words in programs.items():
        for era in ("2026-07-28", "legacy"):
            print(f"client {name}, {era}", flush=True)  # noqa: T201
            good &= subprocess.run([*words, url, token, era], timeout=120).returncode == 0
    return good


def main(chosen: list[str]) -> int:
    install()
    with socket.create_server(("127.0.0.1", 0)) as listener, tempfile.TemporaryDirectory() as folder:
        port = listener.getsockname()[1]
        own = {"DJANGO_SETTINGS_MODULE": "tests.conformance.settings", "RELAY_PORT": str(port)}
        with opened("tests.conformance.fill.fill", Path(folder), **own) as door:
            relay.start(listener, door.address, door.facts["token"])
            good = _run(door, port, chosen or ["suite", "clients"])
    print("conformance:", "as expected" if good else "NOT AS EXPECTED")  # noqa: T201
    return 0 if good else 1


def _run(door: Door, port: int, chosen: list[str]) -> bool:
    good = True
    if "suite" in chosen:
        good &= suite(f"http://127.0.0.1:{port}/mcp")
    if "clients" in chosen:
        good &= clients(f"http://127.0.0.1:{door.address[1]}/mcp", door.facts["token"])
    return good


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
