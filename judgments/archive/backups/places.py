"""Where commands may write, and what to do where they cannot."""

import os
import stat
from pathlib import Path

from judgments.rules.errors import Refused


def refuse_place(path: Path, is_kept: bool = False) -> None:
    """Explain why a file cannot be written there; `is_kept` forbids overwriting."""
    if path.is_dir():
        raise Refused(f"{path} is a folder: give the name of a file in it.")
    if is_kept and os.path.lexists(path):
        remove = ", or remove it first" if path.is_file() else ""
        raise Refused(f"{path} exists already: give another name{remove}.")
    if not path.parent.is_dir():
        raise Refused(f"There is no folder {path.parent}: make it first, or give another place.")


def for_its_owner(path: str, flags: int) -> int:
    """Open a file so that nobody else may read it, even if it existed before."""
    opened = os.open(path, flags, 0o600)
    if stat.S_ISREG(os.fstat(opened).st_mode):
        os.fchmod(opened, 0o600)
    return opened
