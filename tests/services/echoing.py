"""Servers with one process that answers the size of each request, and connections to them."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from subprocess import Popen

from tests.services.house import House
from tests.services.waiting import wait_until


@contextmanager
def serving(folder: Path, *words: str) -> Iterator[tuple[int, Popen]]:
    """The port and the first process of a server with one process that answers, of two threads."""
    house = House(folder)
    command = ("-m", "gunicorn", "--config", "python:tests.services.impatient", "--bind",
               f"127.0.0.1:{house.port}", *words, "tests.services.echo:app")  # fmt: skip
    with house.running(*command) as server:
        wait_until(lambda: listens(house.port), "the server")
        yield house.port, server


def listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def connected(port: int, stack: ExitStack) -> socket.socket:
    return stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=20))


def answer(connection: socket.socket) -> bytes:
    """What came, up to the end of a body of few bytes."""
    came = b""
    while b"\r\n\r\n" not in came or came.endswith(b"\r\n\r\n"):
        piece = connection.recv(4096)
        if not piece:
            break
        came += piece
    return came
