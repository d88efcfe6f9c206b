"""A relay on loopback that adds a bearer token, which the official suite has no option for.

Everything else passes byte for byte: names and order of headers, spaces, Host and Origin; so it is the server that is
tested. One connection to the server for each request.
"""

import contextlib
import socket
import threading
from typing import Any, Final

DROPPED: Final = (b"connection", b"authorization", b"keep-alive", b"proxy-connection")


def start(listener: socket.socket, server: tuple[str, int], token: str) -> None:
    """Relays from ``listener`` in threads, until this process ends."""

    def accept() -> None:
        while True:
            connection, _ = listener.accept()
            threading.Thread(target=_relay, args=(connection, server, token.encode()), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()


def _relay(connection: socket.socket, server: tuple[str, int], token: bytes) -> None:
    with connection, contextlib.suppress(OSError):
        stream = connection.makefile("rb")
        head = _head(stream)
        if not head[0]:
            return
        body = stream.read(_length(head))
        own = [b"Authorization: Bearer " + token, b"Connection: close"]
        request = b"\r\n".join([*_without(head, *DROPPED), *own, b"", b""]) + body
        with socket.create_connection(server, 60) as upstream, upstream.makefile("rb") as answer:
            upstream.sendall(request)
            told = [*_without(_head(answer), *DROPPED), b"Connection: close", b"", b""]
            connection.sendall(b"\r\n".join(told) + answer.read())


def _head(stream: Any) -> list[bytes]:
    """The first line and the headers, as they came."""
    lines = [stream.readline().rstrip(b"\r\n")]
    while lines[-1]:
        lines.append(stream.readline().rstrip(b"\r\n"))
    return lines[:-1] if len(lines) > 1 else lines


def _without(head: list[bytes], *names: bytes) -> list[bytes]:
    return [line for line in head if _name(line) not in names]


def _length(head: list[bytes]) -> int:
    return next((int(line.partition(b":")[2]) for line in head if _name(line) == b"content-length"), 0)


def _name(line: bytes) -> bytes:
    return line.partition(b":")[0].strip().lower()
