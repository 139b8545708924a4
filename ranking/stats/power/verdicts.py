"""Simulated verdicts on usages whose truth is known, and how well they tell systems apart.

A usage is an error or not; a system finds a true error with its recall, and anything else so often that its precision
comes out. A judge's verdict on a usage is right with the accuracy of that usage, which has a beta distribution around
the assumed one, because usages differ in difficulty; judges are alike. Systems are compared by the weighted F of the
report. Its truth is that of endless judges and usages, so that too few usages show as wrong conclusions; replicates
draw judges, as in the report, and a pair is resolved if the interval of its difference excludes 0.

Toy: half of the usages are errors, precision 1/2, recall 1/2: a system marks 1/4 of all usages rightly and 1/4 wrongly,
so it marks half of what is no error.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, count

import numpy as np

from ranking.numbers.tables import StatisticsError
from ranking.stats.answers import Answers
from ranking.stats.power.curves import Outcome
from ranking.stats.power.worlds import AssumptionError, check_within
from ranking.stats.resampling import generator
from ranking.stats.verdicts.crowd import ERROR, OK, UNKNOWN, crowd_of, dawid_skene
from ranking.stats.verdicts.study import VerdictParameters
from ranking.stats.verdicts.systems import NAMES, RATIOS, drawn_measures, measure, measures_of, ratios, reach_of

VERDICT_CURVES = (
    "judgments", "hours", "campaigns", "usages", "resolved", "resolved_low", "resolved_high", "wrong", "best_found",
    "width", "width_low", "width_high", "majority", "detectable",
)  # fmt: skip
F, WEIGHTED = RATIOS.index("f"), 0
# How much the accuracies of usages are alike: the sum of the parameters of their beta distribution.
ALIKE = 5.0
LEAST, MOST = 0.02, 0.98
LOWEST_ACCURACY, HIGHEST_SPREAD = 0.55, 0.3
# Answers, of which the mean share are errors, that each usage of a pilot is credited with.
CREDIT = 2
# Streams of random numbers of the answers, apart from those of worlds.
ANSWERS = 2**31 + 7


@dataclass(frozen=True)
class VerdictAssumptions:
    """`errors` is the share of usages that are errors, `spread` the deviation of systems' precision and recall.

    `accuracy` is how often a verdict other than unknown is right, `unknown` the share of unknown ones.
    """

    errors: float = 0.5
    precision: float = 0.6
    recall: float = 0.5
    spread: float = 0.05
    accuracy: float = 0.85
    unknown: float = 0.05

    def __post_init__(self) -> None:
        for name in ("errors", "precision", "recall"):
            check_within(f"The {name}", getattr(self, name), LEAST, MOST)
        check_within("The spread of systems", self.spread, 0, HIGHEST_SPREAD)
        check_within("The accuracy of judges", self.accuracy, LOWEST_ACCURACY, MOST)
        check_within("The share of unknown verdicts", self.unknown, 0, MOST)
        if self.false_alarms(self.precision, self.recall) > 1:
            raise AssumptionError(
                "These assumptions contradict each other: with so many errors no system with this recall can have so "
                "low a precision. Change the share of errors, the precision or the recall."
            )

    def false_alarms(self, precision: float | np.ndarray, recall: float | np.ndarray) -> float | np.ndarray:
        """The share of correct usages that a system marks."""
        return self.errors * recall * (1 - precision) / (precision * (1 - self.errors))


@dataclass(frozen=True)
class VerdictWorld:
    """Classes of systems (rows) for usages, the truth of these, how often verdicts say error, and systems' true F."""

    classes: np.ndarray
    is_error: np.ndarray
    says_error: np.ndarray
    unknown: float
    scores: np.ndarray

    def judge(self, usage: np.ndarray, judge: np.ndarray, judges: int, random: np.random.Generator) -> Answers:
        found = np.where(random.random(len(usage)) < self.says_error[usage], ERROR, OK)
        finding = np.where(random.random(len(usage)) < self.unknown, UNKNOWN, found)
        return Answers(usage, judge, finding, len(self.is_error), judges)


