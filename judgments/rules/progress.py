"""How a long verb tells its caller how far it is."""

from collections.abc import Callable

Progress = Callable[[int, int], None]


def no_progress(done: int, total: int) -> None:
    """For callers that do not look."""
