"""Platforms in temporary folders, their servers, and what the kernel says of these; serving needs Linux for that."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory
from typing import NamedTuple
from urllib.error import URLError
from urllib.request import urlopen

from benchmarks.harness import Measured, apart, command
from benchmarks.texts import write_material
from tests.services.composed import WORKERS, programs
from tests.services.family import family, stat, told
from tests.services.judges import kind_of
from tests.services.servers import PostgresServer, RedisServer, ServerUnavailable
from tests.services.waiting import free_port

MANAGE = Path(__file__).resolve().parent.parent / "manage.py"
SECRET = "only-for-benchmarks-0123456789-abcdefghijklmnopqrstuv"  # noqa: S105 (of a platform that lives for minutes)
# A benchmark must touch neither a real database nor a real queue.
NOT_INHERITED = {"DATABASE_URL", "CELERY_BROKER_URL", "DEBUG", "SECRET_KEY"}
LOG_FORMAT = "%(m)s %(U)s %(D)s"
SECONDS_TO_START = 60
# gunicorn's own lines are what is measured here; the platform writes none besides.
QUIET = {"LOG_LEVEL": "ERROR"}
# The log's line is written after the answer is sent.
SECONDS_TO_LOG = 0.05


@dataclass(frozen=True)
class Installation:
    """A platform that keeps everything in one folder."""

    folder: Path
    variables: dict[str, str] = field(default_factory=dict)

    def environment(self) -> dict[str, str]:
        """The variables by which settings find the folder and nothing else."""
        inherited = {name: value for name, value in os.environ.items() if name not in NOT_INHERITED}
        own = {"DATA_DIR": str(self.folder), "DJANGO_SETTINGS_MODULE": "appraise_gec.settings"}
        return inherited | own | self.variables

    def manage(self, *words: str | Path) -> Measured[str]:
        """Run one of the platform's commands."""
        return command([sys.executable, str(MANAGE), *map(str, words)], self.environment())

    def bring_in(self, slug: str, sentences: int, systems: int) -> tuple[Measured, Measured]:
        """Make texts and import them; what either took."""
        texts = self.folder / "texts"
        made = apart(write_material, texts, sentences, systems)
        return made, self.manage("import_outputs", slug, texts)

    def enter(self) -> None:
        """Make this process one of the platform's; its modules can be imported only then."""
        import django

        os.environ.clear()
        os.environ.update(self.environment())
        django.setup()


@contextmanager
def fresh_installation(**variables: str) -> Iterator[Installation]:
    """A migrated platform for the time of the block; on SQLite unless the variables name a database."""
    with TemporaryDirectory(prefix="appraise-benchmark-") as folder:
        installation = Installation(Path(folder), variables)
        if "DATABASE_URL" in variables:
            installation.manage("migrate", "--verbosity", "0")
        else:
            copytree(_migrated().name, folder, dirs_exist_ok=True)
        yield installation


@cache
def _migrated() -> TemporaryDirectory:
    """A folder with an empty platform on SQLite, made once; it is gone when the process ends."""
    folder = TemporaryDirectory(prefix="appraise-benchmark-")
    Installation(Path(folder.name)).manage("migrate", "--verbosity", "0")
    return folder


@contextmanager
def on_servers(queue: bool = False) -> Iterator[tuple[Installation, int]]:
    """A platform on PostgreSQL, and on Redis if there is a queue, both waiting for the disk; the database's process."""
    try:
        with ExitStack() as stack:
            database = stack.enter_context(PostgresServer(durable=True))
            variables = {"DATABASE_URL": database.url, "SECRET_KEY": SECRET}
            if queue:
                variables["CELERY_BROKER_URL"] = stack.enter_context(RedisServer(durable=True)).url
            yield stack.enter_context(fresh_installation(**variables)), database.process.pid
    except ServerUnavailable as reason:
        raise SystemExit(str(reason)) from reason


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
        """The requests since the last call, by the server's clock: from reading a request to sending the end."""
        time.sleep(SECONDS_TO_LOG)
        lines = self._log.read_text().splitlines()
        new, self._read = lines[self._read :], len(lines)
        return [Served(kind_of(method, path), int(micros) / 1e6) for method, path, micros in map(str.split, new)]

    def megabytes(self) -> float:
        """The peak memory of the server's processes, summed."""
        return sum(_peak_kibibytes(pid) for pid in family(self.process)) * 1024 / 1e6


@contextmanager
def serving(platform: Installation, workers: bool = False) -> Iterator[Web]:
    """gunicorn in the size of docker-compose.yml, with workers and beat if asked for, for the time of the block."""
    platform.manage("collectstatic", "--no-input", "--verbosity", "0")
    port, log = free_port(), platform.folder / "access.log"
    commands = programs(port, platform.folder)
    logged = ("--logger-class", "gunicorn.glogging.Logger", "--log-level", "warning")
    access = ("--access-logfile", str(log), "--access-logformat", LOG_FORMAT)
    with ExitStack() as stack:
        for name in (*WORKERS, "beat") if workers else ():
            _start(stack, platform, *commands[name], stdout=subprocess.DEVNULL)
        web = _start(stack, platform, *commands["web"], *logged, *access)
        _wait(web, port)
        yield Web(port, web.pid, log)


def _start(stack: ExitStack, platform: Installation, *words: str, stdout: int | None = None) -> subprocess.Popen:
    environment = platform.environment() | QUIET
    process = subprocess.Popen([sys.executable, *words], env=environment, cwd=MANAGE.parent, stdout=stdout)
    stack.callback(process.wait)
    stack.callback(process.terminate)
    return process


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
    """Of a process itself, in nanoseconds: a request takes less than the ticks in which all else is counted."""
    return sum(int((told(task / "schedstat") or "0").split()[0]) for task in Path(f"/proc/{pid}/task").glob("*")) / 1e9


def _ended(pid: int) -> float:
    """Of its children that are gone, such as the database's closed connections."""
    return sum(map(int, stat(pid)[13:15])) / os.sysconf("SC_CLK_TCK")


def _peak_kibibytes(pid: int) -> int:
    lines = told(Path(f"/proc/{pid}/status")).splitlines()
    return next((int(line.split()[1]) for line in lines if line.startswith("VmHWM:")), 0)
