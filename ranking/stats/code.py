"""Digests of code and data, which change whenever the numbers may change."""

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
    """Return the version and eight digits of the code, such as 1.0.0-3fa2c1d9; comments count, line ends do not."""
    digest = sha256()
    for file in sorted(file for package in PACKAGES for file in (RANKING / package).rglob("*.py")):
        digest.update(f"{file.relative_to(RANKING).as_posix()}\n{file.read_text('utf-8')}\n".encode())
    return f"{VERSION}-{digest.hexdigest()[:8]}"


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
