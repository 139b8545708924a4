"""A running platform whose parts can be killed, paused and started, with judges invited and an organiser's token."""

import json
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from threading import Event, RLock, Thread

from tests.services.composed import programs
from tests.services.family import family, signal_all
from tests.services.house import ROOT, SECRET, House
from tests.services.servers import PostgresServer, RedisServer, ServerFailed
from tests.services.texts import write_material
from tests.services.visitor import Visitor
from tests.services.waiting import wait_until

SYSTEMS = 6
LONGEST_STOP = 60


class Program:
    """A program of the platform, started and stopped as servers are; what it says goes into a file."""

    process: subprocess.Popen | None = None

    def __init__(self, house: House, stack: ExitStack, log: Path, *command: str):
        self._house, self._stack, self._log, self._command = house, stack, log, command

    def start(self) -> None:
        if self.process is None or self.process.poll() is not None:
            self.process = self._stack.enter_context(self._house.running(*self._command, log=self._log))

    def kill(self) -> None:
        signal_all(family(self.process.pid), signal.SIGSTOP)
        signal_all(family(self.process.pid), signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(LONGEST_STOP)


class Part:
    """Something that runs and can be disturbed; a supervisor may start it meanwhile, but only if it should run."""

    def __init__(self, name: str, program: Program | PostgresServer | RedisServer):
        self.name = name
        self._program = program
        self._is_wanted = False
        self._changing = RLock()

    def start(self) -> None:
        with self._changing:
            self._is_wanted = True
            self._program.start()

    def kill(self) -> None:
        """End at once, in the middle of its work, with all its processes."""
        with self._changing:
            self._is_wanted = False
            self._program.kill()

    def stop(self) -> None:
        with self._changing:
            self._is_wanted = False
            self._program.stop()

    def revive(self) -> bool:
        """Up again, where it ended without being asked to; whether it had."""
        with self._changing:
            process = self._program.process
            ended = self._is_wanted and (process is None or process.poll() is not None)
            if ended:
                self._program.start()
        return ended

    def family(self) -> list[int]:
        """Its process above all others, and those."""
        assert self._program.process is not None, f"{self.name} is not running"
        return family(self._program.process.pid)

    def pause(self) -> None:
        signal_all(self.family(), signal.SIGSTOP)

    def resume(self) -> None:
        signal_all(self.family(), signal.SIGCONT)

    def kill_one(self, chance: Random) -> None:
        """End one of the processes below the first, where there is any; the first must see to it."""
        if below := self.family()[1:]:
            signal_all([chance.choice(below)], signal.SIGKILL)


class Supervisor(Thread):
    """Starts again what ended by itself, as the restart policy of docker-compose.yml does."""

    def __init__(self, parts: Iterable[Part]):
        super().__init__(daemon=True)
        self.revived: Counter[str] = Counter()
        self._parts = list(parts)
        self._over = Event()

    def run(self) -> None:
        while not self._over.wait(0.5):
            self.revived.update(part.name for part in self._parts if self._revive(part))

    def finish(self) -> None:
        """Leave everything as it is."""
        self._over.set()
        self.join()

    @staticmethod
    def _revive(part: Part) -> bool:
        """What cannot start yet, as a database without room, is tried again."""
        try:
            return part.revive()
        except ServerFailed:
            return False


@dataclass
class Stage:
    """The installation, its parts by name, the tokens of its judges and of its organiser, and its texts."""

    house: House
    parts: Mapping[str, Part]
    judges: list[str]
    organiser: str
    texts: Path

    def start(self) -> None:
        for part in self.parts.values():
            part.start()
        wait_until(Visitor(self.house.address).is_answered, "the web server")

    def ask(self, *words: str) -> dict:
        variables = self.house.variables | {"DJANGO_SETTINGS_MODULE": "appraise_gec.settings"}
        command = [sys.executable, "-m", "tests.faults.within", *words]
        done = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)


@contextmanager
def production(folder: Path, judges: int, sentences: int) -> Iterator[Stage]:
    """What docker-compose.yml starts, by hand, on servers that write to the disk as in earnest."""
    with PostgresServer(durable=True) as postgres, RedisServer(durable=True) as redis, ExitStack() as stack:
        house = House(folder / "data", DATABASE_URL=postgres.url, CELERY_BROKER_URL=redis.url, SECRET_KEY=SECRET)
        servers = [Part("postgres", postgres), Part("redis", redis)]
        processes = _processes(programs(house.port, folder), house, stack, folder)
        yield _installed(house, [*servers, *processes], folder, judges, sentences)


@contextmanager
def embedded(folder: Path, judges: int, sentences: int) -> Iterator[Stage]:
    """What `make demo` starts, as parts: SQLite, and a queue in a folder."""
    with ExitStack() as stack:
        house = House(folder / "data")
        there = programs(house.port, folder)
        alone = ("-m", "celery", "--quiet", "-A", "appraise_gec", "worker", "--pool", "solo", "--without-gossip",
                 "--without-mingle")  # fmt: skip
        commands = {
            "web": (*there["web"], "--preload"),
            "worker": (*alone, "-n", "short@%h", "--queues", "short"),
            "reports": (*alone, "-n", "long@%h", "--queues", "long"),
            "beat": there["beat"],
        }
        yield _installed(house, _processes(commands, house, stack, folder), folder, judges, sentences)


def _processes(commands: Mapping[str, tuple[str, ...]], house: House, stack: ExitStack, folder: Path) -> list[Part]:
    return [Part(name, Program(house, stack, folder / "log", *command)) for name, command in commands.items()]


def _installed(house: House, parts: list[Part], folder: Path, judges: int, sentences: int) -> Stage:
    texts = folder / "texts"
    write_material(texts, sentences, SYSTEMS)
    stage = Stage(house, {part.name: part for part in parts}, [], "", texts)
    made = stage.ask("install", str(texts), str(judges))
    return replace(stage, **made)
