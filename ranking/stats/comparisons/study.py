"""The study behind a report on comparisons: ballots, names of systems and judges, covariates, and parameters."""

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from math import isinf
from typing import ClassVar, NamedTuple

import numpy as np
import scipy as sp

from ranking.numbers.tables import StatisticsError
from ranking.stats.agreement.meetings import Entries, entries_of
from ranking.stats.analysis import Day, Study, fingerprint_of
from ranking.stats.ballots import Ballots
from ranking.stats.choices import INDEPENDENT, PEOPLE, ParametersError, option
from ranking.stats.metaevaluation.human_agreement import splits_of
from ranking.stats.metaevaluation.scores import MetricScores
from ranking.stats.prediction import RECIPES
from ranking.stats.rankings.method import SHARE, Method, as_they_are
from ranking.stats.rankings.methods import METHODS
from ranking.stats.rankings.moderation import (
    as_likely_shares,
    fewest_sentences,
    moderate,
    sentences_of,
    variance_correction,
)
from ranking.stats.rankings.uncertainty import RULES, with_other_judges
from ranking.stats.resampling import BROADEST, SECONDS_TO_READ_A_JUDGMENT, DrawsUnits, Unit, resample
from ranking.stats.tally import Counts, Tally, count_by_judge, tally, weighted_tallies

TESTS = ("sign", "sentence")
FOLDINGS = ("none", "published", "honest")
# Whether one looks once, when judging has ended, or at any time before.
LOOKS = ONCE, ANY_TIME = "once", "any-time"
# The rule for clusters that follows from tests; the others follow from rank ranges.
BREAKS = "breaks"
# None, or one over the probability with which a sentence was drawn.
WEIGHTS = NO_WEIGHTS, DESIGN = "none", "design"
INTERVALS = MODERATED, PERCENTILE = "moderated", "percentile"
CORRELATIONS = ("plain", "published", "kobayashi2024")
# Which sentences scores of systems by our metrics count.
SENTENCES = JUDGED, ALL = "judged", "all"


@dataclass(frozen=True)
class Parameters(DrawsUnits):
    """Parameters of a report; the ranking by the first method is the one to cite."""

    methods: tuple[str, ...] = option(("expected-wins",), "Select none to use those of the preset.", METHODS)
    unit: str = option(
        Unit.SENTENCE.value,
        "What is resampled, and so for which other sentences and judges the ranking holds. Broadest: sentences, and "
        "judges too if there are enough. Pair and ranking: single comparisons or screens, as in papers; their "
        "intervals are too narrow.",
        (BROADEST, *Unit), label="Unit of resampling",
    )  # fmt: skip
    replicates: int = 1000
    level: float = 0.95
    seed: int = 0
    clusters: str = option(
        BREAKS,
        "Where a cluster begins. Breaks: where a test finds a break in the order. The others go by rank ranges, as in "
        "papers: those above reach no rank below (never-overlapping), or by published rules, by which clusters can "
        "overlap (all-later, next-only).",
        (BREAKS, *RULES),
    )
    test: str = option(
        "sentence", "What tests of two systems count: sentences, or comparisons (sign).", TESTS, label="Tests of pairs"
    )
    folds: str = option(
        "none",
        "How well the ranking predicts judgments that it was not made from. Honest: those of other sentences. "
        "Published: as in 2015, where it had seen most of them. None is much faster.",
        FOLDINGS, label="Accuracy",
    )  # fmt: skip
    intervals: str = option(
        MODERATED, "Moderated: wider where a system has few sentences. Percentile: of replicates alone, as in 2015.",
        INTERVALS,
    )  # fmt: skip
    delta: float = option(
        0.0,
        "Systems whose scores differ by at most this much count as equivalent; choose it before you look. Leave blank "
        "for no test of equivalence.",
        label="Margin of equivalence (delta)", least=0,
    )  # fmt: skip
    weights: str = option(
        NO_WEIGHTS,
        "Design: judgments of screens that were less likely to be drawn count more, so that the ranking describes the "
        "whole collection.",
        WEIGHTS,
    )
    looks: str = option(
        ONCE, "Once: when judging has ended. Any-time: while judging goes on, if you may stop because of it.",
        LOOKS,
    )  # fmt: skip
    correlations: str = option(
        "plain",
        "Plain; published: as in 2015 (three decimals, no shared ranks); kobayashi2024: windows of four systems.",
        CORRELATIONS, label="Correlations of metrics with people",
    )  # fmt: skip
    judged_by: str = PEOPLE
    answers: str = INDEPENDENT
    systems: tuple[str, ...] = option(
        (), "Select the systems to analyse, or none to analyse all. The judgments stay as they are."
    )
    sentences: str = option(
        ALL,
        "Which sentences count in the platform's metric scores of systems: those judged, or all. Means over sentences "
        "always count those judged; scores from files stay as they are.",
        SENTENCES, label="Sentences in metric scores",
    )  # fmt: skip

    switched_off: ClassVar = {
        "delta": 0.0, "weights": NO_WEIGHTS, "folds": "none", "answers": INDEPENDENT, "systems": (),
    }  # fmt: skip

    def _check(self) -> None:
        if not self.methods:
            raise ParametersError("Choose at least one method.")
        if len(set(self.systems)) == 1:
            raise ParametersError("Choose two systems or more, or none to analyse all.")
        if self.looks == ANY_TIME and self.intervals != MODERATED:
            raise ParametersError("Intervals for any time are moderated ones; leave intervals as moderated.")
        if isinf(self.delta):
            raise ParametersError("Delta must be finite; 0 asks for no test of equivalence.")

    def seconds(self, judgments: int) -> float:
        """Of all methods; those that need more than counts read every judgment of every replicate."""
        slow = sum(METHODS[name].of_tally is None for name in self.methods)
        counting = (len(self.methods) - slow) * super().seconds(judgments)
        return counting + slow * self.replicates * judgments * SECONDS_TO_READ_A_JUDGMENT


