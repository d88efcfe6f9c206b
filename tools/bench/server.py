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

TICKS = os.sysconf("SC_CLK_TCK")


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
            yield Server(port, server.pid)
        finally:
            server.terminate()


def cpu_seconds(pid: int) -> float:
    """User and system time of ``pid`` and its children so far, from the kernel's own books."""
    return sum(_own(member) for member in [pid, *_children(pid)])


def _own(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def _children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
