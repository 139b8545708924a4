from collections.abc import Callable, Iterable, Iterator
from contextvars import ContextVar
from typing import TypeVar

Progress = Callable[[int, int], None]
T = TypeVar("T")
# Raises if what is being read is no longer wanted, because its job was cancelled.
check_cancelled: ContextVar[Callable[[], None]] = ContextVar("check_cancelled", default=lambda: None)


def no_progress(done: int, total: int) -> None:
    pass


def unless_cancelled(things: Iterable[T], every: int = 1000) -> Iterator[T]:
    """Yield everything, and end with the job that reads it once that was cancelled."""
    check = check_cancelled.get()
    for number, thing in enumerate(things):
        if number % every == 0:
            check()
        yield thing
