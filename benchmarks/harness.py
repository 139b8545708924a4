"""Shared by all benchmarks: measuring calls and commands, rows of figures, and their table."""

import os
import platform
import re
import resource
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import date
from functools import partial
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Generic, NamedTuple, ParamSpec, TypeVar

from ranking.numbers.version import VERSION
from tests.services.family import peak_bytes

Given = ParamSpec("Given")
Value = TypeVar("Value")

HEADINGS = ("what", "size", "seconds", "MB", "ratio")


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


def measure(module: str, name: str, small: bool) -> list[Row]:
    return getattr(import_module(f"benchmarks.{module}"), name)(small)


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


def write(page: Path, name: str, rows: Sequence[Row]) -> None:
    """Put a table into a page, below the line `<!-- name -->`; rows that begin with a space are details."""
    lines = [HEADINGS, ("---", "---", "---:", "---:", "---:"), *(_cells(row) for row in rows if row.what[0] != " ")]
    _put(page, name, r"(?:\|.*\n)*", "".join(f"| {' | '.join(cells)} |\n" for cells in lines))


def write_machine(page: Path) -> None:
    """Say below the line `<!-- machine -->` when and on what a page is measured."""
    known = Path("/proc/cpuinfo")
    named = re.search(r"model name\s*: (.*)", known.read_text(encoding="utf-8") if known.exists() else "")
    processor = named[1] if named else platform.processor() or platform.machine()
    where = f"{os.cpu_count()} cores of {processor}, {platform.system()}, Python {platform.python_version()}"
    _put(page, "machine", r".*\n", f"Measured on {date.today()}: {where}, version {VERSION}.\n")


def _put(page: Path, name: str, old: str, new: str) -> None:
    text, places = re.subn(
        rf"(?m)^(<!-- {name} -->\n){old}", lambda found: found[1] + new, page.read_text(encoding="utf-8")
    )
    if places != 1:
        raise SystemExit(f"{page} must have one line <!-- {name} --> to write the table below.")
    page.write_text(text, encoding="utf-8")


def _cells(row: Row) -> tuple[str, ...]:
    """Three digits that matter, and two of a ratio."""
    megabytes = f"{row.megabytes:,.0f}" if row.megabytes else ""
    return row.what, row.size, _digits(row.seconds, 3), megabytes, "" if row.ratio is None else _digits(row.ratio, 2)


def _digits(number: float, many: int) -> str:
    before = len(f"{number:.0f}") if number >= 1 else 0
    return f"{number:,.{max(many - before, 0)}f}" if number >= 0.1 else f"{number:.{many}g}"


def _aligned(cell: str, width: int, column: int) -> str:
    return cell.ljust(width) if column < 2 else cell.rjust(width)


def _megabytes(usage: resource.struct_rusage) -> float:
    """Convert; Linux reports kibibytes, macOS bytes."""
    return usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024) / 1e6
