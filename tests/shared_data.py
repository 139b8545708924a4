"""Published data to check against, where it is at hand: SHARED_DATA, or the folder shared beside the repository."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LACKS = "SHARED_DATA lacks"


def shared(path: str) -> Path:
    """A file or folder of the published data; the test is skipped, by name, where it is missing."""
    found = (ROOT / os.environ.get("SHARED_DATA", "../shared") / path).resolve()
    if not found.exists():
        pytest.skip(f"{LACKS} {path}")
    return found
