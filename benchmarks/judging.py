"""Judging with real servers: gunicorn and PostgreSQL on one machine, simulated judges, and a million dealt seats.

Judges in turn tell what a request costs in CPU, of web and database processes together; judges at once, with time to
think, tell how long a request takes. Then all but a hundredth of the seats are filled and other judges come. The
reference is an empty page of the same server. Whatever a judge was told is saved must be in the database, once.
"""

import asyncio
from collections.abc import Coroutine
from statistics import median, quantiles
from typing import NamedTuple

from benchmarks.crowd import SLUG, check, deal, fill
from benchmarks.harness import Row, apart
from benchmarks.platforms import Installation, Web, cpu_seconds, on_servers, serving
from tests.services.judges import Judge, at_once, in_turn

SYSTEMS = 10
BY_SCRIPT = {"claim": Judge.claim, "page": Judge.look, "draft": Judge.draft, "answer": Judge.answer, "on": Judge.turn}
BY_FORM = {"form": Judge.answer_by_form, "page": Judge.look, "on": Judge.turn}

# Fewer requests of a kind say nothing of its slowest twentieth.
OFTEN = 20


class Size(NamedTuple):
    """How much of everything: judges in turn and the screens of each; crowds, their seconds and pauses."""

    sentences: int
    screens: int
    rounds: int
    in_turn: int
    steps: int
    crowds: tuple[int, ...]
    seconds: float
    pause: float


# 5,000 batches of 20, two of them repeats, in ten rounds: a million seats. A screen takes a judge ten seconds.
FULL = Size(20_000, 90_000, 10, in_turn=25, steps=20, crowds=(50, 200), seconds=60, pause=2.5)
SMALL = Size(100, 1_800, 10, in_turn=3, steps=2, crowds=(4, 8), seconds=1, pause=0.05)


class Cost(NamedTuple):
    """What requests took: CPU seconds of web and database together, and the server's seconds of each."""

    cpu: float = 0.0
    served: tuple[float, ...] = ()

    def __add__(self, other: "Cost") -> "Cost":
        return Cost(self.cpu + other.cpu, self.served + other.served)

    @property
    def each(self) -> float:
        """CPU seconds of one request."""
        return self.cpu / len(self.served)


class Scene(NamedTuple):
    """The servers that are measured, and the loop in which judges act."""

    web: Web
    database: int
    loop: asyncio.Runner

    def watch(self, doing: Coroutine[None, None, None]) -> dict[str, Cost]:
        """What something took: under the kind of each request the server's time, under "all" the CPU as well."""
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
        """A row about requests."""
        return Row(what, f"{requests:,} requests", seconds, self.web.megabytes(), seconds / reference)


def judging(small: bool) -> list[Row]:
    """Deal, judge in turn and at once, fill, and judge again."""
    size = SMALL if small else FULL
    with on_servers() as (platform, database):
        platform.bring_in(SLUG, size.sentences, SYSTEMS)
        dealt = apart(deal, platform, size.screens, size.rounds, size.crowds[-1] + size.crowds[0])
        seats, tokens = dealt.value
        with serving(platform) as web, asyncio.Runner() as loop:
            judges = [Judge(web.port, SLUG, token, seed) for seed, token in enumerate(tokens)]
            rows = _judge(Scene(web, database, loop), platform, judges, size)
            check(platform, judges)
        return [Row.of("deal", f"{seats:,} seats", dealt), *rows]


def _judge(scene: Scene, platform: Installation, judges: list[Judge], size: Size) -> list[Row]:
    """All that happens while the servers run."""
    early, late = judges[: size.crowds[-1]], judges[size.crowds[-1] :]
    scene.watch(in_turn(judges, Judge.join))
    bare = _repeated(scene, early[: size.in_turn], size.steps)
    empty = _steps(scene, early[: size.in_turn], size.steps)
    rows = [
        scene.row("reference: CPU of an empty page", len(bare.served), bare.each, bare.each),
        *_cpu(scene, empty, bare),
    ]
    quick = median(bare.served)
    rows.append(scene.row("reference: server's time of an empty page", len(bare.served), quick, quick))
    for number in size.crowds:
        rows += _crowd(scene, f"{number} judges", early[:number], size, bare)
    apart(fill, platform)
    full = _steps(scene, late[: size.in_turn], size.steps)
    for name, what in (("begin", "begin a batch"), ("claim", "claim the next seat")):
        first, last = (median(costs[name].served) for costs in (empty, full))
        rows.append(scene.row(f"reference: server's time to {what}", len(empty[name].served), first, first))
        rows.append(scene.row(f"nearly full: {what}", len(full[name].served), last, first))
    return [*rows, *_crowd(scene, f"nearly full: {len(late)} judges", late, size, bare)]


def _repeated(scene: Scene, judges: list[Judge], times: int) -> Cost:
    """The page that does nothing."""
    return sum((scene.watch(in_turn(judges, Judge.idle))["all"] for _ in range(times)), Cost())


def _steps(scene: Scene, judges: list[Judge], steps: int) -> dict[str, Cost]:
    """What each act takes while judges in turn go from screen to screen, by the script and then by plain forms."""
    costs = {"begin": scene.watch(in_turn(judges, Judge.begin))["begin"]}
    for name, act in [*BY_SCRIPT.items()] * steps + [*BY_FORM.items()] * steps:
        seated = [judge for judge in judges if judge.screen]
        costs[name] = costs.get(name, Cost()) + scene.watch(in_turn(seated, act))["all"]
    return costs


def _cpu(scene: Scene, costs: dict[str, Cost], bare: Cost) -> list[Row]:
    names = {
        "claim": "CPU to claim the next seat",
        "page": "CPU of a screen's page",
        "draft": "CPU to keep a draft",
        "answer": "CPU to take an answer",
        "form": "CPU to take an answer and claim, by one form",
    }
    rows = [scene.row(what, len(costs[name].served), costs[name].each, bare.each) for name, what in names.items()]
    both = costs["claim"].each + costs["answer"].each
    return [
        *rows,
        scene.row("CPU to take an answer and claim, by the script", len(costs["answer"].served), both, bare.each),
    ]


def _crowd(scene: Scene, who: str, judges: list[Judge], size: Size, bare: Cost) -> list[Row]:
    """How long requests take while judges work side by side, by the server's clock and by theirs."""
    for judge in judges:
        judge.browser.waited.clear()
    costs = scene.watch(at_once(judges, size.seconds, size.pause))
    everything, count = costs.pop("all"), sum(len(cost.served) for cost in costs.values())
    often = [cost for cost in costs.values() if len(cost.served) >= OFTEN]
    times = {
        "server's time, p95": _p95(everything.served),
        "server's time, p95 of the slowest kind": max(_p95(cost.served) for cost in often or [everything]),
        "judge's time, p95": _p95([waited.seconds for judge in judges for waited in judge.browser.waited]),
    }
    return [scene.row(f"{who}: {what}", count, seconds, median(bare.served)) for what, seconds in times.items()]


def _p95(seconds: list[float] | tuple[float, ...]) -> float:
    return quantiles(seconds, n=20)[-1] if len(seconds) > 1 else seconds[0]
