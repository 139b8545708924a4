"""What is done to a part while judges work, and in which order."""

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from random import Random

from tests.faults.parts import Part
from tests.faults.volume import Volume

LONGEST_PAUSE = 4.0
LONGEST_ABSENCE = 2.0
# Long enough for a database to give up, and for judges to be shown an error.
STARVED = 6.0


@dataclass(frozen=True)
class Disturbance:
    name: str
    act: Callable[[], None]


def kill(part: Part, chance: Random) -> None:
    part.kill()
    time.sleep(chance.uniform(0, LONGEST_ABSENCE))
    part.start()


def kill_one(part: Part, chance: Random) -> None:
    """kill -9 of one process among several; the first must see to it."""
    part.kill_one(chance)


def restart(part: Part, chance: Random) -> None:
    part.stop()
    part.start()


def pause(part: Part, chance: Random) -> None:
    part.pause()
    time.sleep(chance.uniform(0.5, LONGEST_PAUSE))
    part.resume()


def starve(volume: Volume) -> None:
    """Not a byte is left on the disk for a while."""
    end = time.monotonic() + STARVED
    while time.monotonic() < end:
        volume.fill()
        time.sleep(0.1)
    volume.free()


DISTURBANCES: Mapping[str, Callable[[Part, Random], None]] = {
    "kill": kill, "kill one process of": kill_one, "restart": restart, "pause": pause,
}  # fmt: skip
# Who has no processes below it.
LONELY = {"beat", "redis"}


def everything(parts: Mapping[str, Part], rounds: int, chance: Random) -> Iterator[Disturbance]:
    for _ in range(rounds):
        one_round = [
            disturbance(name, part, chance)
            for part in parts.values()
            for name in DISTURBANCES
            if not (name == "kill one process of" and part.name in LONELY)
        ]
        chance.shuffle(one_round)
        yield from one_round


def disturbance(name: str, part: Part, chance: Random) -> Disturbance:
    return Disturbance(f"{name} {part.name}", partial(DISTURBANCES[name], part, chance))


def starvation(volume: Volume) -> Disturbance:
    return Disturbance("fill the disk", partial(starve, volume))
