"""Kernels are compiled once, at the first call, with all kernels that they call."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from ranking.numbers.kernels import kernel, on_compiling


@kernel(cache=False)
def doubled(number):
    return 2 * number


@kernel(cache=False)
def quadrupled(number):
    return doubled(doubled(number))


def test_threads_that_come_first_at_once_compile_once_and_say_so():
    """In other threads than that which listens, as metrics count in them."""
    found, together = [], Barrier(4)
    on_compiling.append(lambda: found.append("compiles"))
    try:
        with ThreadPoolExecutor(4) as pool:
            assert list(pool.map(lambda number: (together.wait(), quadrupled(number))[1], range(4))) == [0, 4, 8, 12]
    finally:
        on_compiling.pop()
    assert len(found) == 2
    assert quadrupled(1) == 4
    assert quadrupled.__name__ == "quadrupled"
