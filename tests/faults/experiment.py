"""Judges and an organiser at work while parts of the platform are disturbed; then everything is counted."""

import asyncio
import json
import time
import urllib.request
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from http.client import HTTPException
from math import inf, isfinite
from pathlib import Path
from random import Random
from threading import Event, Thread
from time import perf_counter
from typing import Any
from urllib.error import HTTPError
from uuid import uuid4

from tests.faults.disturbances import Disturbance
from tests.faults.stage import Stage, Supervisor
from tests.faults.within import SLUG
from tests.services.judges import BETWEEN, Judge, Refused, StubbornBrowser

# What is stale is queued again after a minute, and looked for every minute.
SECONDS_TO_RECOVER = 240
PATIENCE_OF_JUDGES = 5
SECONDS_TO_END = 120
PATIENCE = 10
CHOICES = {"replicates": 200, "methods": ["expected-wins"]}
BOUNDARY = "the-end-of-a-part"


class StubbornJudge(Judge):
    """Sends an answer until the server says something, as the page's script does.

    Remembers what was sent under which key, and which of it the server confirmed.
    """

    browser: StubbornBrowser

    def __init__(self, port: int, slug: str, token: str, seed: int):
        super().__init__(port, slug, token, seed)
        self.browser = StubbornBrowser(port, PATIENCE_OF_JUDGES)
        self.sent: dict[str, dict[str, str]] = {}
        self.refused: list[str] = []
        self._goal = inf
        self._has_left = False

    def end(self) -> None:
        """One more answer, and no more screens after it."""
        self._goal = len(self.saved) + 1
        self.browser.until = perf_counter() + SECONDS_TO_END

    async def come_and_judge(self, pause: float) -> None:
        """Screen after screen; a refusal, as when an assignment went to somebody else, leads back to the beginning."""
        await self._come()
        while len(self.saved) < self._goal and not self._has_left:
            try:
                await self._one_screen(pause)
            except Refused as refusal:
                self.refused.append(str(refusal))
                self.screen = None

    async def _come(self) -> None:
        """Press again, as people do when nothing seems to happen."""
        while True:
            try:
                return await self.join()
            except Refused as refusal:
                self.refused.append(str(refusal))

    async def _one_screen(self, pause: float) -> None:
        if self.screen is None:
            await self.begin()
        if self.screen is None:  # there is nothing left
            self._has_left = isfinite(self._goal)
            await asyncio.sleep(BETWEEN)
            return
        await self.claim()
        await self.look()
        await self._think(pause)
        await self.draft()
        await self._think(pause)
        await self.answer()
        await self.turn()

    def _filled(self) -> dict[str, str]:
        """The same ranks under the same key, however often they are sent."""
        assert self.screen is not None
        return self.sent.setdefault(self.screen.key, super()._filled())


class Crowd(Thread):
    """Judges who work side by side in a loop of their own until stopped."""

    def __init__(self, stage: Stage, pause: float):
        super().__init__(daemon=True)
        self.judges = [StubbornJudge(stage.house.port, SLUG, token, seed) for seed, token in enumerate(stage.judges)]
        self.fault: BaseException | None = None
        self._pause = pause

    def run(self) -> None:
        try:
            asyncio.run(self._judge())
        except BaseException as fault:  # reported when the experiment ends
            self.fault = fault

    def finish(self) -> None:
        for judge in self.judges:
            judge.end()
        self.join(SECONDS_TO_RECOVER)
        if self.fault:
            raise self.fault

    async def _judge(self) -> None:
        async with asyncio.TaskGroup() as group:
            for judge in self.judges:
                group.create_task(judge.come_and_judge(self._pause))


