"""Installations in temporary folders and their servers; serving needs Linux, to read CPU time and memory."""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from copy import copy
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.harness import Measured, command
from tests.services.composed import WORKERS, programs
from tests.services.family import family, peak_bytes
from tests.services.house import ROOT, SECRET, House
from tests.services.judges import Waited, kind_of
from tests.services.servers import PostgresServer, RedisServer, ServerUnavailable
from tests.services.texts import write_material
from tests.services.visitor import Visitor
from tests.services.waiting import wait_until

LOG_FORMAT = "%(m)s %(U)s %(D)s"
QUIET = {"LOG_LEVEL": "ERROR"}
# gunicorn writes the line after it has sent the answer.
SECONDS_TO_LOG = 0.05


class Installation(House):
    """An installation that keeps everything in one folder."""

    def __init__(self, folder: Path, **variables: str):
        super().__init__(folder, DJANGO_SETTINGS_MODULE="appraise_gec.settings", **variables)
        self.folder = folder

    def manage(self, *words: str | Path) -> Measured[str]:
        return command([sys.executable, str(ROOT / "manage.py"), *map(str, words)], self.variables)

    def bring_in(self, slug: str, sentences: int, systems: int) -> Measured:
        """Make texts and import them."""
        write_material(self.folder / slug, sentences, systems)
        return self.manage("import_outputs", slug, self.folder / slug, "--guidance", "none")

    def enter(self) -> None:
        """Set up Django in this process; only then can modules with models be imported."""
        import django

        os.environ.clear()
        os.environ.update(self.variables)
        django.setup()


@contextmanager
def fresh_installation(**variables: str) -> Iterator[Installation]:
    """Provide a migrated installation, on SQLite unless the variables name a database."""
    with TemporaryDirectory(prefix="appraise-benchmark-") as folder:
        installation = Installation(Path(folder), **QUIET | variables)
        installation.manage("migrate", "--verbosity", "0")
        yield installation


@contextmanager
def on_servers(queue: bool = False) -> Iterator[tuple[Installation, int]]:
    """Provide an installation on durable PostgreSQL, and Redis if there is a queue, and the database's process."""
    try:
        with ExitStack() as stack:
            database = stack.enter_context(PostgresServer(durable=True))
            variables = {"DATABASE_URL": database.url, "SECRET_KEY": SECRET}
            if queue:
                variables["CELERY_BROKER_URL"] = stack.enter_context(RedisServer(durable=True)).url
            yield stack.enter_context(fresh_installation(**variables)), database.process.pid
    except ServerUnavailable as reason:
        raise SystemExit(str(reason)) from reason


class Web:
    def __init__(self, port: int, process: int, log: Path):
        self.port = port
        self.process = process
        self._log = log
        self._read = 0

    def served(self) -> list[Waited]:
        """Return the requests since the last call, timed by the server from reading a request to sending its answer."""
        time.sleep(SECONDS_TO_LOG)
        lines = self._log.read_text().splitlines()
        new, self._read = lines[self._read :], len(lines)
        return [Waited(kind_of(method, path), int(micros) / 1e6) for method, path, micros in map(str.split, new)]

    def megabytes(self) -> float:
        return sum(map(peak_bytes, family(self.process))) / 1e6


@contextmanager
def serving(platform: Installation, workers: bool = False, bare: bool = False) -> Iterator[Web]:
    """Run gunicorn as in docker-compose.yml, optionally with workers and beat, or with the bare project instead."""
    log, commands = platform.folder / ("bare.log" if bare else "access.log"), programs(platform.port, platform.folder)
    application = commands["web"]
    if bare:
        platform = copy(platform)
        platform.variables = platform.variables | {"DJANGO_SETTINGS_MODULE": "benchmarks.bare"}
        command([sys.executable, "-m", "benchmarks.bare"], platform.variables)
        application = tuple(word.replace("appraise_gec.wsgi", "benchmarks.bare") for word in application)
    else:
        platform.manage("collectstatic", "--no-input", "--verbosity", "0")
    logged = ("--logger-class", "gunicorn.glogging.Logger", "--log-level", "warning")
    access = ("--access-logfile", str(log), "--access-logformat", LOG_FORMAT)
    with ExitStack() as stack:
        for name in (*WORKERS, "beat") if workers else ():
            stack.enter_context(platform.running(*commands[name], log=platform.folder / "workers.log"))
        web = stack.enter_context(platform.running(*application, *logged, *access))
        wait_until(Visitor(platform.address).is_answered, "the web server")
        yield Web(platform.port, web.pid, log)
