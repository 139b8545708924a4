"""A running platform with assigned material, invited judges and an organiser's token."""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from tests.faults.parts import Part, Process, Server
from tests.services.composed import programs
from tests.services.house import ROOT, SECRET, House
from tests.services.servers import PostgresServer, RedisServer
from tests.services.texts import write_material
from tests.services.visitor import Visitor
from tests.services.waiting import wait_until

SYSTEMS = 6


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

    def ask(self, module: str, *words: str) -> dict:
        variables = self.house.variables | {"DJANGO_SETTINGS_MODULE": "appraise_gec.settings"}
        command = [sys.executable, "-m", module, *words]
        done = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)


@contextmanager
def production(folder: Path, judges: int, sentences: int) -> Iterator[Stage]:
    """What docker-compose.yml starts, by hand, on servers that write to the disk as in earnest."""
    with PostgresServer(durable=True) as postgres, RedisServer(durable=True) as redis, ExitStack() as stack:
        house = House(folder / "data", DATABASE_URL=postgres.url, CELERY_BROKER_URL=redis.url, SECRET_KEY=SECRET)
        servers: list[Part] = [Server("postgres", postgres), Server("redis", redis)]
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
    return [Process(name, house, stack, folder / "log", *command) for name, command in commands.items()]


def _installed(house: House, parts: list[Part], folder: Path, judges: int, sentences: int) -> Stage:
    texts = folder / "texts"
    write_material(texts, sentences, SYSTEMS)
    stage = Stage(house, {part.name: part for part in parts}, [], "", texts)
    made = stage.ask("tests.faults.installing", str(texts), str(judges))
    return replace(stage, **made)
