"""Metrics compared with people on plain files: over systems, over mixtures of systems, and over outputs of sentences.

People's score of a system is the mean over the sentences that they scored; that of a metric is its usual corpus score.
Intervals draw sentences, the same for people and metrics, and metrics recompute the score of each draw.

A preset is a set of choices that follows a paper. `grundkiewicz2015` correlates as in Table 5. `napoles2019` has the
metrics of Table 8, its bounds and its mixtures of systems, and for Figure 3 the Williams test that treats mixtures as
independent systems. `kobayashi2024` has those metrics of SEEDA that are computed here, and windows of four systems.
Both studies with rankings score systems as published in 2015.

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
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from itertools import permutations

import numpy as np

from ranking.metrics.catalogue import METRICS, USUAL
from ranking.metrics.ensemble import COPIES, SHARES, means, mix_systems
from ranking.metrics.scoring import REPLICATES, SEED, Scored, drawn_scores
from ranking.numbers.intervals import LEVEL, interval_of
from ranking.numbers.tables import Gap, StatisticsError, Table
from ranking.stats.ballots import Ballots
from ranking.stats.metaevaluation.correlations import (
    CORRELATIONS,
    FEWEST_SYSTEMS,
    PUBLISHED,
    RECOMMENDED,
    SEEDA,
    SOFT_ACCURACY,
    Coefficient,
    CorrelationChoices,
    correlate,
    correlation,
    permutation_p,
    system_rows,
)
from ranking.stats.metaevaluation.metric_tests import WILLIAMS, williams_rows
from ranking.stats.metaevaluation.overview import DRAWN, behind_correlations
from ranking.stats.metaevaluation.scores import (
    SYSTEM,
    HumanScores,
    MetricScores,
    ScoredSystems,
    ScoreLevel,
    ScorePairs,
    join_levels,
    mean_scores,
    pairs_of_scores,
    pairs_of_systems,
    times_drawn,
)
from ranking.stats.metaevaluation.sentences import ALL_SYSTEMS, DIFFERENT_TEXTS, sentence_rows
from ranking.stats.rankings.methods import METHODS
from ranking.stats.resampling import generator
from ranking.stats.tally import weighted_tallies

# The name of people's scores that are means over sentences.
MEANS = "mean score"
LEVEL_OF_HYBRIDS = "system, with hybrids"
DIFFERENCES = ("metric", "other", "difference", "low", "high", "p_value")
# Table 8 of Napoles et al. (2019), in its order.
OF_TABLE_8 = ("chrf++", "errant:beta=0.2", "errant", "gleu", "chargleu", "i-measure", "m2:beta=0.2", "m2")
AGAINST = "against people"


@dataclass(frozen=True)
class EvaluationChoices:
    """Metrics, use of mixtures, the published test, macro scores, the seed, and the ways to correlate and to rank.

    Outputs called like a source or a reference and those among `bounds` are left out, except those among `systems`.
    With `macro`, systems get the mean over kinds of error from metrics that have one; sentences are too short for it.
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
PRESETS: Mapping[str, EvaluationChoices] = {
    "recommended": EvaluationChoices(),
    # Table 5: human scores to three decimals, and rho without shared ranks; the source is one of the systems.
    "grundkiewicz2015": EvaluationChoices(
        ("m2", "bleu", "meteor", "i-measure"), correlated=PUBLISHED, methods=AS_PUBLISHED
    ),
    "napoles2019": EvaluationChoices(
        tuple(name for name in OF_TABLE_8 if name.partition(":")[0] in METRICS),
        hybrids=True,
        as_published=True,
        bounds=frozenset({"source+error"}),
        macro=True,
    ),
    "kobayashi2024": EvaluationChoices(
        ("m2", *(("errant", "gotoscorer:edits=errant") if "errant" in METRICS else ("gotoscorer",)), "gleu"),
        correlated=SEEDA,
        methods=AS_PUBLISHED,
    ),
}


