"""Judges and an organiser at work while parts of the platform are disturbed; then everything is counted."""

import asyncio
import json
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from threading import Thread

from tests.faults.disturbances import Disturbance
from tests.faults.installing import SLUG
from tests.faults.organiser import Organiser
from tests.faults.parts import Supervisor
from tests.faults.stage import Stage
from tests.faults.stubborn import StubbornJudge

# What is stale is queued again after a minute, and looked for every minute.
SECONDS_TO_RECOVER = 240


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
        stage.ask("tests.faults.hurry")
    organiser.finish()
    supervisor.finish()
    ledger = folder / "ledger.json"
    sent = {key: fields for judge in crowd.judges for key, fields in judge.sent.items()}
    confirmed = [key for judge in crowd.judges for key in judge.saved]
    ledger.write_text(json.dumps({"sent": sent, "confirmed": confirmed}))
    found = stage.ask("tests.faults.ledger", str(ledger))
    again = sum(judge.browser.again for judge in crowd.judges)
    refused = [line for judge in crowd.judges for line in judge.refused]
    return Outcome(done, len(sent), len(confirmed), again, refused, dict(supervisor.revived), found)
