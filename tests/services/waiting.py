"""Waiting for something that another process does, with an end."""

import socket
import time
from collections.abc import Callable


def wait_until(
    happened: Callable[[], object], what: str, instead: Callable[[], str] = lambda: "", seconds: float = 300
) -> None:
    """Ask again and again; fail by saying what did not happen."""
    deadline = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < deadline, f"waited {seconds} seconds for {what}; {instead()}"
        time.sleep(0.1)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
