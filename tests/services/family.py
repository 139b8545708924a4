"""A process and all below it, as the kernel tells. Linux only, for it reads /proc."""

import contextlib
import os
import signal
from pathlib import Path


def family(root: int) -> list[int]:
    """A process and all below it."""
    parents = {int(path.name): _parent(int(path.name)) for path in Path("/proc").glob("[0-9]*")}
    found = [root]
    for above in found:
        found += [pid for pid, parent in parents.items() if parent == above]
    return found


def told(file: Path) -> str:
    """What the kernel says; nothing of a process that is gone."""
    try:
        return file.read_text()
    except (FileNotFoundError, ProcessLookupError):
        return ""


def stat(pid: int) -> list[str]:
    """The fields behind the name, which may itself hold spaces."""
    return told(Path(f"/proc/{pid}/stat")).rpartition(")")[2].split()


def signal_all(pids: list[int], number: signal.Signals) -> None:
    """Send all of them a signal; who is gone meanwhile needs none."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)


def _parent(pid: int) -> int:
    return int((stat(pid) or ["", "0"])[1])
