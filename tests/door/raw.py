"""The real door: a gunicorn that a test has for itself, and a client that sends exactly the bytes it is told to."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.utils.datastructures import CaseInsensitiveMapping

ROOT = Path(__file__).resolve().parent.parent.parent
SECONDS = 30


@dataclass(frozen=True)
class Answer:
    """What came back, with the names Django's own responses have."""

    status_code: int
    headers: Mapping[str, str]
    content: bytes

    def json(self) -> Any:
        return json.loads(self.content)


@dataclass(frozen=True)
class Door:
    """A gunicorn that is running. Stands in for Django's test client in ``kobana_mcp.testing.MCPClient``.

    Args:
        address: host and port.
        facts: what the function that filled the database returned.
        pid: of gunicorn's master; log: what it wrote.
    """

    address: tuple[str, int]
    facts: Mapping[str, Any]
    pid: int
    log: Path

    def exchange(self, *requests: bytes) -> list[Answer]:
        """Sends one request after the other on one connection; the answer to each."""
        with socket.create_connection(self.address, SECONDS) as connection, connection.makefile("rb") as stream:
            answers = []
            for request in requests:
                with suppress(BrokenPipeError, ConnectionResetError):  # refused half-way; the answer may be there
                    connection.sendall(request)
                answers.append(read_answer(stream, without_body=request.startswith(b"HEAD ")))
            return answers

    def send(self, request: bytes) -> Answer:
        return self.exchange(request)[0]

    def generic(
        self, method: str, path: str, body: bytes, kind: str, *, headers: Mapping[str, str], **_: str
    ) -> Answer:
        """As Django's test client has it."""
        return self.send(
            request_of(method, path, [*headers.items(), *([("Content-Type", kind)] if kind else [])], body)
        )

    def renew_worker(self) -> None:
        """Has the worker replaced by a new one, which remembers nothing; returns once the old one is gone."""
        before = self.log.read_text().count("Worker exiting")
        os.kill(self.pid, signal.SIGHUP)
        until = time.monotonic() + SECONDS
        while self.log.read_text().count("Worker exiting") == before:
            assert time.monotonic() < until, "the worker stays"
            time.sleep(0.05)


def request_of(method: str, path: str, headers: list[tuple[str, str]], body: bytes | None) -> bytes:
    """A request with these headers as they are, and with the length of the body; none where the body is None."""
    names = {name.lower() for name, _ in headers}
    own = [] if "host" in names else [("Host", "127.0.0.1")]
    own += [] if body is None else [("Content-Length", str(len(body)))]
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in [*own, *headers])]
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + (body or b"")


def read_answer(stream: Any, *, without_body: bool = False) -> Answer:
    """One answer. Raises AssertionError for one that does not say where it ends, or ends before."""
    status = stream.readline().split(b" ", 2)
    assert status[0] == b"HTTP/1.1", status
    fields: dict[str, str] = {}
    while line := stream.readline().rstrip(b"\r\n").decode("latin-1"):
        name, _, value = line.partition(":")
        assert name.lower() not in fields, f"{name} is sent twice"
        fields[name.lower()] = value.strip()
    has_none = without_body or status[1] in (b"204", b"304")
    length = 0 if has_none else int(fields["content-length"])
    content = stream.read(length)
    assert len(content) == length, "broken off"
    return Answer(int(status[1]), CaseInsensitiveMapping(fields), content)


@contextmanager
def opened(fill: str, folder: Path, **environment: str) -> Iterator[Door]:
    """A gunicorn with what ``fill`` put into a database in ``folder``. Who connects too early, waits in its socket."""
    log = folder / "gunicorn.log"
    with socket.create_server(("127.0.0.1", 0), backlog=64) as listener, log.open("wb") as errors:
        address = listener.getsockname()
        own = {"VAR_DIR": str(folder), "BIND": f"fd://{listener.fileno()}", "LOG_LEVEL": "INFO"}
        inherited = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.door.serve", fill],
            cwd=ROOT,
            env={**inherited, **own, **environment},
            pass_fds=[listener.fileno()],
            stdout=subprocess.PIPE,
            stderr=errors,
        )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line, log.read_text()
        yield Door(address, json.loads(line), process.pid, log)
    finally:
        process.send_signal(signal.SIGQUIT)  # at once; there is nothing left to finish
        process.communicate(timeout=SECONDS)
