"""Measuring in processes of their own, so that one measurement's memory is not another's."""

import os
import resource
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from time import perf_counter
from typing import Generic, NamedTuple, ParamSpec, TypeVar

Given = ParamSpec("Given")
Value = TypeVar("Value")


class Measured(NamedTuple, Generic[Value]):
    """What came out, after how many seconds, and the most memory that the process ever held."""

    value: Value
    seconds: float
    megabytes: float


def apart(function: Callable[Given, Value], *args: Given.args, **kwargs: Given.kwargs) -> Measured[Value]:
    """Call a function in a fresh process; starting the process and importing the function's module are not timed."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(timed, partial(function, *args, **kwargs)).result()


def timed(call: Callable[[], Value]) -> Measured[Value]:
    """Call a function here and now; within a fresh process what was made ready before is not timed."""
    start = perf_counter()
    value = call()
    seconds = perf_counter() - start
    return Measured(value, seconds, _megabytes(resource.getrusage(resource.RUSAGE_SELF)))


def command(words: Sequence[str], environment: Mapping[str, str]) -> Measured[str]:
    """Run a command from its start to its end; gives what it printed, and stops where it fails."""
    start = perf_counter()
    process = subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, text=True)
    with process:
        said = process.stdout.read() if process.stdout else ""
        # Popen.wait would not say how much memory the process took.
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    seconds = perf_counter() - start
    if process.returncode:
        raise SystemExit(f"{' '.join(words)} failed with status {process.returncode}.")
    return Measured(said, seconds, _megabytes(usage))


def _megabytes(usage: resource.struct_rusage) -> float:
    """Linux counts in kibibytes, macOS in bytes."""
    return usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024) / 1e6