PRESETS: Mapping[str, Parameters] = {
    "recommended": Parameters(
        methods=("expected-wins", "bradley-terry"), unit=BROADEST, folds="honest", sentences=JUDGED
    ),
    # Grundkiewicz et al. (2015), sections 5 and 6.
    "grundkiewicz2015": Parameters(
        methods=("expected-wins-published", "trueskill-published"), unit=Unit.PAIR.value, clusters="all-later",
        test="sign", folds="published", intervals=PERCENTILE, correlations="published",
    ),
    # Kobayashi et al. (2024): how metrics agree with rankings, over systems, in windows of four, and on sentences. No
    # other unit can be drawn by TrueSkill as published.
    "kobayashi2024": Parameters(
        methods=("expected-wins-published", "trueskill-published"), unit=Unit.PAIR.value,
        clusters="never-overlapping", intervals=PERCENTILE, sentences=JUDGED, correlations="kobayashi2024",
    ),
    # Napoles et al. (2019), section 4: ratings, whose means and z-scores rank the systems.
    "napoles2019": Parameters(methods=("z-score", "mean-score", "expected-wins")),
}  # fmt: skip


# With fewer judges, drawing judges alone makes intervals that are too narrow by a tenth or more.
FEWEST_JUDGES = 10
MOST_NAMED = 5


@dataclass(frozen=True)
class Names:
    """Names of systems and judges by number; a judge without a name stands for automatic ties.

    `source` is the system whose outputs are the sentences themselves, if it was judged.
    """

    systems: tuple[str, ...]
    judges: tuple[str, ...]
    source: str = ""


@dataclass(frozen=True)
class Covariates:
    """Number of distinct outputs of each sentence, metrics, and why other metrics do not fit.

    `weights` are those of all ballots: the probability of each screen if all were drawn alike, over the probability
    with which it was drawn; none if that is not known of every screen.
    """

    distinct: np.ndarray = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    metrics: tuple[MetricScores, ...] = ()
    lacking: dict[str, str] = field(default_factory=dict)
    weights: np.ndarray = field(default_factory=lambda: np.empty(0))