@dataclass(frozen=True)
class Sides:
    """People's scores of sentences, a row each, NaN without, and metrics' scores of the same outputs.

    `outside` are scores computed elsewhere; those of sentences make a system's score by their mean.
    """

    names: tuple[str, ...]
    human: np.ndarray
    scored: tuple[Scored, ...]
    outside: tuple[MetricScores, ...] = ()
    choices: EvaluationChoices = PRESETS["recommended"]

    @cached_property
    def places(self) -> list[int]:
        return [self.scored[0].names.index(name) for name in self.names]

    @cached_property
    def texts(self) -> np.ndarray:
        """A number for each text, in one row per sentence; equal texts of a sentence have the same."""
        return self.scored[0].candidates.chosen[self.places].T

    @cached_property
    def people(self) -> HumanScores:
        """People's mean scores; pairs of outputs of a sentence are in the order of the systems' names."""
        human, order, complete = self.human, np.argsort(self.names), np.isfinite(self.human).all(axis=1)
        replicates = mean_scores(human, times_drawn(len(human)))

        def pairs(scores: np.ndarray) -> ScorePairs:
            return pairs_of_scores(human[:, order], scores[:, order], texts=self.texts[:, order])

        def p_values(sentences: np.ndarray) -> np.ndarray:
            return permutation_p(human[sentences], DRAWN, SEED)

        return HumanScores(MEANS, np.nanmean(human, axis=0), replicates, pairs, complete, p_values)

    @cached_property
    def labels(self) -> list[str]:
        """Name of each metric: its score, with its signature if two metrics share the score."""
        known = [self.score_of(one) for one in self.scored]
        return [
            name if known.count(name) == 1 else f"{name} ({one.signature})"
            for name, one in zip(known, self.scored, strict=True)
        ]

    @cached_property
    def metrics(self) -> list[ScoredSystems]:
        found = []
        for name, one in zip(self.labels, self.scored, strict=True):
            score, main, drawn = self.score_of(one), one.main_scores[0], one.replicates
            if score not in one.main_scores:
                drawn = drawn_scores(one.metric, one.counts, one.candidates)
            systems, replicates = one.systems[score][self.places], drawn[score][self.places].T
            sentences = one.sentences[main][:, self.places]
            by_sentence = name if score == main else main
            found.append(ScoredSystems(name, SYSTEM, systems, replicates, sentences, by_sentence))
        many = len(self.human)
        for given in join_levels(self.outside, np.ones(many), times_drawn(many)):
            found.append(replace(given, level=SYSTEM, sentence_score=given.name))
        return found

    def score_of(self, scored: Scored) -> str:
        """Return the name of the score that is compared with people over systems."""
        kinds = (name for name in scored.systems if self.choices.macro and " macro " in name)
        return next(kinds, scored.main_scores[0])

    def with_mixtures(self) -> tuple[np.ndarray, list[ScoredSystems], np.ndarray]:
        """Scores of systems and then their mixtures by people and by metrics, and the two systems of each mixture."""
        hybrids = mix_systems(len(self.names), len(self.human), self.choices.seed)

        def means_of(scores: np.ndarray) -> np.ndarray:
            return np.concatenate([means(scores.T), means(hybrids.choose(scores.T))])

        found = []
        for name, one in zip(self.labels, self.scored, strict=True):
            chosen = one.candidates.chosen[self.places]
            scores = one.metric.of_systems(one.counts, np.concatenate([chosen, hybrids.choose(chosen)]))
            found.append(ScoredSystems(name, LEVEL_OF_HYBRIDS, scores[self.score_of(one)]))
        by_sentence = (one for one in self.outside if one.level is ScoreLevel.SENTENCE)
        found += (ScoredSystems(one.metric, LEVEL_OF_HYBRIDS, means_of(one.scores)) for one in by_sentence)
        return means_of(self.human), found, hybrids.pairs


