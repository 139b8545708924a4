"""Digests of code and data, which change whenever the numbers may change."""

import ast
from functools import cache
from hashlib import sha256
from pathlib import Path

import numpy as np

from ranking.numbers.version import VERSION

RANKING = Path(__file__).parent.parent
# The packages that compute the numbers; the bundle of a report contains them.
PACKAGES = ("numbers", "metrics", "stats")


@cache
def code_version() -> str:
    """Return the version and a digest of the code, such as 1.0.0-3fa2c1d9."""
    files = sorted(file for package in PACKAGES for file in (RANKING / package).rglob("*.py"))
    return f"{VERSION}-{digest_of({file.relative_to(RANKING).as_posix(): file.read_text('utf-8') for file in files})}"


def digest_of(sources: dict[str, str]) -> str:
    """Return eight digits that ignore comments, docstrings, formatting and the order of modules."""
    digest = sha256()
    for name, source in sorted(sources.items()):
        digest.update(f"{name}\n{_written(ast.parse(source))}\n".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:8]


def fingerprint_of(*parts: object) -> str:
    """Return twelve digits of arrays of numbers, and of anything else by its `repr`."""
    digest = sha256()
    for part in parts:
        is_column = isinstance(part, np.ndarray)
        digest.update(
            np.ascontiguousarray(part, dtype="<f8").tobytes()
            if is_column
            else repr(part).encode("utf-8", "surrogatepass")
        )
    return digest.hexdigest()[:12]


def _written(part: object) -> str:
    """Dump a syntax tree without empty fields, so that all versions of Python give the same text.

    >>> _written(ast.parse("x = 1  # one"))
    "Module(body=[Assign(targets=[Name(id='x',ctx=Store())],value=Constant(value=1))])"
    """
    if isinstance(part, list):
        return f"[{','.join([_written(one) for one in part if not _is_string(one)])}]"
    if isinstance(part, ast.AST):
        known = [(name, getattr(part, name, None)) for name in part._fields]
        fields = [f"{name}={_written(value)}" for name, value in known if value is not None and value != []]
        return f"{type(part).__name__}({','.join(fields)})"
    return repr(part)


def _is_string(statement: object) -> bool:
    """Whether a statement is a docstring or another unused string."""
    value = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)
