"""Functions that are compiled: ahead of time in a wheel (hatch_build.py), otherwise by Numba when they are called.

Importing Numba takes longer than most commands, and than any page, so it is imported when it has to compile. Where it
is not installed, Python runs them as they are.
"""

import json
import logging
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import cache, cached_property, partial, update_wrapper
from importlib import import_module
from os import cpu_count
from pathlib import Path
from threading import RLock
from types import FunctionType, ModuleType
from typing import Any, TypeVar

import numpy as np

Item = TypeVar("Item")
Result = TypeVar("Result")
# What to call when Numba compiles, which takes seconds, rather than loads what it compiled before; in any thread.
on_compiling: list[Callable[[], object]] = []
# Whether Numba is kept from importing SciPy, which takes as long again, and which only products of matrices need. For
# commands in whose threads nothing else imports it meanwhile.
without_scipy = False
# What hatch_build.py says of the kernels that it compiled into the module beside it.
TABLE = Path(__file__).with_name("compiled.json")
# Threads may reach their first kernels at the same moment.
_LOCK = RLock()
_LOG = logging.getLogger(__name__)
LACKING = (
    "Numba cannot be imported (%s): kernels that are not compiled here run in plain Python, up to a hundred times"
    " slower. Run: pip install numba"
)


class Kernel:
    """A function that is compiled when it is first called."""

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]):
        self._function = function
        self._options = options
        self._made: Any = None
        update_wrapper(self, function)

    def __call__(self, *arguments: Any) -> Any:
        ahead = _ahead().get(self.name)
        # The module checks nothing, so kinds must be the same.
        compiled = ahead and ahead.get(kinds_of(arguments))
        return (compiled or self.dispatcher)(*arguments)

    @property
    def name(self) -> str:
        return f"{self._function.__module__}.{self._function.__qualname__}"

    @cached_property
    def dispatcher(self) -> Any:
        """Numba's own object; without Numba a function whose integers overflow as silently."""
        with _LOCK:
            made = self._make()
            return made if _numba() else np.errstate(over="ignore")(made)

    def _make(self) -> Any:
        """Make it, and those of all kernels in sight: Numba compiles calls of nothing else, and plain ones are faster.

        The module keeps its names, because other threads may use them meanwhile.
        """
        if self._made is None:
            names = dict(self._function.__globals__)
            function = FunctionType(self._function.__code__, names)
            function.__qualname__, function.__doc__ = self._function.__qualname__, self._function.__doc__
            numba = _numba()
            self._made = numba.njit(**self._options)(function) if numba else function
            for name, value in names.items():
                if isinstance(value, Kernel):
                    names[name] = value._make()
        return self._made


def kinds_of(arguments: Iterable[Any]) -> str:
    """Write down the types of values, and the layout of arrays: what code is compiled for."""
    return ",".join(map(_kind_of, arguments))


def _kind_of(value: Any) -> str:
    if isinstance(value, np.ndarray):
        layout = "C" if value.flags.c_contiguous else "F" if value.flags.f_contiguous else "A"
        return f"{value.dtype.str}{value.ndim}:{layout}{'' if value.flags.writeable else 'r'}"
    if isinstance(value, tuple):
        return f"{type(value).__name__}({kinds_of(value)})"
    return value.dtype.str if isinstance(value, np.generic) else type(value).__name__


@cache
def _ahead() -> dict[str, dict[str, Callable[..., Any]]]:
    """What was compiled ahead of time, by the kernel's name and the kinds of its arguments; empty in a checkout."""
    if not TABLE.exists():
        return {}
    made = json.loads(TABLE.read_text(encoding="utf-8"))
    has = import_module("numpy._core._multiarray_umath").__cpu_features__
    if made["features"] and not any(has.get(name) for name in made["features"]):
        return {}  # an older processor would end the process
    try:
        compiled = import_module("ranking.numbers.compiled")
    except ImportError:  # of another Python
        return {}
    return {
        name: {kinds: getattr(compiled, symbol) for kinds, symbol in signatures.items()}
        for name, signatures in made["kernels"].items()
    }


def in_threads(work: Callable[[Item], Result], items: Iterable[Item]) -> list[Result]:
    """Do work with kernels, which need no lock, on all processors; the results are in order."""
    with ThreadPoolExecutor(cpu_count()) as pool:
        return list(pool.map(work, items))


def kernel(function: Callable[..., Any] | None = None, **options: Any) -> Any:
    """Declare a kernel, with or without options for `numba.njit`; the compiled code is kept in files."""
    if function is None:
        return partial(kernel, **options)
    return Kernel(function, {"cache": True, "nogil": True} | options)


@cache
def _numba() -> ModuleType | None:
    try:
        import numba
        from numba.core import event
    except ImportError as reason:
        _LOG.warning(LACKING, reason)
        return None
    if without_scipy and "scipy.linalg" not in sys.modules:
        known = {"scipy": sys.modules["scipy"]} if "scipy" in sys.modules else {}
        sys.modules["scipy"] = None  # type: ignore[assignment]
        import_module("numba.np.arraymath")
        del sys.modules["scipy"]
        sys.modules.update(known)

    class Listener(event.Listener):
        def on_start(self, event: Any) -> None:
            for tell in on_compiling:
                tell()

        def on_end(self, event: Any) -> None: ...

    event.register("numba:compile", Listener())
    return numba
