"""Metrics compared with people on plain files: presets and tables, over systems and over mixtures of systems.

A preset is a set of choices that follows a paper. `grundkiewicz2015` correlates as in Table 5. `napoles2019` has the
metrics of Table 8, its bounds and its mixtures of systems, and for Figure 3 the Williams test that treats mixtures as
independent systems. `kobayashi2024` has those metrics of SEEDA that are computed here, windows of four systems, and on
sentences a metric's tie counts as wrong. Both studies with rankings score systems as published in 2015.

A mixture takes some sentences from one system and the rest from another. Metrics score it from counts; people's score,
and that of a metric computed elsewhere, is the mean over its sentences. Six systems give 675 mixtures, but not 681
independent systems: what is special about one system is special about all its mixtures. So the bootstrap first draws
systems with replacement; a system drawn twice counts twice. A pair of systems contributes its mixtures as often as the
product of both numbers, drawn with replacement within the pair. Replicates with fewer than three systems are not
counted. The interval is about other systems of this kind, not about other sentences.

Toy: A A B are drawn of the systems A B C: A counts twice, B once, the mixtures of A and B twice, those with C never;
these are only two systems, so the replicate is not counted.

People's scores of systems from their rankings of outputs, to set metrics against.

Every method scores all systems that people ranked, though fewer may be compared with metrics, as in the studies.
Replicates draw the same sentences as those of metrics, judged or not, and do not count if they miss all comparisons of
a system; TrueSkill makes one run on each.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from itertools import permutations
from typing import NamedTuple

import numpy as np

from ranking.metrics.catalogue import METRICS, USUAL
from ranking.metrics.hybrids import COPIES, SHARES, Hybrids, means, mix_systems
from ranking.metrics.scoring import REPLICATES, SEED
from ranking.numbers.intervals import LEVEL, Estimate, interval_of
from ranking.numbers.tables import Gap, StatisticsError, Table
from ranking.stats.ballots import Ballots
from ranking.stats.metaevaluation.correlations import (
    FEWEST_SYSTEMS,
    PUBLISHED,
    RECOMMENDED,
    SEEDA,
    Coefficient,
    correlation,
    correlations,
)
from ranking.stats.metaevaluation.correlations import Choices as CorrelationChoices
from ranking.stats.metaevaluation.human_agreement import DRAWN, Sides, correlations_of_systems, tables_of_systems
from ranking.stats.metaevaluation.overview import People
from ranking.stats.metaevaluation.scores import Level, ScorePairs, pairs_of_systems
from ranking.stats.metaevaluation.tables import CORRELATIONS, ScoredSystems, williams_of
from ranking.stats.rankings.methods import METHODS
from ranking.stats.resampling import generator
from ranking.stats.tally import tallies_in_blocks

LEVEL_OF_HYBRIDS = "system, with hybrids"
SYSTEMS_DRAWN = 1000
DIFFERENCES = ("metric", "other", "difference", "low", "high", "p_value")


@dataclass(frozen=True)
class Mixed:
    """Systems and then their mixtures, scored by people and by every metric."""

    sides: Sides
    seed: int = SEED

    @cached_property
    def _hybrids(self) -> Hybrids:
        return mix_systems(len(self.sides.human.names), len(self.sides.human.scores), self.seed)

    @cached_property
    def people(self) -> np.ndarray:
        return self._means(self.sides.human.scores)

    @cached_property
    def metrics(self) -> list[ScoredSystems]:
        found = []
        for name, one in zip(self.sides.names, self.sides.scored, strict=True):
            chosen = one.candidates.chosen[self.sides.places]
            rows = np.concatenate([chosen, self._hybrids.choose(chosen)])
            scores = one.metric.of_systems(one.counts, rows)[self.sides.score_of(one)]
            found.append(ScoredSystems(name, LEVEL_OF_HYBRIDS, scores))
        by_sentence = [one for one in self.sides.outside if one.level is Level.SENTENCE]
        return found + [ScoredSystems(one.metric, LEVEL_OF_HYBRIDS, self._means(one.scores)) for one in by_sentence]

    def _means(self, scores: np.ndarray) -> np.ndarray:
        return np.concatenate([means(scores.T), means(self._hybrids.choose(scores.T))])

    def drawn(self) -> list[np.ndarray]:
        return drawn_mixtures(len(self.sides.human.names), self._hybrids.pairs, SYSTEMS_DRAWN, self.seed)


def correlations_of(both: Mixed) -> Iterator[tuple | Gap]:
    """Pearson and Spearman over systems and mixtures, as rows of `metric_correlations`."""
    drawn = both.drawn()
    for metric in both.metrics:
        try:
            for coefficient in (Coefficient.PEARSON, Coefficient.SPEARMAN):
                found = over_mixtures(both.people, metric.scores, coefficient, drawn)
                yield metric.name, metric.level, coefficient.value, found.value, *found.interval, len(both.people)
        except StatisticsError as reason:
            yield Gap(f"{metric.name}, {LEVEL_OF_HYBRIDS}", str(reason))


def differences_of(both: Mixed) -> Iterator[Table]:
    """Difference between the correlations of any two metrics, by the bootstrap of systems."""
    metrics = [metric for metric in both.metrics if np.ptp(metric.scores) > 0]
    if len(metrics) < 2:
        return
    found = differences(both.people, np.array([metric.scores for metric in metrics]), both.drawn())
    rows = [(metrics[one.metric].name, metrics[one.other].name, *one[2:]) for one in found]
    yield Table.of("hybrid_differences", DIFFERENCES, rows)


class Difference(NamedTuple):
    """How much better one metric correlates than another, and the share of replicates in which it did not."""

    metric: int
    other: int
    value: float
    low: float
    high: float
    share_below: float


def drawn_mixtures(systems: int, pairs: np.ndarray, replicates: int, seed: int) -> list[np.ndarray]:
    """Return the rows of each replicate, systems and then mixtures of `pairs`; none if a replicate is not counted."""
    if systems < FEWEST_SYSTEMS:
        raise StatisticsError(f"Mixtures need {FEWEST_SYSTEMS} systems or more, not {systems}.")
    return [_draw(systems, pairs, generator(seed, number)) for number in range(replicates)]


def over_mixtures(
    human: np.ndarray, metric: np.ndarray, coefficient: Coefficient, drawn: list[np.ndarray], level: float = LEVEL
) -> Estimate:
    value = correlation(human, metric, coefficient)
    return Estimate(value, interval_of(_replicates(human, metric, coefficient, drawn), level))


def differences(
    human: np.ndarray, metrics: np.ndarray, drawn: list[np.ndarray], level: float = LEVEL
) -> list[Difference]:
    """Pearson's r of each metric (row of scores) less that of each other one."""
    values = [correlation(human, metric, Coefficient.PEARSON) for metric in metrics]
    replicates = [_replicates(human, metric, Coefficient.PEARSON, drawn) for metric in metrics]
    found = []
    for metric, other in permutations(range(len(metrics)), 2):
        apart = replicates[metric] - replicates[other]
        apart = apart[~np.isnan(apart)]
        bounds = interval_of(apart, level)
        below = float((apart < 0).mean() + (apart == 0).mean() / 2)
        found.append(Difference(metric, other, values[metric] - values[other], *bounds, below))
    return found