def assumed_verdict_worlds(
    assumptions: VerdictAssumptions, systems: int, usages: int, seed: int
) -> Iterator[VerdictWorld]:
    """Worlds with new systems and usages, endlessly."""
    right, errors = assumptions.accuracy, assumptions.errors
    for number in count():
        random = generator(seed, number)
        precision, recall = (
            np.clip(mean + assumptions.spread * random.standard_normal(systems), LEAST, MOST)
            for mean in (assumptions.precision, assumptions.recall)
        )
        alarms = np.minimum(assumptions.false_alarms(precision, recall), 1)
        is_error = random.random(usages) < errors
        marks = np.where(is_error, recall[:, None], np.asarray(alarms)[:, None])
        accuracy = random.beta(ALIKE * right, ALIKE * (1 - right), usages)
        hits = errors * recall * right + (1 - errors) * alarms * (1 - right)
        everything = errors * recall + (1 - errors) * alarms
        found = errors * right + (1 - errors) * (1 - right)
        yield VerdictWorld(
            classes=(random.random((systems, usages)) < marks).astype(float),
            is_error=is_error,
            says_error=np.where(is_error, accuracy, 1 - accuracy),
            unknown=assumptions.unknown,
            scores=np.asarray(ratios(hits, found - hits, everything - hits)[F]),
        )


def verdict_worlds_like(pilot: Answers, classes: np.ndarray, usages: int, seed: int) -> Iterator[VerdictWorld]:
    """Worlds of usages drawn from those that a pilot judged, endlessly; the model of judges says what is true."""
    crowd, error = crowd_of(pilot), dawid_skene(pilot).error
    judged = np.flatnonzero(crowd.is_decided)
    mean = crowd.errors.sum() / crowd.decisions.sum()
    says_error = (crowd.errors + CREDIT * mean) / (crowd.decisions + CREDIT)
    everything = np.ones((len(judged), 1), dtype=bool)
    scores = measure(classes[:, judged], says_error[judged, None], everything)[:, NAMES.index("f"), 0]
    for number in count():
        random = generator(seed, number)
        drawn = random.choice(judged, usages)
        yield VerdictWorld(
            classes=classes[:, drawn],
            is_error=random.random(usages) < error[drawn],
            says_error=says_error[drawn],
            unknown=float((pilot.value == UNKNOWN).mean()),
            scores=scores,
        )


def verdict_outcomes(
    worlds: Iterator[VerdictWorld], usage: np.ndarray, judge: np.ndarray, points: Sequence[int],
    parameters: VerdictParameters, seed: int,
) -> Iterator[list[Outcome]]:  # fmt: skip
    """For each world, the outcomes after each of these numbers of verdicts, given the usage and judge of each.

    Beside what all outcomes have these are the number of usages, the mean width of intervals of F, and how often a
    majority is right about a usage.
    """
    for number, world in enumerate(worlds):
        every = world.judge(usage, judge, int(judge.max()) + 1, generator(seed, ANSWERS + number))
        pairs, found = np.array(list(combinations(range(len(world.scores)), 2))), []
        for point in points:
            verdicts = every.choose(np.arange(point))
            crowd = crowd_of(verdicts)
            has_majority = np.isfinite(crowd.majority)
            up = down = np.zeros(len(pairs), dtype=bool)
            width, is_found = np.nan, False
            try:
                drawn = drawn_measures(world.classes, verdicts, parameters.replicates, parameters.seed)[:, WEIGHTED, F]
                values = measures_of(world.classes, crowd)[:, WEIGHTED, NAMES.index("f")]
                own = reach_of(drawn, verdicts, parameters.level)
                between = reach_of(drawn[pairs[:, 0]] - drawn[pairs[:, 1]], verdicts, parameters.level)
                difference = values[pairs[:, 0]] - values[pairs[:, 1]]
                up, down = difference > between, difference < -between
                width = float(np.diff(np.clip([values - own, values + own], 0, 1), axis=0).mean())
                is_found = bool(world.scores[values.argmax()] == world.scores.max())
            except StatisticsError:  # too few verdicts, or one judge
                pass
            right = crowd.majority == world.is_error
            found.append(Outcome.of(
                len(verdicts), world.scores[pairs[:, 0]] - world.scores[pairs[:, 1]], up, down, best_found=is_found,
                usages=int(crowd.is_decided.sum()), width=width,
                majority=float(right[has_majority].mean()) if has_majority.any() else np.nan,
            ))  # fmt: skip
        yield found