def tables_against_people(sides: Sides) -> Iterator[Table | Gap]:
    choices, people = sides.choices, sides.people
    found, others = list(rows_against_people(sides)), list[Table]()
    if choices.hybrids:
        human, metrics, pairs = sides.with_mixtures()
        drawn = drawn_mixtures(len(sides.names), pairs, DRAWN, choices.seed)
        for metric in metrics:
            try:
                for coefficient in (Coefficient.PEARSON, Coefficient.SPEARMAN):
                    value, replicates = over_mixtures(human, metric.scores, coefficient, drawn)
                    interval = interval_of(replicates, LEVEL)
                    found.append((metric.name, metric.level, coefficient.value, value, *interval, len(human)))
            except StatisticsError as reason:
                found.append(Gap(f"{metric.name}, {LEVEL_OF_HYBRIDS}", str(reason)))
        if rows := differences(human, metrics, drawn):
            others.append(Table.of("hybrid_differences", DIFFERENCES, rows))
        # As if all mixtures were independent systems (Figure 3).
        if choices.as_published and (rows := williams_rows(human, metrics)):
            others.append(Table.of("williams_hybrids", WILLIAMS, rows))
    yield from (gap for gap in found if isinstance(gap, Gap))
    yield Table.of("metric_correlations", CORRELATIONS, (row for row in found if not isinstance(row, Gap)))
    yield Table.of("signatures", ("metric", "signature"), [(AGAINST, recipe(sides))])
    yield from behind_correlations(sides.names, people.scores, sides.metrics, choices.correlated)
    yield from others


def rows_against_people(sides: Sides) -> Iterator[tuple | Gap]:
    """Rows of `metric_correlations` over systems and pairs of them, and on sentences; a metric has all of them or none.

    On sentences they are with and without pairs of systems that have the same text. Soft pairwise accuracy is that on
    sentences with scores of every output by people and the metric.
    """
    people, human, systems = sides.people, sides.human, len(sides.names)
    for metric in sides.metrics:
        rows: list[tuple] = []
        try:
            for name, *numbers in system_rows(people, metric, DRAWN, SEED, LEVEL, sides.choices.correlated):
                score = metric.sentence_score if name == SOFT_ACCURACY else metric.name
                rows.append((score, SYSTEM, name, *numbers, systems))
            if metric.sentences is not None:
                for level, texts in ((ALL_SYSTEMS, None), (DIFFERENT_TEXTS, sides.texts)):
                    pairs = pairs_of_scores(human, metric.sentences, texts)
                    rows += (
                        (metric.sentence_score, level, *row, systems)
                        for row in sentence_rows(pairs, DRAWN, SEED, LEVEL)
                    )
        except StatisticsError as reason:
            yield Gap(metric.name, str(reason))
        else:
            yield from rows


def over_mixtures(
    human: np.ndarray, metric: np.ndarray, coefficient: Coefficient, drawn: list[np.ndarray]
) -> tuple[float, np.ndarray]:
    """Return the correlation, and that of each replicate; NaN if it is not counted."""
    value = correlation(human, metric, coefficient)
    found = [float(correlate(human[rows], metric[rows], coefficient)) if len(rows) else np.nan for rows in drawn]
    return value, np.array(found)


def differences(human: np.ndarray, metrics: Sequence[ScoredSystems], drawn: list[np.ndarray]) -> list[tuple]:
    """How much better each metric correlates (Pearson) than each other one, and the share of draws in which not."""
    found, rows = [], []
    for metric in metrics:
        with suppress(StatisticsError):
            found.append((metric.name, *over_mixtures(human, metric.scores, Coefficient.PEARSON, drawn)))
    for (name, value, replicates), (other, its_value, its_replicates) in permutations(found, 2):
        apart = replicates - its_replicates
        apart = apart[~np.isnan(apart)]
        below = float((apart < 0).mean() + (apart == 0).mean() / 2)
        rows.append((name, other, value - its_value, *interval_of(apart, LEVEL), below))
    return rows


