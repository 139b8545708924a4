"""Judges while strangers are at the door and organisers ask for the heaviest things, with everything really running.

Judges do what they do in `judging`, and nothing is lost there either. First two hundred of them judge alone, ten
seconds a screen; then a thousand, forty seconds a screen; then the two hundred again beside each thing that could slow
them. Reference of every share of their waits is what the same share was when they were alone.
"""

import asyncio
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from statistics import quantiles
from typing import NamedTuple

from benchmarks import large
from benchmarks.besides import BESIDES, Place
from benchmarks.campaign import SLUG, assign, invite, judgments
from benchmarks.installation import Installation, fresh_installation
from benchmarks.judges import Judge, at_once, in_turn
from benchmarks.judging import SECRET, agree
from benchmarks.maker import write_material
from benchmarks.processes import apart
from benchmarks.stubborn import StubbornBrowser
from benchmarks.table import Row
from benchmarks.web import Web, serving, working
from tests.services.servers import PostgresServer, RedisServer, ServerUnavailable

SYSTEMS = 10
LARGE, EMPTY, ORGANISER = "large", "empty", "olga"
KINDS = {"next": "claim", "answer": "submit"}
SHARES = {"p50": 50, "p95": 95, "p99": 99}
PATIENCE = 30


class Size(NamedTuple):
    """How much of everything; a screen takes a judge four pauses."""

    sentences: int
    screens: int
    rounds: int
    shape: large.Shape
    crowd: int
    pause: float
    multitude: int
    long_pause: float
    seconds: float


FULL = Size(4_000, 9_000, 10, large.Shape(), 200, 2.5, 1_000, 10.0, 90)
SMALL = Size(100, 900, 4, large.Shape(judgments=800, judges=10, systems=4), 4, 0.05, 8, 0.1, 1.5)


class Waits(NamedTuple):
    """How long judges waited for answers of each kind, and how many requests they had to repeat."""

    of: dict[str, list[float]]
    requests: int
    again: int

    def share(self, kind: str, percent: int) -> float:
        """So many of a hundred waited no longer than this."""
        return quantiles(self.of[kind], n=100, method="inclusive")[percent - 1]


class Scene(NamedTuple):
    """Where it all happens."""

    web: Web
    place: Place
    loop: asyncio.Runner

    def waits(self, judges: list[Judge], seconds: float, pause: float) -> Waits:
        """What judges wait while they work side by side."""
        before = sum(judge.browser.again for judge in judges)
        for judge in judges:
            judge.browser.waited.clear()
        self.loop.run(at_once(judges, seconds, pause))
        every = [waited for judge in judges for waited in judge.browser.waited]
        of = {kind: [waited.seconds for waited in every if waited.kind == kind] for kind in KINDS}
        return Waits(of, len(every), sum(judge.browser.again for judge in judges) - before)

    def rows(self, what: str, waits: Waits, alone: Waits) -> Iterator[Row]:
        """What came out, against judges who are alone."""
        size = f"{waits.requests:,} requests, {waits.again} repeated"
        for kind, verb in KINDS.items():
            for share, percent in SHARES.items():
                seconds, reference = waits.share(kind, percent), alone.share(kind, percent)
                yield Row(f"{what}: {verb}, {share}", size, seconds, self.web.megabytes(), seconds / reference)


def measure(small: bool) -> list[Row]:
    """Prepare two campaigns, one to be judged and one full of judgments; then all scenes."""
    size = SMALL if small else FULL
    with _servers() as variables, fresh_installation(**variables, SECRET_KEY=SECRET) as platform:
        texts = platform.folder / "texts"
        write_material(texts, size.sentences, SYSTEMS)
        platform.manage("import_outputs", SLUG, texts)
        apart(assign, platform, size.screens, size.rounds)
        programs = apart(invite, platform, size.multitude).value
        token = apart(_organise, platform, size.shape).value
        with serving(platform) as web, working(platform), asyncio.Runner() as loop:
            place = Place(f"http://127.0.0.1:{web.port}", token, LARGE, EMPTY)
            judges = [_judge(web.port, token, seed) for seed, token in enumerate(programs)]
            rows = list(_scenes(Scene(web, place, loop), judges, size))
            agree([key for judge in judges for key in judge.saved], apart(judgments, platform).value)
        return rows


def _scenes(scene: Scene, judges: list[Judge], size: Size) -> Iterator[Row]:
    crowd = judges[: size.crowd]
    scene.loop.run(in_turn(judges, Judge.join))
    alone = scene.waits(crowd, size.seconds, size.pause)
    yield from scene.rows(f"reference: {size.crowd} judges", alone, alone)
    multitude = scene.waits(judges, size.seconds, size.long_pause)
    yield from scene.rows(f"{size.multitude:,} judges", multitude, alone)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as apart_from_judges:
        for name, act in BESIDES.items():
            going_on = apart_from_judges.submit(act, scene.place, size.seconds)
            waits = scene.waits(crowd, size.seconds, size.pause)
            yield from scene.rows(f"{size.crowd} judges, {name}", waits, alone)
            yield Row(f"{name}: {going_on.result()}", "", size.seconds, scene.web.megabytes())


@contextmanager
def _servers() -> Iterator[dict[str, str]]:
    """A database and a queue that write to the disk, as in earnest."""
    try:
        with PostgresServer(durable=True) as database, RedisServer(durable=True) as queue:
            yield {"DATABASE_URL": database.url, "CELERY_BROKER_URL": queue.url}
    except ServerUnavailable as reason:
        raise SystemExit(str(reason)) from reason


def _organise(platform: Installation, shape: large.Shape) -> str:
    """The large campaign and the empty one, and the token of their organiser."""
    platform.enter()
    from django.contrib.auth.models import User

    from judgments.campaigns import settings
    from judgments.judges import programs

    User.objects.create_user(ORGANISER, is_staff=True)
    large.make(LARGE, shape, ORGANISER)
    settings.create(ORGANISER, "recommended", slug=EMPTY, name=EMPTY)
    return programs.token_of(ORGANISER)


def _judge(port: int, token: str, seed: int) -> Judge:
    judge = Judge(port, SLUG, token, seed)
    judge.browser = StubbornBrowser(port, PATIENCE)
    return judge
