"""How a judge works, in numbers: time, ties, extremes and controls, counted from the answers."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median


@dataclass(frozen=True)
class Figures:
    """What a judge's answers come to; ties are among pairs on one screen, extremes among scores."""

    screens: int
    timed: int
    total_seconds: float
    median_seconds: float | None
    pairs: int
    ties: int
    scores: int
    extremes: int
    controls: int
    controls_passed: int


def figures(
    seconds: Sequence[float | None],
    answers: Iterable[Sequence[float]],
    ends: tuple[float, float] | None,
    controls: int,
    controls_passed: int,
) -> Figures:
    """From the time of each screen, the merits given on each, the ends of the scale if any, and the controls.

    Toy: a screen with merits 3, 3 and 1 has three pairs and one tie; of the scores 0, 50 and 100 two are extremes.
    """
    timed = [time for time in seconds if time is not None]
    given = list(answers)
    scores = [merit for merits in given for merit in merits] if ends else []
    return Figures(
        screens=len(seconds),
        timed=len(timed),
        total_seconds=sum(timed),
        median_seconds=median(timed) if timed else None,
        pairs=sum(_pairs(len(merits)) for merits in given),
        ties=sum(_pairs(alike) for merits in given for alike in Counter(merits).values()),
        scores=len(scores),
        extremes=sum(score in ends for score in scores) if ends else 0,
        controls=controls,
        controls_passed=controls_passed,
    )


def _pairs(number: int) -> int:
    return number * (number - 1) // 2