@dataclass(frozen=True)
class ComparisonStudy(Study):
    """Ballots and the parameters of their analysis; `drawn` caches replicates by method and unit, from any worker."""

    kind: ClassVar[str] = "comparisons"

    ballots: Ballots
    names: Names
    parameters: Parameters
    are_ratings: bool = False
    covariates: Covariates = Covariates()
    days: tuple[Day, ...] = ()
    drawn: dict[tuple[str, str], np.ndarray] = field(default_factory=dict, repr=False, compare=False)
    _resampled: dict[Unit, Tally] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "parameters", self.parameters.for_judges(self.judges))

    @property
    def judges(self) -> int:
        """The number of judges with a ballot."""
        return int((np.unique(self.ballots.judge) < len(self.names.judges)).sum())

    @property
    def methods(self) -> list[Method]:
        """The one to cite first."""
        return [METHODS[name] for name in self.parameters.methods]

    @cached_property
    def counted(self) -> Tally:
        return tally(self.ballots)

    @cached_property
    def counts(self) -> list[Counts]:
        """Numbers of ballots and comparisons of each judge."""
        return count_by_judge(self.ballots)

    @cached_property
    def entries(self) -> Entries:
        """What each judge said of each pair of candidates, for agreement."""
        return entries_of(self.ballots)

    @property
    def judgments(self) -> int:
        return int((self.ballots.judge < len(self.names.judges)).sum())

    def how_much(self) -> dict[str, int]:
        judged = self.ballots.judged
        by_people = self.ballots.judge < len(self.names.judges)
        skipped = int((by_people & (self.ballots.sizes == 0)).sum())
        return {
            "systems": self.ballots.systems, "sentences": int(judged.sum()),
            "documents": len(np.unique(self.ballots.document_of[judged])), "judges": self.judges,
            "judgments": self.judgments - skipped, "skipped": skipped,
        }  # fmt: skip

    def judge(self, number: int, everybody: str) -> str:
        """Return a judge's name; `everybody` for a number below 0."""
        if number < 0:
            return everybody
        return self.names.judges[number] if number < len(self.names.judges) else "automatic ties"

    @cached_property
    def sentences(self) -> np.ndarray:
        """The number of sentences on which each system was compared."""
        return sentences_of(self.ballots)

    @property
    def placed(self) -> np.ndarray:
        """Which systems were compared on enough sentences to be placed; as published, all."""
        if self.parameters.intervals != MODERATED:
            return np.ones(self.ballots.systems, dtype=bool)
        return self.sentences >= fewest_sentences(self.parameters.level)

    def with_parameters(self, **changes: str) -> "ComparisonStudy":
        """The same study with other parameters; it shares what was counted, and replicates that weigh alike."""
        other, chosen = copy(self), self.parameters.with_changes(**changes)
        vars(other)["parameters"] = chosen
        if chosen.weights != self.parameters.weights:
            vars(other).update(drawn={}, _resampled={})
        return other

    @property
    def worth(self) -> np.ndarray | None:
        """How much each ballot counts, 1 on average, if not all count alike."""
        if self.parameters.weights == NO_WEIGHTS:
            return None
        weights = self.covariates.weights
        if not len(weights):
            raise StatisticsError(
                "There are no weights: the sentences of this campaign were not drawn with known probabilities. Make "
                "the report without weights."
            )
        return weights / weights.mean() if self.has_unequal_weights else None

    @property
    def has_unequal_weights(self) -> bool:
        return bool((self.covariates.weights != self.covariates.weights[:1]).any())

    def scores(self, method: Method) -> np.ndarray:
        self.check(method)
        if method.of_tally is None:
            return method.scores(self.ballots)
        ballots = method.prepare(self.ballots)
        if self.worth is not None:
            weights, weight_of = np.unique(self.worth, return_inverse=True)
            return method.of_tally(weighted_tallies(ballots, weight_of, weights[:, None])[0])
        return method.of_tally(self.counted if ballots is self.ballots else tally(ballots))

    def replicates(self, method: Method) -> np.ndarray:
        """Scores as other judgments might have given them, a row each."""
        self.check(method)
        chosen = self.parameters
        unit = Unit(chosen.unit)
        method.check(unit)
        if unit is Unit.JUDGE and self.judges < FEWEST_JUDGES:
            raise StatisticsError(
                f"Drawing judges alone needs {FEWEST_JUDGES} judges, not {self.judges}: with fewer, a ranking looks "
                f"surer than it is. Draw sentences, or sentences and judges ({Unit.SENTENCE_AND_JUDGE})."
            )
        replicates, *others = (self.drawn_by(method, one) for one in method.units(unit))
        if others:
            replicates = self.with_other_judges(replicates, *others)
        if chosen.intervals != MODERATED or method.is_posterior:
            return replicates
        scores, fewest = self.scores(method), fewest_sentences(chosen.level)
        replicates = moderate(
            scores, replicates, self.sentences, method.half_range, fewest, chosen.seed,
            None if method.for_ratings else self._correction,
        )  # fmt: skip
        return as_likely_shares(scores, replicates, self.sentences) if method.bounds == SHARE else replicates

    @cached_property
    def _correction(self) -> tuple[np.ndarray, np.ndarray]:
        return variance_correction(self.ballots, self.counted, self.sentences)

    def with_other_judges(self, alone: np.ndarray, by_judge: np.ndarray, by_ranking: np.ndarray) -> np.ndarray:
        """Replicates by sentence with what other judges would change of the systems that can be placed."""
        placed = self.placed
        if placed.sum() < 2:
            return alone
        both = alone.copy()
        of_placed = alone[:, placed], by_judge[:, placed], by_ranking[:, placed]
        both[:, placed] = with_other_judges(*of_placed, self.judges, self.parameters.seed)
        return both

    def drawn_by(self, method: Method, unit: Unit) -> np.ndarray:
        """The scores of replicates that draw one unit; all methods that use only counts share their tallies."""
        key, chosen = (method.name, unit.value), self.parameters
        if key not in self.drawn:
            number = chosen.replicates_by(unit)
            if method.of_tally and method.prepare is as_they_are:
                if unit not in self._resampled:
                    given = self.ballots, unit, number, chosen.seed, 0, self.worth
                    self._resampled[unit] = resample(*given, with_merits=self.are_ratings)
                self.drawn[key] = method.of_tally(self._resampled[unit])
            else:
                self.drawn[key] = self.draw(method, unit, number)
        return self.drawn[key]

    def draw(self, method: Method, unit: Unit, number: int, first: int = 0) -> np.ndarray:
        """The scores of replicates first .. first + number - 1."""
        return method.replicates(self.ballots, unit, number, self.parameters.seed, first, self.worth)

    def check_usable(self) -> None:
        if not len(self.ballots):
            super().check_usable()
        if self.ballots.systems < 2:
            raise StatisticsError("There is only one system, so there is nothing to compare it with.")

    def check(self, method: Method) -> None:
        if method.for_ratings and not self.are_ratings:
            raise StatisticsError("This method is for ratings; means of ranks are meaningless.")
        if method.of_tally is None and self.worth is not None:
            raise StatisticsError(
                "This method takes no weights; choose one that needs only counts, such as Expected Wins, or no weights."
            )
        if self.apart:
            raise StatisticsError(self.apart)

    @cached_property
    def apart(self) -> str:
        """Why no method can rank all systems together; empty if a chain of comparisons links them."""
        number, group_of = sp.sparse.csgraph.connected_components(
            self.counted.decisive + self.counted.ties > 0, directed=False
        )
        if number == 1:
            return ""
        groups = [[name for name, at in zip(self.names.systems, group_of, strict=True) if at == group]
                  for group in np.argsort(-np.bincount(group_of), kind="stable")[:MOST_NAMED]]  # fmt: skip
        named = "; ".join(f"({', '.join(group[:MOST_NAMED])}{', ...' * (len(group) > MOST_NAMED)})" for group in groups)
        return (
            f"The judgments leave {number} groups of systems that were never compared with each other, so they have no "
            f"common ranking: {named}. Assign screens that show systems of different groups together."
        )

    def made_of(self) -> list[str]:
        methods = [f"{method.name}({method.recipe})" for method in self.methods]
        return [*methods, f"judgments:{self.judgments}", f"judges:{len(self.names.judges)}"]

    def recipe(self) -> list[str]:
        """With the methods before and what is fixed behind the parameters."""
        chosen = self.parameters
        fixed = [f"agreement-replicates:{chosen.agreement_replicates}"]
        if chosen.folds in RECIPES:
            recipe = RECIPES[chosen.folds]
            fixed.append(f"accuracy:{recipe.folds}-folds*{recipe.replicates}-replicates")
        if self.covariates.metrics:
            fixed.append(f"halves-of-people:{splits_of(len(self.ballots))}-splits")
        return [*chosen.recipe()[1:], *fixed]

    def fingerprint(self) -> str:
        covariates = self.covariates
        return fingerprint_of(
            (self.names.systems, self.names.source, self.are_ratings, sorted(covariates.lacking.items())),
            *self.ballots.columns, covariates.distinct, covariates.weights,
            *(metric.scores for metric in covariates.metrics),
            [(metric.metric, metric.level.value) for metric in covariates.metrics],
        )  # fmt: skip


