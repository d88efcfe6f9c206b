"""One gunicorn for the length of a run, and the CPU time its processes have used."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tools.wait_for_server import main as wait

PROCESSORS = sorted(os.sched_getaffinity(0))


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@dataclass(frozen=True)
class Server:
    """Where it listens, and the process whose family does its work."""

    port: int
    pid: int


@contextmanager
def running(port: int, env: dict[str, str], log: Path) -> Iterator[Server]:
    """Runs one worker on loopback. Stopped in every case."""
    options = ("--bind", f"127.0.0.1:{port}", "--workers", "1", "--threads", "1", "--access-logfile", "/dev/null")
    command = (sys.executable, "-m", "gunicorn", "--config", "config/gunicorn.conf.py", *options, "config.wsgi")
    with log.open("w") as output, subprocess.Popen(command, env=env, stdout=output, stderr=output) as server:
        try:
            if wait(port, server.pid, 30):
                raise SystemExit(log.read_text())
            _keep_apart(server.pid)
            yield Server(port, server.pid)
        finally:
            server.terminate()


def _keep_apart(pid: int) -> None:
    """The server on one processor and the client on the others: neither empties the other's caches, nor moves about."""
    first, *others = PROCESSORS
    if others:
        for member in (pid, *_children(pid)):
            os.sched_setaffinity(member, {first})
        os.sched_setaffinity(0, others)


def cpu_seconds(pid: int) -> float:
    """What ``pid`` and its children ran on a processor so far, from the scheduler's own books, in nanoseconds there."""
    return sum(_own(member) for member in [pid, *_children(pid)])


def _own(pid: int) -> float:
    threads = Path(f"/proc/{pid}/task").iterdir()
    return sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads) / 1e9


def _children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
