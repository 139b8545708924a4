"""What a scoring says on standard error while it runs: how far a metric is, and that kernels are compiled."""

from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TextIO

from ranking.numbers.kernels import on_compiling

BAR_WIDTH = 30
# Seconds between two lines where standard error is not a terminal.
PAUSE = 5


class Bar:
    """The progress of one metric: a bar on a terminal, elsewhere a line every few seconds and at the end."""

    def __init__(self, name: str, stream: TextIO) -> None:
        self.name, self.stream, self.last = name, stream, monotonic()

    def __call__(self, done: int, total: int) -> None:
        is_over = done >= total
        if self.stream.isatty():
            filled = BAR_WIDTH * done // max(total, 1)
            bar = f"[{'#' * filled}{' ' * (BAR_WIDTH - filled)}]"
            self.stream.write(f"\r{bar} {self.name}: {done:,} of {total:,}{chr(10) if is_over else ''}")
        elif is_over or monotonic() - self.last > PAUSE:
            self.last = monotonic()
            self.stream.write(f"{self.name}: {done:,} of {total:,}\n")
        self.stream.flush()


@contextmanager
def compiling_told(name: str, stream: TextIO) -> Iterator[None]:
    """Say so once if Numba compiles anything, which takes long, rather than loads what it compiled before."""
    told = False

    def tell() -> None:
        nonlocal told
        if not told:
            stream.write(f"{name}: compiling, once\n")
            stream.flush()
        told = True

    on_compiling.append(tell)
    try:
        yield
    finally:
        on_compiling.remove(tell)
