"""Judging with real servers: gunicorn and PostgreSQL on one machine, simulated judges, and a million assignments.

Judges work one at a time, to measure the CPU time of each request, of web and database processes together. Then all but
a hundredth of the assignments are filled, and other judges continue. The reference is a bare project on the same
servers, which loads a session and its user and inserts a row. Every confirmed answer must be in the database, once.
`load` measures how long judges wait in a crowd.
"""

import asyncio
from collections.abc import Coroutine
from statistics import median
from typing import NamedTuple

from benchmarks.crowd import SLUG, Inserter, assign, check, fill
from benchmarks.harness import Row, apart
from benchmarks.platforms import Installation, Web, on_servers, serving
from tests.services.family import cpu_seconds
from tests.services.judges import Judge, in_turn

SYSTEMS = 10
BY_SCRIPT = {"claim": Judge.claim, "page": Judge.look, "draft": Judge.draft, "answer": Judge.answer, "on": Judge.turn}
BY_FORM = {"form": Judge.answer_by_form, "page": Judge.look, "on": Judge.turn}


class Size(NamedTuple):
    """Sizes; there are two groups of `judges`, who each judge `steps` screens."""

    sentences: int
    screens: int
    rounds: int
    judges: int
    steps: int


# 5,000 batches of 20, two of them repeats, in ten rounds: a million assignments.
FULL = Size(20_000, 90_000, 10, judges=25, steps=20)
# Four batches are left when it is nearly full, one for each late judge and another.
SMALL = Size(100, 720, 10, judges=3, steps=2)


class Cost(NamedTuple):
    """CPU seconds of web and database together, and the server's seconds of each request."""

    cpu: float = 0.0
    served: tuple[float, ...] = ()

    def __add__(self, other: "Cost") -> "Cost":
        return Cost(self.cpu + other.cpu, self.served + other.served)

    @property
    def each(self) -> float:
        return self.cpu / len(self.served)


class Scene(NamedTuple):
    web: Web
    database: int
    loop: asyncio.Runner

    def watch(self, doing: Coroutine[None, None, None]) -> dict[str, Cost]:
        """Measure an action: the server's time by kind of request, and under "all" also the CPU."""
        before = cpu_seconds(self.web.process, self.database)
        self.loop.run(doing)
        served = self.web.served()
        cpu = cpu_seconds(self.web.process, self.database) - before
        by_kind = {
            kind: Cost(0, tuple(one.seconds for one in served if one.kind == kind))
            for kind in {one.kind for one in served}
        }
        return by_kind | {"all": Cost(cpu, tuple(one.seconds for one in served))}

    def row(self, what: str, requests: int, seconds: float, reference: float) -> Row:
        return Row(what, f"{requests:,} requests", seconds, self.web.megabytes(), seconds / reference)


def judging(small: bool) -> list[Row]:
    """Assign, judge, fill, and judge again."""
    size = SMALL if small else FULL
    with on_servers() as (platform, database):
        platform.bring_in(SLUG, size.sentences, SYSTEMS)
        assigned = apart(assign, platform, size.screens, size.rounds, 2 * size.judges)
        assignments, tokens = assigned.value
        with serving(platform, bare=True) as web, asyncio.Runner() as loop:
            scene = Scene(web, database, loop)
            inserters = [Inserter(web.port, "", "", seed) for seed in range(size.judges)]
            scene.watch(in_turn(inserters, Inserter.join))
            inserted = sum((scene.watch(in_turn(inserters, Inserter.insert))["all"] for _ in range(size.steps)), Cost())
        with serving(platform) as web, asyncio.Runner() as loop:
            judges = [Judge(web.port, SLUG, token, seed) for seed, token in enumerate(tokens)]
            rows = _judge(Scene(web, database, loop), platform, judges, size, inserted)
            check(platform, judges)
        return [Row.of("assign", f"{assignments:,} assignments", assigned), *rows]


def _judge(scene: Scene, platform: Installation, judges: list[Judge], size: Size, inserted: Cost) -> list[Row]:
    early, late = judges[: size.judges], judges[size.judges :]
    scene.watch(in_turn(judges, Judge.join))
    bare = sum((scene.watch(in_turn(early, Judge.idle))["all"] for _ in range(size.steps)), Cost())
    empty = _steps(scene, early, size.steps)
    rows = [
        scene.row("reference: CPU of a bare insert", len(inserted.served), inserted.each, inserted.each),
        scene.row("CPU of an empty page", len(bare.served), bare.each, inserted.each),
        *_cpu(scene, empty, inserted),
    ]
    apart(fill, platform)
    full = _steps(scene, late, size.steps)
    for name, what in (("begin", "begin a batch"), ("claim", "claim the next assignment")):
        first, last = (median(costs[name].served) for costs in (empty, full))
        rows.append(scene.row(f"reference: server's time to {what}", len(empty[name].served), first, first))
        rows.append(scene.row(f"nearly full: {what}", len(full[name].served), last, first))
    return rows


def _steps(scene: Scene, judges: list[Judge], steps: int) -> dict[str, Cost]:
    """Measure each action while judges take turns on their screens, by the script and then by plain forms."""
    costs = {"begin": scene.watch(in_turn(judges, Judge.begin))["begin"]}
    for name, act in [*BY_SCRIPT.items()] * steps + [*BY_FORM.items()] * steps:
        assigned = [judge for judge in judges if judge.screen]
        costs[name] = costs.get(name, Cost()) + scene.watch(in_turn(assigned, act))["all"]
    return costs


def _cpu(scene: Scene, costs: dict[str, Cost], bare: Cost) -> list[Row]:
    names = {
        "claim": "CPU to claim the next assignment", "page": "CPU of a screen's page", "draft": "CPU to keep a draft",
        "answer": "CPU to take an answer", "form": "CPU to take an answer and claim, by one form",
    }  # fmt: skip
    rows = [scene.row(what, len(costs[name].served), costs[name].each, bare.each) for name, what in names.items()]
    what, both = "CPU to take an answer and claim, by the script", costs["claim"].each + costs["answer"].each
    return [*rows, scene.row(what, len(costs["answer"].served), both, bare.each)]
