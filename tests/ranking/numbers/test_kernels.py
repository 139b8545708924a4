"""Kernels are compiled once, at the first call, with all kernels that they call; without Numba Python runs them."""

import sys
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from threading import Barrier

import numpy as np

from ranking.numbers import kernels
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


@kernel(cache=False)
def hashed(number):
    return (number * 0x1E3779B97F4A7C15) >> 29


def test_without_numba_python_runs_them_with_the_same_overflow_and_says_so_once(monkeypatch, caplog, recwarn):
    number, compiled = np.int64(1 << 40), (hashed, doubled)
    wanted = [one(number) for one in compiled]
    monkeypatch.setitem(sys.modules, "numba", None)
    monkeypatch.setattr(kernels, "_numba", cache(kernels._numba.__wrapped__))
    assert [kernel(one.__wrapped__)(number) for one in compiled] == wanted
    assert [record.getMessage().count("Run: pip install numba") for record in caplog.records] == [1]
    assert not recwarn
