"""Judges at work while strangers attack and organisers request the heaviest operations, with real servers.

Judges work as in `judging`, and no answer may be lost here either. First, two hundred visitors of a bare project insert
a row each time that a judge would send something. Then two hundred judges work alone, half a minute per screen, to
whose waits all others are compared: those of one, of fifty, and of a thousand, a minute per screen, and those of the
two hundred again during each activity that could slow them down.
"""

import asyncio
import json
import secrets
import time
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from http.client import HTTPException
from multiprocessing import get_context
from statistics import quantiles
from typing import Any, NamedTuple
from urllib.error import HTTPError

from benchmarks import large
from benchmarks.crowd import SLUG, Inserter, assign, check
from benchmarks.harness import Row, apart
from benchmarks.platforms import Installation, Web, on_servers, serving
from tests.services.judges import Judge, StubbornBrowser, at_once, in_turn
from tests.services.slow import dawdle
from tests.services.visitor import Visitor

SYSTEMS = 10
LARGE, EMPTY = "large", "empty"
# The rate of one must not refuse the requests of the other.
ORGANISER, UPLOADER = "olga", "uma"
KINDS = {"next": "claim", "answer": "submit"}
SHARES = (50, 95, 99)
PATIENCE = 30
AT_ONCE, UPLOADS_AT_ONCE, SLOW_CLIENTS = 8, 4, 200
BLOCK, BYTES_A_SECOND = 1 << 18, 12_500_000
BOUNDARY = "the-end-of-a-part"
LONGEST_ANSWER, LONGEST_REPORT = 120, 1_800


class Size(NamedTuple):
    """Sizes; a judge pauses four times per screen."""

    sentences: int
    screens: int
    rounds: int
    shape: large.Shape
    few: tuple[int, ...]
    crowd: int
    pause: float
    multitude: int
    long_pause: float
    seconds: float
    lines: int


# Three files of 66,000 lines are 99 MB, and nearly as many lines as are taken at once.
FULL = Size(4_000, 9_000, 10, large.Shape(), (1, 50), 200, 7.5, 1_000, 15.0, 120, 66_000)
SMALL = Size(100, 900, 4, large.Shape(judgments=800, judges=10, systems=4), (1, 2), 4, 0.05, 8, 0.1, 1.5, 200)


class Place(NamedTuple):
    """An address, a token for each organiser, and the lines of a file that is uploaded."""

    address: str
    tokens: dict[str, str]
    lines: int


class Waits(NamedTuple):
    """How long judges waited for answers of each kind, and how many requests they had to repeat."""

    of: dict[str, list[float]]
    requests: int
    again: int

    def share(self, kind: str, percent: int) -> float:
        return quantiles(self.of[kind], n=100, method="inclusive")[percent - 1]


class Scene(NamedTuple):
    web: Web
    place: Place
    loop: asyncio.Runner

    def waits(self, judges: list[Judge], seconds: float, pause: float) -> Waits:
        """Let judges work side by side and record their waits."""
        before = sum(judge.browser.again for judge in judges)
        for judge in judges:
            judge.browser.waited.clear()
        self.loop.run(at_once(judges, seconds, pause))
        every = [waited for judge in judges for waited in judge.browser.waited]
        of = {kind: [waited.seconds for waited in every if waited.kind == kind] for kind in KINDS}
        return Waits(of, len(every), sum(judge.browser.again for judge in judges) - before)

    def rows(self, what: str, waits: Waits, alone: Waits) -> Iterator[Row]:
        for kind, verb in KINDS.items():
            if waits.of[kind]:
                half, most, nearly_all = (waits.share(kind, percent) for percent in SHARES)
                size = f"{waits.requests:,} requests, {waits.again} repeated; p50 {half:.3f}, p99 {nearly_all:.3f}"
                ratio = most / alone.share(kind, SHARES[1])
                yield Row(f"{what}: {verb}, p95", size, most, self.web.megabytes(), ratio)


def load(small: bool) -> list[Row]:
    """Prepare two campaigns, one to judge and one full of judgments; then run all scenes."""
    size = SMALL if small else FULL
    with on_servers(queue=True) as (platform, _):
        platform.bring_in(SLUG, size.sentences, SYSTEMS)
        _, programs = apart(assign, platform, size.screens, size.rounds, size.multitude).value
        tokens = apart(_organise, platform, size.shape).value
        place = Place(platform.address, tokens, size.lines)
        with serving(platform, bare=True) as web, asyncio.Runner() as loop:
            inserters = [_visitor(Inserter, web.port, "", seed) for seed in range(size.crowd)]
            loop.run(in_turn(inserters, Inserter.join))
            scene = Scene(web, place, loop)
            inserted = scene.waits(inserters, size.seconds, size.pause)
            rows = list(scene.rows(f"reference: {size.crowd} bare inserts", inserted, inserted))
        with serving(platform, workers=True) as web, asyncio.Runner() as loop:
            judges = [_visitor(Judge, web.port, token, seed) for seed, token in enumerate(programs)]
            rows += _scenes(Scene(web, place, loop), judges, size)
            check(platform, judges)
        return rows


