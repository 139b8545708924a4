"""A process and all below it, as the kernel reports them. Linux only, for it reads /proc."""

import contextlib
import os
import signal
from pathlib import Path


def family(root: int) -> list[int]:
    parents = {int(path.name): _parent(int(path.name)) for path in Path("/proc").glob("[0-9]*")}
    found = [root]
    for above in found:
        found += [pid for pid, parent in parents.items() if parent == above]
    return found


def read(file: Path) -> str:
    try:
        return file.read_text()
    except (FileNotFoundError, ProcessLookupError):
        return ""


def stat(pid: int) -> list[str]:
    """The fields behind the name, which may itself hold spaces."""
    return read(Path(f"/proc/{pid}/stat")).rpartition(")")[2].split()


def cpu_seconds(*roots: int) -> float:
    """What processes and all below them have computed so far, including those that ended."""
    return sum(_alive(pid) + _ended(pid) for root in roots for pid in family(root))


def _alive(pid: int) -> float:
    """Of a process itself, in nanoseconds: a request takes less than the ticks in which all else is counted."""
    return sum(int((read(task / "schedstat") or "0").split()[0]) for task in Path(f"/proc/{pid}/task").glob("*")) / 1e9


def _ended(pid: int) -> float:
    """Of its children that are gone, such as the database's closed connections."""
    return sum(map(int, stat(pid)[13:15])) / os.sysconf("SC_CLK_TCK")


def peak_bytes(pid: int) -> int:
    lines = read(Path(f"/proc/{pid}/status")).splitlines()
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:")), 0)


def signal_all(pids: list[int], number: signal.Signals) -> None:
    """Send all of them a signal, except those that have ended meanwhile."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)


def _parent(pid: int) -> int:
    return int((stat(pid) or ["", "0"])[1])
