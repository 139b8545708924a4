"""Sections on the ranking itself: standings with uncertainty, all pairs of systems, and two ways side by side.

A screen weighs the probability of its sentence with its candidates if all sentences were drawn alike, and all sets of
so many candidates, over the probability with which it was drawn. Sentences with one distinct output are drawn too if
they count as ties. Effective sentences are (sum of weights)^2 / sum of weights^2 (Kish 1965).

Toy: of two sentences one is drawn three times as often: its judgments weigh (1/2) / (3/4) = 2/3, those of the other
(1/2) / (1/4) = 2. One screen of each is worth (2/3 + 2)^2 / (4/9 + 4) = 1.6 sentences.

The ranking by every judge alone, as in the last table of Grundkiewicz et al. (2015).

A judge gives few judgments, so intervals and rank ranges are at 90%, as published. What is drawn are sentences, since
there is no other judge to draw. The published preset draws single comparisons, averages over the opponents that a
system beat, and looks only at the next system for clusters; a system that never won is last.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple

import numpy as np

from ranking.numbers.tables import Cell, Gap, StatisticsError, Table
from ranking.stats.comparisons.study import (
    ANY_TIME,
    BREAKS,
    MODERATED,
    PERCENTILE,
    PRESETS,
    WEIGHTS,
    ComparisonStudy,
    Covariates,
)
from ranking.stats.rankings.expected_wins import expected_wins_of_judge
from ranking.stats.rankings.methods import METHODS, Method
from ranking.stats.rankings.moderation import fewest_sentences
from ranking.stats.rankings.pair_tests import (
    ROUNDING,
    PairTests,
    intervals_at_any_time,
    pair_tests,
    pair_tests_at_any_time,
    simultaneous_intervals,
)
from ranking.stats.rankings.questions import Questions, letters
from ranking.stats.rankings.uncertainty import (
    RULES,
    RankRange,
    chances_to_be_best,
    complete,
    p_beats,
    shared_ranks,
    uncertainty,
)
from ranking.stats.resampling import Unit

NAMED = 5
STANDINGS = (
    "method", "unit", "cluster", "rank", "system", "score", "score_low", "score_high", "rank_low", "rank_high",
    "p_best",
)  # fmt: skip
PAIRS = (
    "method", "system", "opponent", "difference", "difference_low", "difference_high", "p_beats", "p_value", "resolved",
    "p_equivalent", "equivalent",
)  # fmt: skip
METHODS_COMPARED = ("method", "other_method", "system", "opponent", "better", "better_by_other", "p_value",
                    "p_value_by_other")  # fmt: skip
SIMULTANEOUS = ("method", "system", "score_low", "score_high", "rank_low", "rank_high", "letters")
QUESTIONS = ("method", "question", "after", "system", "opponent", "statistic", "p_value", "holds")
PRECISION = ("method", "judges_share", "more_judges", "width_with_judges", "more_sentences", "width_with_sentences")
MORE_JUDGES, MORE_SENTENCES = 2, 200
NOT_BEST, NOT_LAST, BEATS_SOURCE, BREAK = "not the best", "not the last", "better than the source", "order breaks"
UNCERTAINTY = ("way", "method", "unit", "clusters", "system", "score", "cluster", "score_low", "score_high", "rank_low",
               "rank_high")  # fmt: skip
WEIGHTED = ("method", "system", "rank", "score", "weighted_rank", "weighted_score", "weighted_low", "weighted_high",
            "effective_sentences")  # fmt: skip
BY_JUDGE = ("judge", "method", "system", "score", "score_low", "score_high", "rank", "rank_low", "rank_high", "cluster")
# What differs between ways to state uncertainty, and the presets of these ways.
OF_A_WAY = ("unit", "clusters", "intervals", "weights", "looks")
WAYS = {"published": "grundkiewicz2015", "recommended": "recommended"}
# For single judges these are enough, and eight judges take no longer than the ranking of all.
LEVEL, MOST_REPLICATES = 0.9, 200
WITHOUT = "judges without a ranking of their own"
OF_ONE_JUDGE = replace(
    METHODS["expected-wins-published"], of_tally=lambda counted: np.nan_to_num(expected_wins_of_judge(counted.wins))
)


def standings(study: ComparisonStudy) -> Iterator[Table | Gap]:
    """Ranking by every method; methods that cannot rank state the reason."""
    rows, refused = [], []
    for method in study.methods:
        try:
            rows += [(method.name, study.parameters.unit, *one) for one in rank_systems(study, method)]
        except StatisticsError as reason:
            refused.append(f"{method.label}: {reason}")
            continue
        if lost := int((~np.isfinite(study.replicates(method)).all(axis=1)).sum()):
            yield Gap(
                f"replicates by {method.label}",
                f"{lost} of {study.parameters.replicates} replicates were left out, because chance drew no judgment of "
                "some system; collect more judgments of the rarest ones.",
            )
    if not rows:
        raise StatisticsError(study.apart or " ".join(refused))
    yield Table.of("standings", STANDINGS, rows)
    if refused:
        yield Table.of("standings_refused", ("reason",), [[reason] for reason in refused])
    if len(few := np.flatnonzero(~study.placed)):
        named = [f"{study.names.systems[one]} on {study.sentences[one]}" for one in few[:NAMED]]
        more = f" and {len(few) - NAMED} more" if len(few) > NAMED else ""
        least, level = fewest_sentences(study.parameters.level), study.parameters.level
        yield Gap(
            "systems with few sentences",
            f"With fewer than {least} sentences no judgments could place a system at the level {level:g}, so these "
            f"have all ranks and no cluster: {', '.join(named)}{more}. Assign more screens with them.",
        )


class Ranked(NamedTuple):
    """A system in a ranking, with the ends of its interval and of its rank range.

    One that cannot be placed has no cluster, and no chance to be best.
    """

    cluster: int | None
    rank: int
    system: str
    score: float
    low: float
    high: float
    best: int
    worst: int
    p_best: float | None


def rank_systems(study: ComparisonStudy, method: Method) -> list[Ranked]:
    """Rank all systems by a method, with uncertainty, and clusters."""
    chosen, scores, drawn = study.parameters, study.scores(method), study.replicates(method)
    placed, order, ranks = study.placed, np.argsort(-scores, kind="stable"), shared_ranks(scores)
    known = order[placed[order]]
    found = uncertainty(drawn, chosen.level)
    # A system that cannot be placed does not hinder the clusters of the others.
    ranges = uncertainty(drawn[:, known], chosen.level).ranges if len(known) else []
    p_best = found.p_best
    if chosen.intervals == MODERATED:
        if not method.is_posterior:
            p_best = chances_to_be_best(scores, drawn, chosen.seed)
        if chosen.looks == ANY_TIME:
            low, high = intervals_at_any_time(scores, drawn, study.sentences, chosen.level)
            found = replace(found, low=low, high=high, ranges=tests_of(study, scores, drawn).ranges(chosen.level))
            ranges = [found.ranges[place] for place in known]
    if chosen.clusters != BREAKS:
        clusters = RULES[chosen.clusters](ranges)
    elif len(known) > 1:
        asked = questions_of(study, scores, drawn)
        clusters = asked.groups()
        # No range says that a system is the best or the last, or is not, where the question leaves that open.
        first, last = (~question.holding(chosen.level) for question in (asked.not_the_best(), asked.not_the_last()))
        for place, may_be_best, may_be_last in zip(np.flatnonzero(placed), first, last, strict=True):
            best, worst = found.ranges[place]
            if may_be_best:
                best, worst = 1, max(worst, 1 + (first.sum() > 1))
            if may_be_last:
                best, worst = min(best, len(scores) - (last.sum() > 1)), len(scores)
            found.ranges[place] = RankRange(int(best), int(worst))
    else:
        clusters = [1 for _ in known]
    cluster_of = dict(zip(known.tolist(), clusters, strict=True))
    shown = [one if enough else RankRange(1, len(scores)) for one, enough in zip(found.ranges, placed, strict=True)]
    low, high = np.clip((found.low, found.high), *method.bounds)
    return [
        Ranked(cluster_of.get(place), ranks[place], study.names.systems[place], scores[place], low[place], high[place],
               shown[place].best, shown[place].worst, p_best[place] if placed[place] else None)
        for place in order.tolist()
    ]  # fmt: skip


def questions_of(study: ComparisonStudy, scores: np.ndarray, drawn: np.ndarray) -> Questions:
    """The questions about the systems that can be placed, in the order of the study."""
    chosen, placed = study.parameters, study.placed
    sentences = study.sentences[placed] if chosen.looks == ANY_TIME else None
    return Questions(scores[placed], complete(drawn)[:, placed], chosen.level, sentences)


def tests_of(study: ComparisonStudy, scores: np.ndarray, drawn: np.ndarray) -> PairTests:
    chosen = study.parameters
    if chosen.looks == ANY_TIME:
        return pair_tests_at_any_time(scores, drawn, study.sentences, chosen.level, study.placed, chosen.delta)
    return pair_tests(scores, drawn, chosen.level, chosen.delta, study.placed)


def pairs(study: ComparisonStudy) -> Iterator[Table]:
    """All pairs by each method: their difference, which are resolved or equivalent; and what holds for all at once."""
    chosen, names = study.parameters, study.names.systems
    alpha = 1 - chosen.level + ROUNDING
    rows: list[tuple] = []
    together: list[tuple] = []
    for method in study.methods:
        try:
            scores, drawn = study.scores(method), complete(study.replicates(method))
        except StatisticsError:
            continue
        tests, beats = tests_of(study, scores, drawn), p_beats(drawn)
        farthest = method.bounds[1] - method.bounds[0]
        order = np.argsort(-scores, kind="stable").tolist()
        for pair in combinations(order, 2):
            p, same = tests.p_value[pair], tests.p_equivalent[pair]
            rows.append(
                (method.name, *(names[system] for system in pair), tests.difference[pair],
                 max(tests.low[pair], -farthest), min(tests.high[pair], farthest), beats[pair], p, p <= alpha,
                 *((same, same <= alpha) if chosen.delta else (None, None)))
            )  # fmt: skip
        low, high = np.clip(simultaneous_intervals(scores, drawn, chosen.level), *method.bounds)
        ranges, shown = tests.ranges(chosen.level), letters(tests.p_value[np.ix_(order, order)] <= alpha)
        together += [
            (method.name, names[place], low[place], high[place], *ranges[place], letter)
            for place, letter in zip(order, shown, strict=True)
        ]
    if rows:
        table = Table.of("pairs", PAIRS, rows)
        yield table
        by_method: dict[Cell, dict[frozenset[Cell], dict[str, Cell]]] = {}
        for line in table.dicts():
            by_method.setdefault(line["method"], {})[frozenset((line["system"], line["opponent"]))] = line
        (first, of_first), *others = by_method.items()
        differing: list[tuple] = []
        for other, of_other in others:
            for both, line in of_first.items():
                also = of_other[both]
                better, instead = (one["system"] if one["resolved"] else None for one in (line, also))
                if better != instead:
                    differing.append((first, other, line["system"], line["opponent"], better, instead,
                                      line["p_value"], also["p_value"]))  # fmt: skip
        if differing:
            yield Table.of("methods_compared", METHODS_COMPARED, differing)
        yield Table.of("simultaneous", SIMULTANEOUS, together)


def questions(study: ComparisonStudy) -> Iterator[Table]:
    """Who may be the best and the last, who beats the source, and where the order breaks: each its own family."""
    rows: list[tuple] = []
    names = [name for name, is_placed in zip(study.names.systems, study.placed, strict=True) if is_placed]
    for method in study.methods:
        if len(names) < 2:
            break
        with suppress(StatisticsError):
            scores = study.scores(method)
            asked = questions_of(study, scores, study.replicates(method))
            found = {NOT_BEST: asked.not_the_best(), NOT_LAST: asked.not_the_last()}
            if study.names.source in names:
                found[BEATS_SOURCE] = asked.better_than(names.index(study.names.source))
            if study.parameters.clusters == BREAKS:
                found[BREAK] = asked.breaks()
            order = [names[place] for place in np.argsort(-scores[study.placed], kind="stable")]
            for question, answers in found.items():
                holds = answers.holding(study.parameters.level).tolist()
                for at, (one, other, statistic, p) in enumerate(zip(*map(np.ndarray.tolist, answers), strict=True)):
                    after = order[at] if question == BREAK else None
                    rows.append((method.name, question, after, names[one], names[other], statistic, p, holds[at]))
    if rows:
        yield Table.of("questions", QUESTIONS, rows)


def precision(study: ComparisonStudy) -> Iterator[Table]:
    """How much of the variance between systems comes from judges, and what more judges or sentences would buy.

    More of either divides its part of the variance; a width is relative to that of the intervals now.
    """
    if study.parameters.unit != Unit.SENTENCE_AND_JUDGE:
        return
    rows, sentences = [], int(study.ballots.judged.sum())
    for method in study.methods:
        with suppress(StatisticsError):
            if method.is_posterior:
                continue
            alone, *others = (study.drawn_by(method, unit) for unit in method.units(Unit.SENTENCE_AND_JUDGE))
            of_sentences, of_both = (
                np.var(known - known.mean(axis=1, keepdims=True), axis=0).sum()
                for drawn in (alone, study.with_other_judges(alone, *others))
                for known in [complete(drawn)[:, study.placed]]
            )
            judges = max(0.0, 1 - of_sentences / of_both) if of_both else 0.0
            more_judges = judges * study.judges / (study.judges + MORE_JUDGES) + 1 - judges
            more_sentences = judges + (1 - judges) * sentences / (sentences + MORE_SENTENCES)
            rows.append((method.name, judges, MORE_JUDGES, more_judges**0.5, MORE_SENTENCES, more_sentences**0.5))
    if rows:
        yield Table.of("precision", PRECISION, rows)


def side_by_side(study: ComparisonStudy) -> Iterator[Table]:
    """Intervals, ranges and clusters, as published and as recommended, of the first method that allows both."""
    presets = {way: PRESETS[name].for_judges(study.judges) for way, name in WAYS.items()}
    ways = {
        way: study.with_parameters(**{name: getattr(chosen, name) for name in OF_A_WAY})
        for way, chosen in presets.items()
    }
    for method in study.methods:
        try:
            rows = [
                (way, method.name, own.parameters.unit, own.parameters.clusters, one.system, one.score, one.cluster,
                 one.low, one.high, one.best, one.worst)
                for way, own in ways.items()
                for one in rank_systems(own, method)
            ]  # fmt: skip
        except StatisticsError:
            continue
        yield Table.of("uncertainty", UNCERTAINTY, rows)
        return
    raise StatisticsError("No method could rank the systems both ways, so there is nothing to compare.")


def weighted_standings(study: ComparisonStudy) -> Iterator[Table]:
    """Scores with and without weights, where screens were drawn with unequal probability.

    A sentence weighs as much as all its ballots.
    """
    if not study.has_unequal_weights:
        return
    plain, weighed = (
        study.with_parameters(weights=weights, unit=Unit(study.parameters.unit).drawn.value) for weights in WEIGHTS
    )
    judged = study.ballots.sizes > 0
    of_sentences = np.bincount(study.ballots.segment[judged], study.covariates.weights[judged])
    effective = float(of_sentences.sum() ** 2 / (of_sentences**2).sum())
    rows: list[tuple] = []
    for method in study.methods:
        with suppress(StatisticsError):
            others = {one.system: one for one in rank_systems(weighed, method)}
            for one in rank_systems(plain, method):
                other = others[one.system]
                rows.append((method.name, one.system, one.rank, one.score, other.rank, other.score, other.low,
                             other.high, effective))  # fmt: skip
    if rows:
        yield Table.of("weighted_standings", WEIGHTED, rows)


def standings_by_judge(study: ComparisonStudy) -> Iterator[Table | Gap]:
    """Rank by each judge alone, by the method to cite, and TrueSkill if chosen; judges with too little are named."""
    rows: list[tuple] = []
    apart: list[str] = []
    refused: dict[str, list[str]] = {}
    first, *others = study.methods
    methods = [first, *(method for method in others if method.run)]
    is_published, weights = study.parameters.intervals == PERCENTILE, study.covariates.weights
    chosen = study.parameters.with_changes(
        unit=Unit.PAIR if is_published else Unit.SENTENCE,
        level=LEVEL,
        replicates=min(study.parameters.replicates, MOST_REPLICATES),
        clusters="next-only" if is_published else study.parameters.clusters,
    )
    for number, judge in enumerate(study.names.judges):
        given = np.flatnonzero(study.ballots.judge == number)
        covariates = Covariates(weights=weights[given] if len(weights) else weights)
        own = ComparisonStudy(study.ballots.choose(given), study.names, chosen, study.are_ratings, covariates)
        if own.apart:
            apart.append(judge)
            continue
        for method in methods:
            try:
                ranking = rank_systems(own, OF_ONE_JUDGE if method.name == OF_ONE_JUDGE.name else method)
            except StatisticsError as reason:
                refused.setdefault(str(reason), []).append(judge)
                continue
            rows += [(judge, method.name, one.system, one.score, one.low, one.high, one.rank, one.best, one.worst,
                      one.cluster) for one in ranking]  # fmt: skip
    if apart:
        named = f"{', '.join(apart[:NAMED])}{', ...' * (len(apart) > NAMED)}"
        yield Gap(
            WITHOUT,
            f"{len(apart)} of {len(study.names.judges)} judges never compared some systems with others ({named}).",
        )
    for words, judges in refused.items():
        yield Gap(f"ranking by {', '.join(dict.fromkeys(judges))} alone", words)
    if rows:
        yield Table.of("standings_by_judge", BY_JUDGE, rows)
