"""A platform that really runs, with material dealt, judges invited and an organiser's token."""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.maker import write_material
from tests.faults.parts import Part, Process, Server
from tests.services.house import ROOT, House
from tests.services.servers import PostgresServer, RedisServer
from tests.services.visitor import Visitor
from tests.services.waiting import wait_until

SECRET = "only-for-tests-0123456789-abcdefghijklmnopqrstuvwxyz"
SLUG = "faults"
SYSTEMS = 6
ROUNDS = 3
ORGANISER = "olga"
MAKE_ORGANISER = f"""
from django.contrib.auth.models import User
User.objects.create_user("{ORGANISER}", is_staff=True)
"""


@dataclass
class Stage:
    """The installation, its parts by name, the tokens of its judges and of its organiser, and its texts."""

    house: House
    parts: Mapping[str, Part]
    judges: list[str]
    organiser: str
    texts: Path

    def start(self) -> None:
        """Everything is up, and the web server answers."""
        for part in self.parts.values():
            part.start()
        wait_until(Visitor(self.house.address).is_answered, "the web server")

    def ask(self, module: str, *words: str) -> dict:
        """What a program inside the platform says, as JSON."""
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
        programs = {"web": web(house), "worker": worker("--concurrency", "2"), "beat": celery("beat", "--pidfile", "")}
        processes = [Process(name, house, stack, folder / "log", *command) for name, command in programs.items()]
        parts: list[Part] = [Server("postgres", postgres), Server("redis", redis), *processes]
        yield _installed(house, parts, folder, judges, sentences)


@contextmanager
def embedded(folder: Path, judges: int, sentences: int) -> Iterator[Stage]:
    """What `make demo` starts, as parts: SQLite, and a queue in a folder."""
    with ExitStack() as stack:
        house = House(folder / "data")
        alone = worker("--pool", "solo", "-B", "--without-gossip", "--without-mingle")
        programs = {"web": web(house, "--preload"), "worker": alone}
        parts = [Process(name, house, stack, folder / "log", *command) for name, command in programs.items()]
        yield _installed(house, parts, folder, judges, sentences)


def web(house: House, *words: str) -> tuple[str, ...]:
    """gunicorn as the platform starts it."""
    where = f"127.0.0.1:{house.port}"
    return ("-m", "gunicorn", "appraise_gec.wsgi", "--bind", where, "--workers", "2", "--threads", "4",
            "--log-level", "critical", *words)  # fmt: skip


def worker(*words: str) -> tuple[str, ...]:
    """A Celery worker."""
    return celery("worker", "--loglevel", "CRITICAL", *words)


def celery(*words: str) -> tuple[str, ...]:
    """One of Celery's programs."""
    return ("-m", "celery", "-A", "appraise_gec", *words)


def _installed(house: House, parts: list[Part], folder: Path, judges: int, sentences: int) -> Stage:
    texts = folder / "texts"
    write_material(texts, sentences, SYSTEMS)
    house.manage("migrate", "--verbosity", "0")
    house.manage("collectstatic", "--no-input", "--verbosity", "0")
    house.manage("shell", "--no-imports", "-c", MAKE_ORGANISER)
    house.manage("import_outputs", SLUG, str(texts), "--organiser", ORGANISER)
    house.manage("deal_screens", SLUG, "--design", "complete", "--redundancy", str(ROUNDS), "--batch-size", "20",
                 "--repeat-share", "0.1", "--seed", "5")  # fmt: skip
    invited = house.manage("invite_judges", SLUG, *(f"judge-{number}" for number in range(judges)))
    tokens = [line.rstrip("/").rsplit("/", 1)[-1] for line in invited.splitlines()]
    organiser = house.manage("make_token", ORGANISER).strip()
    return Stage(house, {part.name: part for part in parts}, tokens, organiser, texts)
