"""``make bench``: what a request costs the server in CPU, always beside a baseline in the same run.

Wall time on a shared machine is noise, so it is not measured. Subject and baseline take turns; the median of the rounds
counts. Ends in 1 when a ratio is over its limit.
"""

import argparse
import http.client
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from tools.bench.cases import Case, Request, cases
from tools.bench.server import cpu_seconds, free_port, running

PERSON = "viewer@serra-azul.example"


def main() -> int:
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--requests", type=int, default=1000, help="requests a round (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=5, help="rounds a case (default: %(default)s)")
    parser.add_argument("--only", default="", help="cases whose name holds this")
    options = parser.parse_args()
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        env = {**os.environ, "VAR_DIR": folder, "BASE_URL": f"http://127.0.0.1:{port}"}
        env["DJANGO_SETTINGS_MODULE"] = "tools.bench.settings"
        for command in (("migrate", "-v0"), ("seed_demo",)):
            subprocess.run((sys.executable, "manage.py", *command), env=env, check=True, stdout=subprocess.DEVNULL)
        issue = (sys.executable, "manage.py", "mcp_token", "--user", PERSON)
        token = subprocess.check_output(issue, env=env, text=True)
        chosen = [case for case in cases(token.strip()) if options.only in case.name]
        with running(port, env, Path(folder) / "gunicorn.log") as pid:
            ratios = [measure(case, pid, port, options.rounds, options.requests) for case in chosen]
    return int(any(ratio > case.limit for ratio, case in zip(ratios, chosen, strict=True)))


def measure(case: Case, pid: int, port: int, rounds: int, requests: int) -> float:
    """Prints one line and returns the ratio of the medians."""
    subjects, baselines = list[float](), list[float]()
    spend(case.subject, pid, port, 50)
    spend(case.baseline, pid, port, 50)
    for _ in range(rounds):
        subjects.append(spend(case.subject, pid, port, requests))
        baselines.append(spend(case.baseline, pid, port, requests))
    subject, baseline = median(subjects), median(baselines)
    ratio = subject / baseline
    verdict = "ok" if ratio <= case.limit else "OVER"
    print(f"{case.name:24} {subject:7.3f} ms   baseline {baseline:7.3f} ms   {ratio:5.2f}x of {case.limit}x  {verdict}")
    return ratio


def spend(request: Request, pid: int, port: int, requests: int) -> float:
    """CPU milliseconds of the server per request, over ``requests`` on one connection; every answer is checked."""
    connection = http.client.HTTPConnection("127.0.0.1", port)
    before = cpu_seconds(pid)
    for _ in range(requests):
        connection.request(request.method, request.path, request.body, dict(request.headers))
        answer = connection.getresponse()
        body = answer.read()
        if answer.status != 200 or request.expect not in body:
            raise SystemExit(f"{request.path}: unexpected answer {answer.status}: {body[:300]!r}")
    spent = cpu_seconds(pid) - before
    connection.close()
    return spent * 1000 / requests


if __name__ == "__main__":
    sys.exit(main())
