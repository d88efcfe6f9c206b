"""``make bench``: what a request costs the server in CPU, always beside a baseline in the same run.

Wall time on a shared machine is noise, so it is not measured. Subject and baseline take turns, and the lowest round of
each counts: what else runs can only add. Ends in 1 when a limit is not kept.
"""

import argparse
import http.client
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path

from tools.bench.cases import SERVERS, Caller, Case, Request, cases
from tools.bench.server import Server, cpu_seconds, free_port, running

PERSON = "owner@serra-azul.example"


def main() -> int:
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--requests", type=int, default=500, help="requests a round (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=9, help="rounds a case (default: %(default)s)")
    parser.add_argument("--only", default="", help="cases whose name holds this")
    options = parser.parse_args()
    # One origin for all servers: tokens are issued for it, and it is a setting, not where a server stands.
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        env = {**os.environ, "VAR_DIR": folder, "BASE_URL": "http://127.0.0.1:8000", "ALLOWED_HOSTS": "127.0.0.1"}
        env["DJANGO_SETTINGS_MODULE"] = "tools.bench.settings"
        manage(env, "migrate", "-v0")
        manage(env, "seed_demo")
        tokens = [manage(env, "mcp_token", "--user", PERSON, "--resource", path) for path in ("/mcp", "/api/v1")]
        servers: dict[str, Server] = {}
        for name, facts in SERVERS.items():
            log = Path(folder) / f"{name}.log"
            servers[name] = stack.enter_context(running(free_port(), {**env, **facts}, log))
        chosen = [case for case in cases(look_around(servers["bare"], *tokens)) if options.only in case.name]
        kept = [measure(case, servers, options.rounds, options.requests) for case in chosen]
    return int(not all(kept))


def manage(env: Mapping[str, str], *command: str) -> str:
    return subprocess.check_output((sys.executable, "manage.py", *command), env=env, text=True).strip()


def look_around(server: Server, mcp_token: str, api_token: str) -> Caller:
    """The caller with a workspace that has mail, and one of its e-mails."""
    caller = Caller(mcp_token, api_token, "", "")
    for workspace in fetch(server, caller.rest("workspaces", b"data"), without="X-Workspace-Id"):
        there = Caller(mcp_token, api_token, workspace["id"], "")
        found = fetch(server, there.rest("emails?limit=10", b"data"))
        if len(found) == 10:
            return Caller(mcp_token, api_token, workspace["id"], found[0]["id"])
    raise SystemExit("No workspace has ten e-mails.")


def fetch(server: Server, request: Request, without: str = "") -> list[dict[str, str]]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port)
    headers = {name: value for name, value in request.headers.items() if name != without}
    connection.request(request.method, request.path, request.body, headers)
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    if answer.status != 200:
        raise SystemExit(f"{request.path}: {answer.status} {body[:300]!r}")
    found: list[dict[str, str]] = json.loads(body)["data"]
    return found


def measure(case: Case, servers: Mapping[str, Server], rounds: int, requests: int) -> bool:
    """Prints one line; whether the case's limits were kept."""
    pairs = ((case.subject, servers[case.servers[0]]), (case.baseline, servers[case.servers[1]]))
    costs: tuple[list[float], list[float]] = ([], [])
    for request, server in pairs:
        spend(request, server, 50)
    for _ in range(rounds):
        for found, (request, server) in zip(costs, pairs, strict=True):
            found.append(spend(request, server, requests))
    subject, baseline = min(costs[0]), min(costs[1])
    kept = case.is_kept(subject, baseline)
    limits = [f"of {case.times}x" if case.times else "", f"of {case.more:+} ms" if case.more else ""]
    verdict = ("ok" if kept else "OVER") if any(limits) else ""
    print(
        f"{case.name:24} {subject:7.3f} ms   baseline {baseline:7.3f} ms   {subject / baseline:5.2f}x"
        f"  {subject - baseline:+7.3f} ms  {' '.join(filter(None, limits)):11} {verdict}".rstrip(),
        flush=True,
    )
    return kept


def spend(request: Request, server: Server, requests: int) -> float:
    """CPU milliseconds of the server per request, over ``requests`` on one connection; every answer is checked."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port)
    before = cpu_seconds(server.pid)
    for _ in range(requests):
        connection.request(request.method, request.path, request.body, dict(request.headers))
        answer = connection.getresponse()
        body = answer.read()
        if answer.status != 200 or request.expect not in body:
            raise SystemExit(f"{request.path}: unexpected answer {answer.status}: {body[:300]!r}")
    spent = cpu_seconds(server.pid) - before
    connection.close()
    return spent * 1000 / requests


if __name__ == "__main__":
    sys.exit(main())