class Organiser(Thread):
    """A program that asks for reports and hands texts in, again and again until it is answered and stopped."""

    def __init__(self, stage: Stage):
        super().__init__(daemon=True)
        self.reports: list[int] = []
        self.campaigns: list[str] = []
        self.fault: Exception | None = None
        self._stage = stage
        self._over = Event()

    def run(self) -> None:
        try:
            while not self._over.is_set():
                self._campaign(f"extra-{len(self.campaigns)}")
                self._report(len(self.reports))
        except Exception as fault:  # reported when the experiment ends
            self.fault = fault

    def finish(self) -> None:
        self._over.set()
        self.join(SECONDS_TO_RECOVER + 60)
        if self.fault:
            raise self.fault

    def _report(self, seed: int) -> None:
        report = self._post(f"campaigns/{SLUG}/reports/", CHOICES | {"seed": seed})
        self.reports.append(report["id"])
        self._follow(f"reports/{report['id']}/", lambda reply: reply["state"] in ("done", "failed"))

    def _campaign(self, slug: str) -> None:
        self._post("campaigns/", {"slug": slug, "name": slug, "protocol": "ranking"})
        files = sorted(self._stage.texts.iterdir())
        upload = self._post(f"campaigns/{slug}/uploads/", multipart(files), f"multipart/form-data; boundary={BOUNDARY}")
        address = f"campaigns/{slug}/uploads/{upload['id']}/"
        seen = self._follow(address, lambda reply: reply["state"] in ("done", "failed"))
        if seen["state"] == "done":
            self._post(f"{address}store/", {})
            self._follow(address, lambda reply: reply["is_stored"] or reply["state"] == "failed")
        self.campaigns.append(slug)

    def _post(self, address: str, body: dict[str, Any] | bytes, kind: str = "application/json") -> dict[str, Any]:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        return self._ask(address, content, {"Content-Type": kind, "Idempotency-Key": uuid4().hex})

    def _follow(self, address: str, is_over: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        end = time.monotonic() + SECONDS_TO_RECOVER
        while not is_over(reply := self._ask(address)):
            assert time.monotonic() < end, f"{address} is never over: {reply}"
            time.sleep(BETWEEN)
        return reply

    def _ask(self, address: str, content: bytes | None = None, headers: dict[str, str] | None = None) -> dict[str, Any]:
        """Ask again while the server is away; the key makes sure that nothing is done twice."""
        url = f"{self._stage.house.address}/api/{address}"
        headers = {"Authorization": f"Token {self._stage.organiser}", **(headers or {})}
        end = time.monotonic() + SECONDS_TO_RECOVER
        while True:
            try:
                request = urllib.request.Request(url, content, headers)  # noqa: S310 (our own server)
                with urllib.request.urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310
                    return json.load(answer)
            except HTTPError as refusal:
                if refusal.code < 500 or time.monotonic() > end:
                    raise AssertionError(f"{address}: {refusal.code} {refusal.read().decode()[:300]}") from refusal
            except (OSError, ValueError, HTTPException):
                assert time.monotonic() < end, f"{address} was never answered"
            time.sleep(BETWEEN)


def multipart(files: list[Path]) -> bytes:
    parts = [
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="files"; filename="{file.name}"\r\n'
        f"Content-Type: text/plain\r\n\r\n{file.read_text(encoding='utf-8')}\r\n"
        for file in files
    ]
    return "".join([*parts, f"--{BOUNDARY}--\r\n"]).encode()


@dataclass(frozen=True)
class Outcome:
    disturbances: int
    sent: int
    confirmed: int
    asked_again: int
    refused: list[str]
    revived: dict[str, int]
    found: dict

    @property
    def faults(self) -> list[str]:
        return self.found["faults"]

    @property
    def amounts(self) -> str:
        return ", ".join(f"{what}: {amount}" for what, amount in self.found.items() if what != "faults")


def experiment(
    stage: Stage,
    disturbances: Iterable[Disturbance],
    folder: Path,
    seed: int,
    *,
    pause: float = 0.1,
    quiet: tuple[float, float] = (0.3, 2.0),
    in_a_hurry: bool = False,
    say: Callable[[str], None] = lambda line: None,
) -> Outcome:
    """Disturb one part after the other; when all are up again, let everything come to its end, and count.

    In a hurry, nobody waits for the minute after which abandoned work is looked for.
    """
    chance = Random(seed)
    stage.start()
    crowd, organiser, supervisor = Crowd(stage, pause), Organiser(stage), Supervisor(stage.parts.values())
    for thread in (crowd, organiser, supervisor):
        thread.start()
    done = 0
    for disturbance in disturbances:
        time.sleep(chance.uniform(*quiet))
        say(disturbance.name)
        disturbance.act()
        done += 1
    stage.start()
    say("the judges finish")
    crowd.finish()
    say("the organiser finishes")
    if in_a_hurry:
        stage.ask("hurry")
    organiser.finish()
    supervisor.finish()
    ledger = folder / "ledger.json"
    sent = {key: fields for judge in crowd.judges for key, fields in judge.sent.items()}
    confirmed = [key for judge in crowd.judges for key in judge.saved]
    ledger.write_text(json.dumps({"sent": sent, "confirmed": confirmed}))
    found = stage.ask("examine", str(ledger))
    again = sum(judge.browser.again for judge in crowd.judges)
    refused = [line for judge in crowd.judges for line in judge.refused]
    return Outcome(done, len(sent), len(confirmed), again, refused, dict(supervisor.revived), found)