def _replicates(human: np.ndarray, metric: np.ndarray, coefficient: Coefficient, drawn: list[np.ndarray]) -> np.ndarray:
    """Return the correlation of each replicate; NaN if it is not counted."""
    return np.array(
        [float(correlations(human[rows], metric[rows], coefficient)) if len(rows) else np.nan for rows in drawn]
    )


def _draw(systems: int, pairs: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Return the rows of one replicate; none if it has too few systems."""
    times = np.bincount(random.integers(0, systems, systems), minlength=systems)
    if np.count_nonzero(times) < FEWEST_SYSTEMS:
        return np.empty(0, dtype=np.int64)
    rows = [np.repeat(np.arange(systems), times)]
    weights = times[pairs[:, 0]] * times[pairs[:, 1]]
    number = pairs[:, 0] * systems + pairs[:, 1]
    for pair in np.unique(number[weights > 0]):
        here = np.flatnonzero(number == pair)
        rows.append(systems + random.choice(here, len(here) * int(weights[here[0]])))
    return np.concatenate(rows)


# Table 8 of Napoles et al. (2019), in its order.
OF_TABLE_8 = ("chrf++", "errant:beta=0.2", "errant", "gleu", "chargleu", "i-measure", "m2:beta=0.2", "m2")
AGAINST = "against people"


@dataclass(frozen=True)
class Choices:
    """Metrics, use of mixtures, the published test, macro scores, the seed, and the ways to correlate and to rank.

    Outputs called like a source or a reference and those among `bounds` are left out, except those among `systems`.
    """

    metrics: tuple[str, ...] = USUAL
    hybrids: bool = False
    as_published: bool = False
    bounds: frozenset[str] = frozenset()
    systems: frozenset[str] = frozenset()
    macro: bool = False
    seed: int = SEED
    correlated: CorrelationChoices = RECOMMENDED
    methods: tuple[str, ...] = ("expected-wins", "trueskill")


AS_PUBLISHED = ("expected-wins-published", "trueskill-published")
PRESETS: Mapping[str, Choices] = {
    "recommended": Choices(),
    # Table 5: human scores to three decimals, and rho without shared ranks; the source is one of the systems.
    "grundkiewicz2015": Choices(("m2", "bleu", "meteor", "i-measure"), correlated=PUBLISHED, methods=AS_PUBLISHED),
    "napoles2019": Choices(
        tuple(name for name in OF_TABLE_8 if name.partition(":")[0] in METRICS),
        hybrids=True,
        as_published=True,
        bounds=frozenset({"source+error"}),
        macro=True,
    ),
    "kobayashi2024": Choices(
        ("m2", *(("errant", "gotoscorer:edits=errant") if "errant" in METRICS else ("gotoscorer",)), "gleu"),
        correlated=SEEDA,
        methods=AS_PUBLISHED,
    ),
}


def tables_against_people(sides: Sides, choices: Choices) -> Iterator[Table | Gap]:
    mixed = Mixed(sides, choices.seed) if choices.hybrids else None
    found = [*correlations_of_systems(sides), *(correlations_of(mixed) if mixed else ())]
    yield from (gap for gap in found if isinstance(gap, Gap))
    yield Table.of("metric_correlations", CORRELATIONS, (row for row in found if not isinstance(row, Gap)))
    yield Table.of("signatures", ("metric", "signature"), [(AGAINST, recipe(sides, choices))])
    yield from tables_of_systems(sides)
    if mixed:
        yield from differences_of(mixed)
        if choices.as_published:  # as if all mixtures were independent systems (Figure 3)
            yield from (replace(table, name="williams_hybrids") for table in williams_of(mixed.people, mixed.metrics))


def recipe(sides: Sides, choices: Choices) -> str:
    """Return the recipe of these numbers, except for the metrics."""
    digest = sha256(np.ascontiguousarray(sides.human.scores, dtype="<f8").tobytes()).hexdigest()[:12]
    parts = [
        f"systems:{'+'.join(sides.human.names)}", f"people:{digest}", "unit:sentence", f"replicates:{REPLICATES}",
        f"level:{LEVEL:g}", f"permutations:{DRAWN}", f"kinds:{'macro' if sides.macro else 'micro'}",
    ]  # fmt: skip
    if choices.hybrids:
        many = len(sides.human.names) * (len(sides.human.names) - 1) // 2 * COPIES * len(SHARES)
        parts += [f"hybrids:{many}", f"seed:{choices.seed}", f"hybrid-replicates:{SYSTEMS_DRAWN}"]
    return "|".join(parts)


def recipe_of_rankings(digest: str, ballots: Ballots, choices: Choices) -> str:
    """Return the recipe of people's scores from rankings, and of what is counted on sentences."""
    methods = (f"{name}|{METHODS[name].recipe}" for name in choices.methods)
    ends = "unit:sentence", f"replicates:{REPLICATES}", f"tie-of-metric:{choices.correlated.ties}"
    return "|".join((f"rankings:{len(ballots)}", f"data:{digest}", *methods, *ends))


def people_of(
    name: str,
    ballots: Ballots,
    systems: Sequence[str],
    compared: Sequence[str],
    drawn: np.ndarray,
    methods: Iterable[str],
) -> Iterator[People | Gap]:
    """Yield the scores of the systems that are compared, by each method; `drawn` has a row for each segment."""
    places = [systems.index(one) if one in systems else None for one in compared]

    def at_places(scores: np.ndarray) -> np.ndarray:
        columns = [np.full(scores.shape[:-1], np.nan) if place is None else scores[..., place] for place in places]
        return np.stack(columns, axis=-1)

    def pairs(scores: np.ndarray) -> ScorePairs:
        full = np.full((len(scores), len(systems)), np.nan)
        for column, place in zip(scores.T, places, strict=True):
            if place is not None:
                full[:, place] = column
        return pairs_of_systems(ballots, full, distinct=True)

    tallies = tallies_in_blocks(ballots, ballots.segment, drawn.shape[1], lambda block: drawn[:, block])
    ranked = np.asarray(tallies.compared.any(axis=-1).all(axis=-1))
    judged = np.bincount(ballots.segment, minlength=ballots.segments) > 0
    for method in (METHODS[one] for one in methods):
        way = f"{name}: {method.label}"
        try:
            scores, replicates = method.scores(ballots), np.full((len(ranked), len(systems)), np.nan)
            replicates[ranked] = method.of_tallies(tallies[ranked], SEED, 0)
        except StatisticsError as reason:
            yield Gap(way, str(reason))
            continue
        yield People(way, at_places(scores), at_places(replicates), pairs, judged)