def drawn_mixtures(systems: int, pairs: np.ndarray, replicates: int, seed: int) -> list[np.ndarray]:
    """Return the rows of each replicate, systems and then mixtures of `pairs`; none if a replicate is not counted."""
    if systems < FEWEST_SYSTEMS:
        raise StatisticsError(f"Mixtures need {FEWEST_SYSTEMS} systems or more, not {systems}.")
    found, pair_of = [], pairs[:, 0] * systems + pairs[:, 1]
    for random in (generator(seed, number) for number in range(replicates)):
        times = np.bincount(random.integers(0, systems, systems), minlength=systems)
        rows = [np.repeat(np.arange(systems), times)]
        weights = times[pairs[:, 0]] * times[pairs[:, 1]]
        for pair in np.unique(pair_of[weights > 0]):
            here = np.flatnonzero(pair_of == pair)
            rows.append(systems + random.choice(here, len(here) * int(weights[here[0]])))
        is_counted = np.count_nonzero(times) >= FEWEST_SYSTEMS
        found.append(np.concatenate(rows) if is_counted else np.empty(0, dtype=np.int64))
    return found


def recipe(sides: Sides) -> str:
    """Return the recipe of these numbers, except for the metrics."""
    choices = sides.choices
    digest = sha256(np.ascontiguousarray(sides.human, dtype="<f8").tobytes()).hexdigest()[:12]
    parts = [
        f"systems:{'+'.join(sides.names)}", f"people:{digest}", "unit:sentence", f"replicates:{REPLICATES}",
        f"level:{LEVEL:g}", f"permutations:{DRAWN}", f"kinds:{'macro' if choices.macro else 'micro'}",
    ]  # fmt: skip
    if choices.hybrids:
        many = len(sides.names) * (len(sides.names) - 1) // 2 * COPIES * len(SHARES)
        parts += [f"hybrids:{many}", f"seed:{choices.seed}", f"hybrid-replicates:{DRAWN}"]
    return "|".join(parts)


def recipe_of_rankings(digest: str, ballots: Ballots, choices: EvaluationChoices) -> str:
    """Return the recipe of people's scores from rankings, and of what is counted on sentences."""
    methods = (f"{name}|{METHODS[name].recipe}" for name in choices.methods)
    ends = "unit:sentence", f"replicates:{REPLICATES}"
    return "|".join((f"rankings:{len(ballots)}", f"data:{digest}", *methods, *ends))


def people_of(
    name: str, ballots: Ballots, systems: Sequence[str], compared: Sequence[str], drawn: np.ndarray,
    methods: Iterable[str],
) -> Iterator[HumanScores | Gap]:  # fmt: skip
    """Yield the scores of the systems that are compared, by each method; `drawn` has a row for each segment."""
    # Systems that nobody judged have a place behind all others.
    places = [systems.index(one) if one in systems else len(systems) for one in compared]

    def at_places(scores: np.ndarray) -> np.ndarray:
        return np.insert(scores, len(systems), np.nan, axis=-1)[..., places]

    def pairs(scores: np.ndarray) -> ScorePairs:
        full = np.full((len(scores), len(systems) + 1), np.nan)
        full[:, places] = scores
        return pairs_of_systems(ballots, full, distinct=True)

    tallies = weighted_tallies(ballots, ballots.segment, drawn.astype(np.uint8))
    ranked = np.asarray(tallies.compared.any(axis=-1).all(axis=-1))
    for method in (METHODS[one] for one in methods):
        way = f"{name}: {method.label}"
        try:
            scores, replicates = method.scores(ballots), np.full((len(ranked), len(systems)), np.nan)
            replicates[ranked] = method.of_tallies(tallies[ranked], SEED, 0)
        except StatisticsError as reason:
            yield Gap(way, str(reason))
            continue
        yield HumanScores(way, at_places(scores), at_places(replicates), pairs, ballots.judged)
