"""Functions that Numba compiles. It is imported when the first of them is called.

Importing Numba takes longer than most commands, and than any page.
"""

import sys
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import cache, cached_property, partial, update_wrapper
from importlib import import_module
from os import cpu_count
from threading import RLock
from types import FunctionType, ModuleType
from typing import Any, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")
# What to call when Numba compiles, which takes seconds, rather than loads what it compiled before; in any thread.
on_compiling: list[Callable[[], object]] = []
# Whether Numba is kept from importing SciPy, which takes as long again, and which only products of matrices need. For
# commands in whose threads nothing else imports it meanwhile.
without_scipy = False
# Threads may reach their first kernels at the same moment.
_LOCK = RLock()


class Kernel:
    """A function that is compiled when it is first called."""

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]):
        self._function = function
        self._options = options
        self._made: Any = None
        update_wrapper(self, function)

    def __call__(self, *arguments: Any) -> Any:
        return self.dispatcher(*arguments)

    @cached_property
    def dispatcher(self) -> Any:
        """Numba's own object."""
        with _LOCK:
            return self._make()

    def _make(self) -> Any:
        """Make it, and those of all kernels in sight: Numba compiles calls of nothing else.

        The module keeps its names, because other threads may use them meanwhile.
        """
        if self._made is None:
            names = dict(self._function.__globals__)
            function = FunctionType(self._function.__code__, names)
            function.__qualname__, function.__doc__ = self._function.__qualname__, self._function.__doc__
            self._made = _numba().njit(**self._options)(function)
            for name, value in names.items():
                if isinstance(value, Kernel):
                    names[name] = value._make()
        return self._made


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
def _numba() -> ModuleType:
    import numba
    from numba.core import event

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
