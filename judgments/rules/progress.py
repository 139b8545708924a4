from collections.abc import Callable, Iterable, Iterator
from contextvars import ContextVar
from typing import TypeVar

Progress = Callable[[int, int], None]
T = TypeVar("T")
# Raises if what is being read is no longer wanted, because its job was cancelled.
still_wanted: ContextVar[Callable[[], None]] = ContextVar("still_wanted", default=lambda: None)


def no_progress(done: int, total: int) -> None:
    pass


def watched(things: Iterable[T], every: int = 1000) -> Iterator[T]:
    """Yield everything, and end with the job that reads it once that was cancelled."""
    check = still_wanted.get()
    for number, thing in enumerate(things):
        if number % every == 0:
            check()
        yield thing
