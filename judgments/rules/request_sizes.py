"""The size of a request, as its sender declares it."""

from collections.abc import Mapping
from typing import Any

OVERHEAD = 2**20  # bytes of a request other than its files


def declared_length(environ: Mapping[str, Any]) -> int:
    """The length of the body; zero if none is declared, because then Django reads nothing."""
    word = str(environ.get("CONTENT_LENGTH") or "")
    return int(word) if word.isascii() and word.isdigit() else 0


def is_too_much(environ: Mapping[str, Any], most_bytes: int) -> bool:
    """Whether a request with files of up to so many bytes is too large, so that it need not be read."""
    return declared_length(environ) > most_bytes + OVERHEAD
