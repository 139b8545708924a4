"""Where commands may write files."""

import os
import stat
from pathlib import Path

from judgments.rules.errors import Refused


def refuse_unwritable(path: Path, is_new: bool = False) -> None:
    """Refuse a path to which a file cannot be written; `is_new` forbids overwriting."""
    if path.is_dir():
        raise Refused(f"{path} is a folder. Give the name of a file in it.")
    if is_new and os.path.lexists(path):
        remove = ", or remove it first" if path.is_file() else ""
        raise Refused(f"{path} exists already. Give another name{remove}.")
    if not path.parent.is_dir():
        raise Refused(f"There is no folder {path.parent}. Create it first, or choose another place.")


def owner_only(path: str, flags: int) -> int:
    """Open a file so that only its owner can read it, even if it existed before."""
    descriptor = os.open(path, flags, 0o600)
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.fchmod(descriptor, 0o600)
    return descriptor
