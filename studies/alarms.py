"""How often alarms about careful judges are raised, and how soon those about judges who do not read.

The judges go through the sentences side by side, three judge each, and one screen in twenty is a control.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import numpy as np

from judgments.judges.rules.alarms import AlarmKind, Answered, Judge, alarms
from ranking.numbers.tables import Table
from studies.worlds import TWELVE

JUDGES, DAY = 8, 300
# A rule tells of all screens so far, so a look finds what looks before would have found with the same other judges.
LOOKS = (5, 10, 20, 30, 50, 100, 150, 200, 300)
WITHIN = (10, 20, 50, 100, DAY)
COLUMNS = ("judges", "alarm", "number", *(f"within {screens}" for screens in WITHIN))
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
CONTROLS, WORDS_OF_A_TEXT = 0.05, 20
# Words a second: the median, and the spread of its logarithm between careful judges and between screens of one judge.
SPEED, OF_JUDGES, OF_SCREENS = 4.0, 0.35, 0.6


@dataclass(frozen=True)
class Manner:
    """How judges answer: changes to careful merits by place and to careful seconds; the share of controls passed."""

    merits: Callable[[np.ndarray, np.random.Generator], np.ndarray] = lambda merits, _: merits
    seconds: Callable[[float], float] = lambda seconds: seconds
    passes: float = 0.9
    spread: float = 0.0  # of the speed of reading between judges


def _at_random(merits: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    return rng.integers(0, len(merits), len(merits))


def _downwards(merits: np.ndarray, _: np.random.Generator) -> np.ndarray:
    return -np.arange(len(merits))


def _half_downwards(merits: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    return merits if rng.random() < 0.5 else _downwards(merits, rng)


CAREFUL = Manner(spread=OF_JUDGES)
MANNERS = {
    "careful, 2.5 times as fast": Manner(seconds=lambda seconds: seconds / 2.5),
    "random, 0.7 seconds each": Manner(_at_random, lambda _: 0.7, 0.4),
    "random, plausible times": Manner(_at_random, passes=0.4, spread=OF_JUDGES),
    "straight line": Manner(_downwards, passes=0.4),
    "copies: all equal": Manner(lambda merits, _: 0 * merits, passes=0.0),
    "half of the screens by place": Manner(_half_downwards, passes=0.65),
}


def alarms_study(campaigns: int, _: int) -> Table:
    """Shares of judges about whom an alarm is raised within so many screens of a day."""
    rng = np.random.default_rng(27)
    rows = _rows("careful", [first for _ in range(campaigns // 2) for first in _first_looks(CAREFUL, rng)])
    for name, manner in MANNERS.items():
        rows += _rows(name, [_first_looks(manner, rng)[0] for _ in range(campaigns // 8)])
    return Table.of("alarms", COLUMNS, rows)


def _rows(name: str, judges: list[dict[str, int]]) -> list[tuple]:
    """A line for any alarm, and one for each kind."""
    firsts = [{"any": min(first.values())} | first if first else first for first in judges]
    return [
        (name, kind, len(firsts), *(sum(first.get(kind, DAY + 1) <= screens for first in firsts) / len(firsts)
                                    for screens in WITHIN))
        for kind in ("any", *AlarmKind) if kind == "any" or any(kind in first for first in firsts)
    ]  # fmt: skip


def _first_looks(manner: Manner, rng: np.random.Generator) -> list[dict[str, int]]:
    """For each judge, the look that raised each kind of alarm first; the first judge alone may not be careful."""
    judges = simulated([manner] + [CAREFUL] * (JUDGES - 1), DAY, rng)
    found: list[dict[str, int]] = [{} for _ in judges]
    for look in LOOKS:
        for alarm in alarms([replace(judge, screens=judge.screens[:look]) for judge in judges], NOON):
            found[int(alarm.judge)].setdefault(alarm.kind, look)
    return found


def simulated(manners: list[Manner], screens: int, rng: np.random.Generator) -> list[Judge]:
    """Judges of these manners, each with so many screens of up to five candidates."""
    world = replace(TWELVE, taste_spread=0.3, judges=len(manners), redundancy=3, sentences=screens * len(manners) // 2)
    ballots = world.campaign(world.tastes(rng), rng)
    judges = []
    for judge, manner in enumerate(manners):
        speed = SPEED * np.exp(manner.spread * rng.standard_normal())
        answered = []
        for ballot in np.flatnonzero(ballots.judge == judge)[:screens]:
            rows = rng.permutation(np.arange(ballots.starts[ballot], ballots.starts[ballot + 1]))
            words = WORDS_OF_A_TEXT * (1 + len(rows))
            seconds = manner.seconds(words / speed * np.exp(OF_SCREENS * rng.standard_normal()))
            candidates, merits = ballots.candidate[rows].tolist(), manner.merits(ballots.merit[rows], rng).tolist()
            passed = bool(rng.random() < manner.passes) if rng.random() < CONTROLS else None
            answered.append(Answered(tuple(candidates), tuple(merits), words, seconds, passed))
        judges.append(Judge(str(judge), tuple(answered)))
    return judges
