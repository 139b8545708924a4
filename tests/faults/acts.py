"""The experiments of which reliability.md speaks; each is a stage and what is done on it."""

import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import cycle, islice
from pathlib import Path
from random import Random

from tests.faults.disturbances import Disturbance, disturbance, everything, starvation
from tests.faults.experiment import Outcome, experiment
from tests.faults.parts import Part
from tests.faults.stage import embedded, production
from tests.faults.volume import small_volume

SENTENCES = 1_500
MEGABYTES = 700
# Of so many kills one takes everything down and not a single process of the web server.
WHOLE = 20
Say = Callable[[str], None]
Act = Callable[[int, int, int, Say], Outcome]


def all_parts(judges: int, times: int, seed: int, say: Say) -> Outcome:
    """PostgreSQL, Redis, gunicorn, the worker and beat are killed, restarted and paused."""
    with _folder() as folder, production(folder, judges, SENTENCES) as stage:
        return experiment(stage, everything(stage.parts, times, Random(seed)), folder, seed, say=say)


def mid_write(judges: int, times: int, seed: int, say: Say) -> Outcome:
    """With SQLite and the embedded worker, processes are killed while they write, two hundred times."""
    with _folder() as folder, embedded(folder, judges, SENTENCES) as stage:
        kills = islice(_kills(stage.parts, Random(seed)), 200 * times)
        return experiment(stage, kills, folder, seed, pause=0.05, quiet=(0.0, 0.6), say=say)


def full_disk(judges: int, times: int, seed: int, say: Say) -> Outcome:
    """The disk of PostgreSQL, Redis and the platform is full for a while."""
    with small_volume(MEGABYTES) as volume, _folder() as folder, production(folder, judges, SENTENCES) as stage:
        return experiment(stage, [starvation(volume)] * 3 * times, folder, seed, quiet=(4.0, 8.0), say=say)


def full_disk_embedded(judges: int, times: int, seed: int, say: Say) -> Outcome:
    """The same with SQLite and a queue in a folder."""
    with small_volume(MEGABYTES) as volume, _folder() as folder, embedded(folder, judges, SENTENCES) as stage:
        return experiment(stage, [starvation(volume)] * 3 * times, folder, seed, quiet=(4.0, 8.0), say=say)


ACTS: Mapping[str, Act] = {
    "all-parts": all_parts, "mid-write": mid_write, "full-disk": full_disk, "full-disk-embedded": full_disk_embedded,
}  # fmt: skip


def _kills(parts: Mapping[str, Part], chance: Random) -> Iterator[Disturbance]:
    """Most of them of one process of the web server, for those are quickly up again."""
    whole = cycle([parts["web"], parts["worker"]])
    while True:
        for _ in range(WHOLE - 1):
            yield disturbance("kill one process of", parts["web"], chance)
        yield disturbance("kill", next(whole), chance)


@contextmanager
def _folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="appraise-faults-") as folder:
        yield Path(folder)
