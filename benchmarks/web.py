"""gunicorn in the size of docker-compose.yml, and what its log and the kernel say of it. Linux only: it reads /proc."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.error import URLError
from urllib.request import urlopen

from benchmarks.installation import MANAGE, Installation
from benchmarks.judges import kind_of
from tests.services.composed import WORKERS, programs
from tests.services.family import family, stat, told
from tests.services.waiting import free_port

LOG_FORMAT = "%(m)s %(U)s %(D)s"
SECONDS_TO_START = 60
# A line for each request is written as in use, but by gunicorn, whose lines say what is measured here.
QUIET = {"LOG_LEVEL": "ERROR"}
# The log's line is written after the answer is sent.
SECONDS_TO_LOG = 0.05
TICKS = os.sysconf("SC_CLK_TCK")


class Served(NamedTuple):
    """One request as the server saw it."""

    kind: str
    seconds: float


class Web:
    """A running web server."""

    def __init__(self, port: int, process: int, log: Path):
        self.port = port
        self.process = process
        self._log = log
        self._read = 0

    def served(self) -> list[Served]:
        """The requests since this was asked last, by the server's clock: from reading a request to sending the end."""
        time.sleep(SECONDS_TO_LOG)
        lines = self._log.read_text().splitlines()
        new, self._read = lines[self._read :], len(lines)
        split = (line.split() for line in new)
        return [Served(kind_of(method, path), int(micros) / 1e6) for method, path, micros in split]

    def megabytes(self) -> float:
        """The most memory that the server's processes ever held, summed."""
        return sum(_peak_kibibytes(pid) for pid in family(self.process)) * 1024 / 1e6


@contextmanager
def serving(platform: Installation) -> Iterator[Web]:
    """The platform served, for the time of the block; its log is gunicorn's own, which says how long requests took."""
    platform.manage("collectstatic", "--no-input", "--verbosity", "0")
    port, log = free_port(), platform.folder / "access.log"
    command = [sys.executable, *programs(port, platform.folder)["web"]]
    command += ["--logger-class", "gunicorn.glogging.Logger", "--log-level", "warning"]
    command += ["--access-logfile", str(log), "--access-logformat", LOG_FORMAT]
    with subprocess.Popen(command, env=platform.environment() | QUIET, cwd=MANAGE.parent) as process:
        try:
            _wait(process, port)
            yield Web(port, process.pid, log)
        finally:
            process.terminate()


@contextmanager
def working(platform: Installation) -> Iterator[None]:
    """The workers and the beat, for the time of the block."""
    commands = programs(0, platform.folder)
    with ExitStack() as stack:
        for name in (*WORKERS, "beat"):
            process = subprocess.Popen(
                [sys.executable, *commands[name]], env=platform.environment() | QUIET, cwd=MANAGE.parent,
                stdout=subprocess.DEVNULL,
            )  # fmt: skip
            stack.callback(process.wait)
            stack.callback(process.terminate)
        yield


def _wait(process: subprocess.Popen, port: int) -> None:
    deadline = time.monotonic() + SECONDS_TO_START
    while process.poll() is None and time.monotonic() < deadline:
        try:
            urlopen(f"http://127.0.0.1:{port}/healthz", timeout=2).close()
        except (URLError, OSError):
            time.sleep(0.1)
        else:
            return
    raise SystemExit("The web server did not start.")


def cpu_seconds(*roots: int) -> float:
    """What processes and all below them have computed so far, including those that ended."""
    return sum(_alive(pid) + _ended(pid) for root in roots for pid in family(root))


def _alive(pid: int) -> float:
    """Of a process itself, in nanoseconds, for a request takes less than the ticks in which all else is counted."""
    return sum(int((told(task / "schedstat") or "0").split()[0]) for task in Path(f"/proc/{pid}/task").glob("*")) / 1e9


def _ended(pid: int) -> float:
    """Of its children that are gone, such as the database's closed connections."""
    return sum(map(int, stat(pid)[13:15])) / TICKS


def _peak_kibibytes(pid: int) -> int:
    lines = told(Path(f"/proc/{pid}/status")).splitlines()
    return next((int(line.split()[1]) for line in lines if line.startswith("VmHWM:")), 0)
