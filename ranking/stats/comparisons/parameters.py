"""Parameters of a report on comparisons: everything except the data that affects its numbers."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from typing import Any, ClassVar

from ranking.stats.choices import ANSWERS, INDEPENDENT, PEOPLE, Choices, ParametersError
from ranking.stats.rankings.methods import METHODS
from ranking.stats.rankings.ranges import RULES
from ranking.stats.resampling import Unit
from ranking.stats.unit_choices import (
    BROADEST,
    ENOUGH_JUDGES,
    MEANING_OF_BROADEST,
    MOST_FOR_AGREEMENT,
    MOST_FOR_COVARIANCE,
    SECONDS_TO_READ_A_JUDGMENT,
)

TESTS = ("sign", "sentence")
FOLDINGS = ("none", "published", "honest")
# Whether one looks once, when judging has ended, or at any time before.
LOOKS = ONCE, ANY_TIME = "once", "any-time"
# None, or one over the probability with which a sentence was drawn.
WEIGHTS = NO_WEIGHTS, DESIGN = "none", "design"
INTERVALS = MODERATED, PERCENTILE = "moderated", "percentile"
CORRELATIONS = ("plain", "published", "kobayashi2024")
# Which sentences scores of systems by our metrics count.
SENTENCES = JUDGED, ALL = "judged", "all"


@dataclass(frozen=True)
class Parameters(Choices):
    """Parameters of a report; the ranking by the first method is the one to cite."""

    methods: tuple[str, ...] = ("expected-wins",)
    unit: str = Unit.SENTENCE.value
    replicates: int = 1000
    level: float = 0.95
    seed: int = 0
    clusters: str = "never-overlapping"
    test: str = "sentence"
    folds: str = "none"
    intervals: str = MODERATED
    delta: float = 0.0
    weights: str = NO_WEIGHTS
    looks: str = ONCE
    correlations: str = "plain"
    judged_by: str = PEOPLE
    answers: str = INDEPENDENT
    # Names of the systems that are analysed; none: all.
    systems: tuple[str, ...] = ()
    sentences: str = ALL

    switched_off: ClassVar = {
        "delta": 0.0, "weights": NO_WEIGHTS, "folds": "none", "answers": INDEPENDENT, "systems": (),
    }  # fmt: skip

    @staticmethod
    def _choices() -> dict[str, tuple[str, ...]]:
        return {
            "methods": tuple(METHODS),
            "unit": (BROADEST, *(unit.value for unit in Unit)),
            "clusters": tuple(RULES),
            "test": TESTS,
            "folds": FOLDINGS,
            "intervals": INTERVALS,
            "weights": WEIGHTS,
            "looks": LOOKS,
            "correlations": CORRELATIONS,
            "answers": ANSWERS,
            "sentences": SENTENCES,
            **Choices._choices(),
        }

    def _check(self) -> None:
        if not self.methods:
            raise ParametersError("Choose at least one method.")
        if len(set(self.systems)) == 1:
            raise ParametersError("Choose two systems or more, or none to analyse all.")
        if self.looks == ANY_TIME and self.intervals != MODERATED:
            raise ParametersError("Intervals for any time are moderated ones; leave intervals as moderated.")
        if not 0 <= self.delta < inf:
            raise ParametersError("Delta must be 0 or more; 0 asks for no test of equivalence.")

    def seconds(self, judgments: int) -> float:
        """Of all methods; those that need more than counts read every judgment of every replicate."""
        slow = sum(METHODS[method].of_tally is None for method in self.methods)
        counting = (len(self.methods) - slow) * super().seconds(judgments)
        return counting + slow * self.replicates * judgments * SECONDS_TO_READ_A_JUDGMENT

    def stated(self) -> dict[str, Any]:
        """The broadest unit as what it will be."""
        return super().stated() | ({"unit": MEANING_OF_BROADEST} if self.unit == BROADEST else {})

    def fitted(self, judges: int) -> "Parameters":
        """The same with the unit that the number of judges allows."""
        if self.unit != BROADEST:
            return self
        return self.changed(unit=Unit.SENTENCE_AND_JUDGE if judges >= ENOUGH_JUDGES else Unit.SENTENCE)

    def replicates_by(self, unit: Unit) -> int:
        """How many replicates draw this unit: all draw that of the report, others add a covariance."""
        return self.replicates if unit is Unit(self.unit).drawn else min(self.replicates, MOST_FOR_COVARIANCE)

    @property
    def agreement_replicates(self) -> int:
        return min(self.replicates, MOST_FOR_AGREEMENT)


PRESETS: Mapping[str, Parameters] = {
    "recommended": Parameters(
        methods=("expected-wins", "bradley-terry"), unit=BROADEST, folds="honest", sentences=JUDGED
    ),
    # Grundkiewicz et al. (2015), sections 5 and 6.
    "grundkiewicz2015": Parameters(
        methods=("expected-wins-published", "trueskill-published"),
        unit=Unit.PAIR.value,
        clusters="all-later",
        test="sign",
        folds="published",
        intervals=PERCENTILE,
        correlations="published",
    ),
    # Kobayashi et al. (2024): how metrics agree with rankings, over systems, in windows of four, and on sentences.
    "kobayashi2024": Parameters(
        methods=("expected-wins-published", "trueskill-published"),
        unit=Unit.PAIR.value,  # the only one that TrueSkill as published can draw
        intervals=PERCENTILE,
        sentences=JUDGED,
        correlations="kobayashi2024",
    ),
    # Napoles et al. (2019), section 4: ratings, whose means and z-scores rank the systems.
    "napoles2019": Parameters(methods=("z-score", "mean-score", "expected-wins")),
}
