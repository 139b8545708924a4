"""Shared by all benchmarks: measuring calls and commands, rows of figures, and their table."""

import os
import resource
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from statistics import median
from time import perf_counter, process_time
from typing import Generic, NamedTuple, ParamSpec, TypeVar

from tests.services.family import peak_bytes

Given = ParamSpec("Given")
Value = TypeVar("Value")

HEADINGS = ("what", "size", "seconds", "peak MB", "ratio")


class Measured(NamedTuple, Generic[Value]):
    """A value, its wall-clock seconds and CPU seconds of all cores, and the peak memory of the process."""

    value: Value
    seconds: float
    megabytes: float
    computed: float = 0

    def for_all(self, times: float) -> "Measured[Value]":
        """Extrapolate the seconds from a part of the work."""
        return self._replace(seconds=self.seconds * times)


class Row(NamedTuple):
    """One measurement; its ratio is to a reference measured in the same run."""

    what: str
    size: str
    seconds: float
    megabytes: float
    ratio: float | None = None

    @classmethod
    def of(cls, what: str, size: str, measured: Measured, reference: float | None = None) -> "Row":
        ratio = measured.seconds / reference if reference else None
        return cls(what, size, measured.seconds, measured.megabytes, ratio)


def apart(function: Callable[Given, Value], *args: Given.args, **kwargs: Given.kwargs) -> Measured[Value]:
    """Call a function in a fresh process, to measure its memory alone; starting the process is not timed."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(timed, partial(function, *args, **kwargs)).result()


def timed(call: Callable[[], Value]) -> Measured[Value]:
    start, computed = perf_counter(), process_time()
    value = call()
    seconds, computed = perf_counter() - start, process_time() - computed
    # getrusage may report the peak of the parent process.
    peak = peak_bytes(os.getpid()) / 1e6 or _megabytes(resource.getrusage(resource.RUSAGE_SELF))
    return Measured(value, seconds, peak, computed)


def command(words: Sequence[str], environment: Mapping[str, str]) -> Measured[str]:
    start = perf_counter()
    with subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, text=True) as process:
        printed = process.stdout.read() if process.stdout else ""
        # Popen.wait does not report the memory of the process.
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(words)} failed with status {process.returncode}.")
    return Measured(printed, perf_counter() - start, _megabytes(usage), usage.ru_utime + usage.ru_stime)


def must_agree(is_same: bool, what: str) -> None:
    """Fail if a fast implementation gives another answer than its reference."""
    if not is_same:
        raise SystemExit(f"The reference and the platform disagree on {what}.")


def median_rows(runs: Sequence[Sequence[Row]]) -> list[Row]:
    """Join the rows of several runs; each figure is the median over the runs."""
    return [_median_row(rows) for rows in zip(*runs, strict=True)]


def _median_row(rows: Sequence[Row]) -> Row:
    ratios = [row.ratio for row in rows if row.ratio is not None]
    seconds, megabytes = (median(column) for column in zip(*(row[2:4] for row in rows), strict=True))
    return Row(rows[0].what, rows[0].size, seconds, megabytes, median(ratios) if ratios else None)


def table(title: str, rows: Sequence[Row]) -> str:
    cells = [HEADINGS, *map(_cells, rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = ["  ".join(map(_aligned, line, widths, range(len(widths)))).rstrip() for line in cells]
    return "\n".join([title, *(f"  {line}" for line in lines), ""])


def _cells(row: Row) -> tuple[str, ...]:
    ratio = "" if row.ratio is None else f"{row.ratio:.3g}"
    return row.what, row.size, f"{row.seconds:,.{3 if row.seconds >= 0.1 else 4}f}", f"{row.megabytes:,.0f}", ratio


def _aligned(cell: str, width: int, column: int) -> str:
    return cell.ljust(width) if column < 2 else cell.rjust(width)


def _megabytes(usage: resource.struct_rusage) -> float:
    """Convert; Linux reports kibibytes, macOS bytes."""
    return usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024) / 1e6
