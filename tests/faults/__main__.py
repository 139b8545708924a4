"""Kill, pause and starve a running platform, and count what was lost: `python -m tests.faults`."""

import signal
import sys
import tempfile
from argparse import ArgumentDefaultsHelpFormatter, ArgumentParser
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from random import Random
from time import monotonic

from tests.faults.disturbances import Disturbance, NoVolume, disturbance, everything, small_volume, starvation
from tests.faults.experiment import Outcome, experiment
from tests.faults.stage import Part, embedded, production

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


def main() -> int:
    wanted = _parser().parse_args()
    # So that everything that was started is stopped.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    faults = 0
    for name in wanted.acts or ACTS:
        print(f"== {name}: {ACTS[name].__doc__}")
        try:
            outcome = ACTS[name](wanted.judges, wanted.times, wanted.seed, partial(_say, monotonic()))
        except NoVolume as reason:
            print(f"   left out. {reason}")
            continue
        faults += len(outcome.faults)
        _print_outcome(outcome)
    return int(bool(faults))


def _parser() -> ArgumentParser:
    parser = ArgumentParser(prog="tests.faults", description=__doc__, formatter_class=ArgumentDefaultsHelpFormatter)
    parser.add_argument("acts", nargs="*", choices=[*ACTS, []], help="all of them where none is named")
    parser.add_argument("--judges", type=int, default=50)
    parser.add_argument("--times", type=int, default=1, help="how often everything is done")
    parser.add_argument("--seed", type=int, default=1)
    return parser


def _say(start: float, line: str) -> None:
    print(f"{monotonic() - start:7.1f} s  {line}", flush=True)


def _print_outcome(outcome: Outcome) -> None:
    print(f"   {outcome.disturbances} disturbances; up again by the supervisor: {outcome.revived or 'nothing'}")
    print(f"   {outcome.sent} answers sent, {outcome.confirmed} confirmed as saved, {outcome.asked_again} sent again")
    print(f"   {len(outcome.refused)} refused, such as {outcome.refused[:1]}")
    print(f"   {outcome.amounts}")
    print("   " + ("\n   ".join(outcome.faults) or "Nothing was lost, and nothing is there twice."))


if __name__ == "__main__":
    sys.exit(main())
