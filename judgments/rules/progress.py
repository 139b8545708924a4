"""How a long operation reports its progress."""

from collections.abc import Callable

Progress = Callable[[int, int], None]


def no_progress(done: int, total: int) -> None:
    """For callers that do not need it."""