def _scenes(scene: Scene, judges: list[Judge], size: Size) -> Iterator[Row]:
    crowd = judges[: size.crowd]
    scene.loop.run(in_turn(judges, Judge.join))
    alone = scene.waits(crowd, size.seconds, size.pause)
    yield from scene.rows(f"reference: {size.crowd} judges", alone, alone)
    for few in size.few:
        yield from scene.rows(
            f"{few} judge{'s' * (few > 1)}", scene.waits(crowd[:few], size.seconds, size.pause), alone
        )
    multitude = scene.waits(judges, size.seconds, size.long_pause)
    yield from scene.rows(f"{size.multitude:,} judges", multitude, alone)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as apart_from_judges:
        for name, act in ACTIVITIES.items():
            activity = apart_from_judges.submit(act, scene.place, size.seconds)
            waits = scene.waits(crowd, size.seconds, size.pause)
            yield from scene.rows(f"{size.crowd} judges, {name}", waits, alone)
            yield Row(f"{name}: {activity.result()}", "", size.seconds, scene.web.megabytes())


def _organise(platform: Installation, shape: large.Shape) -> dict[str, str]:
    platform.enter()
    from django.contrib.auth.models import User

    from judgments.campaigns import settings
    from judgments.judges import programs

    for name in (ORGANISER, UPLOADER):
        User.objects.create_user(name, is_staff=True)
    large.make(LARGE, shape, ORGANISER)
    settings.create(UPLOADER, "recommended", slug=EMPTY, name=EMPTY)
    return {name: programs.token_of(name) for name in (ORGANISER, UPLOADER)}


def _visitor(kind: type[Judge], port: int, token: str, seed: int) -> Judge:
    judge = kind(port, SLUG, token, seed)
    judge.browser = StubbornBrowser(port, PATIENCE)
    return judge


def _guess_passwords(place: Place, seconds: float) -> str:
    """Guess passwords for many names, in many threads."""

    def guess() -> int:
        visitor = Visitor(place.address)
        visitor.sign_in(secrets.token_hex(4), secrets.token_hex(8))
        return 200

    return _many(guess, seconds)


def _upload(place: Place, seconds: float) -> str:
    """Upload a source and two systems with an organiser's token, in some threads, each as fast as 100 Mbit/s carry."""
    text = ("This sentence have an error that somebody must to correct ; " * 8 + "and end .\n") * place.lines
    parts = [
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="files"; filename="{name}.txt"\r\n'
        f"Content-Type: text/plain\r\n\r\n{text}\r\n"
        for name in ("source", "one", "two")
    ]
    body = "".join([*parts, f"--{BOUNDARY}--\r\n"]).encode()
    path, kind = f"campaigns/{EMPTY}/uploads/", f"multipart/form-data; boundary={BOUNDARY}"

    def carried() -> Iterator[bytes]:
        begun = time.monotonic()
        for sent in range(0, len(body), BLOCK):
            time.sleep(max(0, begun + sent / BYTES_A_SECOND - time.monotonic()))
            yield body[sent : sent + BLOCK]

    def upload() -> int:
        with _api(place, path, carried(), kind, UPLOADER, len(body)) as answer:
            return answer.status

    return _many(upload, seconds, UPLOADS_AT_ONCE)


def _report(place: Place, seconds: float) -> str:
    """Request a report on the large campaign, and wait until it is over."""
    start, state = time.monotonic(), ""
    with _api(place, f"campaigns/{LARGE}/reports/", b"{}") as answer:
        ordered = json.load(answer)["id"]
    while state not in ("done", "failed") and time.monotonic() < start + LONGEST_REPORT:
        time.sleep(1)
        with _api(place, f"reports/{ordered}/") as answer:
            state = json.load(answer)["state"]
    return f"the report was {state} after {time.monotonic() - start:.0f} s"


def _export(place: Place, seconds: float) -> str:
    """Download the largest export of the large campaign, again and again."""
    end, size, files = time.monotonic() + seconds, 0, 0
    while time.monotonic() < end:
        with _api(place, f"campaigns/{LARGE}/exports/everything.jsonl") as answer:
            while time.monotonic() < end and (block := answer.read(1 << 20)):
                size += len(block)
        files += 1
    return f"{size / 1e6:.0f} MB of {files} files"


def _dawdle(place: Place, seconds: float) -> str:
    """Send requests a byte at a time, and do not complete them."""
    return f"{dawdle(int(place.address.rpartition(':')[2]), SLOW_CLIENTS, seconds, 1):,} connections"


ACTIVITIES: Mapping[str, Callable[[Place, float], str]] = {
    "guessed passwords": _guess_passwords, "uploads": _upload, "a report": _report, "exports": _export,
    "slow clients": _dawdle,
}  # fmt: skip


def _many(act: Callable[[], int], seconds: float, at_once: int = AT_ONCE) -> str:
    """Repeat an action in many threads; count the answers by status."""
    end = time.monotonic() + seconds

    def go_on(_: int) -> Counter[int | str]:
        given: Counter[int | str] = Counter()
        while time.monotonic() < end:
            try:
                given[act()] += 1
            except HTTPError as refusal:
                given[refusal.code] += 1
            except (OSError, HTTPException) as fault:
                given[type(fault).__name__] += 1
        return given

    with ThreadPoolExecutor(at_once) as pool:
        given = sum(pool.map(go_on, range(at_once)), Counter())
    return ", ".join(f"{count:,} x {status}" for status, count in sorted(given.items(), key=str))


def _api(
    place: Place, path: str, body: Any = None, kind: str = "application/json", organiser: str = ORGANISER, size: int = 0
) -> Any:
    signed = {"Authorization": f"Token {place.tokens[organiser]}", **({"Content-Type": kind} if body else {})}
    signed |= {"Content-Length": str(size)} if size else {}
    request = urllib.request.Request(f"{place.address}/api/{path}", body, signed)  # noqa: S310 (our own server)
    return urllib.request.urlopen(request, timeout=LONGEST_ANSWER)  # noqa: S310