class ReplicatePart(NamedTuple):
    """Replicates first .. first + number - 1 of a method, drawn by a unit, for one of several workers.

    The seed of every replicate is derived from the report's seed and its number, so no replicate depends on another and
    the split does not affect the numbers.
    """

    method: str
    unit: str
    first: int
    number: int


def parts_of(parameters: Parameters, workers: int) -> list[ReplicatePart]:
    """Split the replicates of each method evenly over the workers."""
    parts = []
    for method in parameters.methods:
        for unit in METHODS[method].units(Unit(parameters.unit)):
            replicates = parameters.replicates_by(unit)
            ends = [replicates * number // workers for number in range(workers + 1)]
            parts += [
                ReplicatePart(method, unit.value, first, end - first) for first, end in pairwise(ends) if end > first
            ]
    return parts


def scores_of_part(study: ComparisonStudy, part: ReplicatePart) -> np.ndarray:
    method = METHODS[part.method]
    study.check(method)
    method.check(Unit(study.parameters.unit))
    return study.draw(method, Unit(part.unit), part.number, part.first)


def join_parts(parts: dict[ReplicatePart, np.ndarray], parameters: Parameters) -> dict[tuple[str, str], np.ndarray]:
    """Concatenate the replicates of each method and unit, in order; leave out those with a part missing."""
    found: dict[tuple[str, str], list[np.ndarray]] = {}
    for part in sorted(parts, key=lambda part: part.first):
        found.setdefault((part.method, part.unit), []).append(parts[part])
    together = {key: np.concatenate(scores) for key, scores in found.items()}
    return {key: scores for key, scores in together.items() if len(scores) == parameters.replicates_by(Unit(key[1]))}
