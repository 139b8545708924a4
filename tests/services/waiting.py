"""Waiting for something that another process does, with an end."""

import socket
import time
from collections.abc import Callable


def wait_until(
    happened: Callable[[], object], what: str, instead: Callable[[], str] = lambda: "", seconds: float = 300
) -> None:
    """Ask again and again, but mostly leave the processor to others; fail by saying what did not happen."""
    asked = time.monotonic()
    deadline = asked + seconds
    while not happened():
        took = time.monotonic() - asked
        assert asked + took < deadline, f"waited {seconds} seconds for {what}; {instead()}"
        time.sleep(min(max(0.1, 2 * took), 5))
        asked = time.monotonic()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
