"""Sections on the ranking: what was judged and when, standings with uncertainty, head to head, accuracy."""

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

import numpy as np

from ranking.numbers.tables import Gap, StatisticsError, Table
from ranking.stats.comparisons.parameters import PRESETS
from ranking.stats.comparisons.study import Study
from ranking.stats.prediction.accuracy import RECIPES, accuracies, baselines
from ranking.stats.rankings.head_to_head import HeadToHead, holm, mark_of, sign_tests
from ranking.stats.rankings.methods import METHODS, Method
from ranking.stats.rankings.ranges import RULES, p_beats, shared_ranks, uncertainty
from ranking.stats.resampling import Unit
from ranking.stats.tally import Counts, count_by_judge


def accuracy(study: Study) -> Iterator[Table | Gap]:
    """Table 4: total order on decisive comparisons, clusters on all of them, and the baselines."""
    chosen = study.parameters
    if chosen.folds == "none":
        return
    recipe = RECIPES[chosen.folds]
    methods = [name for name in chosen.methods if METHODS[name].predicts]
    if not methods:
        raise StatisticsError(
            "None of the chosen methods predicts comparisons; add one that does, such as Expected Wins."
        )
    found = accuracies(study.ballots, [METHODS[name] for name in methods], chosen.seed, recipe)
    rows: list[tuple] = []
    for name, one in zip(methods, found, strict=True):
        if isinstance(one, StatisticsError):
            yield Gap(f"accuracy of {METHODS[name].label}", str(one))
        else:
            rows.append((name, chosen.folds, one.total.share, one.clustered.share))
    base = baselines(study.ballots, chosen.seed, recipe)
    rows += [
        ("always a tie", chosen.folds, None, base.tie),
        ("majority of each pair", chosen.folds, base.majority_decisive, base.majority),
        ("the best there could be", chosen.folds, base.best_decisive, base.best),
    ]
    yield Table.of("accuracy", ("method", "folds", "total", "clustered"), rows)


STANDINGS = (
    "method", "unit", "cluster", "rank", "system", "score", "score_low", "score_high", "rank_low", "rank_high",
    "p_best",
)  # fmt: skip
PAIRS = ("method", "system", "opponent", "p_beats", "p_value", "resolved")
NAMED = 5
ROUNDING = 1e-12
COUNTED = ("rankings", "skipped", "unexpanded", "unexpanded_ties", "expanded", "expanded_ties")


def standings(study: Study) -> Iterator[Table]:
    """Ranking by every method; methods that cannot rank state the reason."""
    chosen = study.parameters
    rows, refused = [], []
    for name in chosen.methods:
        try:
            rows += [
                (name, chosen.unit, *one) for one in ranked(study, METHODS[name], Unit(chosen.unit), chosen.clusters)
            ]
        except StatisticsError as reason:
            refused.append(f"{METHODS[name].label}: {reason}")
    if not rows:
        raise StatisticsError(" ".join(refused))
    yield Table.of("standings", STANDINGS, rows)
    if refused:
        yield Table.of("standings_refused", ("reason",), [[reason] for reason in refused])


class Ranked(NamedTuple):
    """A system in a ranking, with the ends of its interval and of its rank range."""

    cluster: int
    rank: int
    system: str
    score: float
    low: float
    high: float
    best: int
    worst: int
    p_best: float


def ranked(study: Study, method: Method, unit: Unit, rule: str) -> list[Ranked]:
    """Rank all systems by a method, with uncertainty from resampling this unit, and clusters by a rule."""
    scores = study.scores(method)
    found = uncertainty(study.replicates(method, unit), study.parameters.level)
    order = np.argsort(-scores, kind="stable")
    clusters = RULES[rule]([found.ranges[place] for place in order])
    ranks = shared_ranks(scores)
    return [
        Ranked(cluster, ranks[place], study.names.systems[place], scores[place], found.low[place], found.high[place],
               found.ranges[place].best, found.ranges[place].worst, found.p_best[place])
        for cluster, place in zip(clusters, order, strict=True)
    ]  # fmt: skip


def head_to_head(study: Study) -> Iterator[Table | Gap]:
    """Every system against every other one: the published test, or the sentence test with corrected p-values."""
    names = study.names.systems
    if apart := _never_compared(study):
        yield Gap("pairs never compared", apart)
    if study.parameters.test == "sign":
        tests = [(test, test.p_value) for test in sign_tests(study.counted)]
    else:
        p_values = _corrected(study.sentence_tests)
        tests = [(test, p_values[test.system, test.opponent]) for test in study.sentence_tests]
    rows = [
        (names[test.system], names[test.opponent], test.wins, test.losses, test.ties, test.share, p, mark_of(p))
        for test, p in tests
    ]
    yield Table.of("head_to_head", ("system", "opponent", "wins", "losses", "ties", "share", "p_value", "mark"), rows)


def pairs(study: Study) -> Iterator[Table]:
    """The probability that each system beats each lower one, and which pairs are resolved."""
    chosen, names = study.parameters, study.names.systems
    p_values = _corrected(study.sentence_tests)
    rows = []
    for name in chosen.methods:
        try:
            scores = study.scores(METHODS[name])
            beats = p_beats(study.replicates(METHODS[name], Unit(chosen.unit)))
        except StatisticsError:
            continue
        for pair in combinations(np.argsort(-scores, kind="stable").tolist(), 2):
            resolved = p_values[pair] <= 1 - chosen.level + ROUNDING
            rows.append((name, *(names[system] for system in pair), beats[pair], p_values[pair], resolved))
    if rows:
        yield Table.of("pairs", PAIRS, rows)


def _never_compared(study: Study) -> str:
    """Describe the pairs that were never compared; empty if there are none."""
    counted, names = study.counted, study.names.systems
    apart = np.argwhere(np.triu(counted.decisive + counted.ties == 0, 1))
    pairs = [f"{names[one]} and {names[other]}" for one, other in apart]
    if not pairs:
        return ""
    more = f" and {len(pairs) - NAMED} other pairs" if len(pairs) > NAMED else ""
    return (
        f"Nobody compared {', '.join(pairs[:NAMED])}{more}. Expected Wins counts such a pair as 0; "
        "collect more judgments, or use Bradley-Terry."
    )


def _corrected(tests: list[HeadToHead]) -> dict[tuple[int, int], float]:
    """P-values corrected for the number of pairs; the same in both directions."""
    once = [test for test in tests if test.system < test.opponent]
    p_values = holm([test.p_value for test in once]).tolist()
    pairs = {(test.system, test.opponent): p for test, p in zip(once, p_values, strict=True)}
    return pairs | {(other, system): p for (system, other), p in pairs.items()}


def comparison_counts(study: Study) -> Iterator[Table]:
    counts = count_by_judge(study.ballots)
    lines = [
        *((study.judge(number, "total"), one) for number, one in enumerate(counts)),
        ("total", sum(counts, Counts())),
    ]
    rows = [
        (who, one.ballots, one.skipped, one.unexpanded, one.unexpanded_ties, one.expanded, one.expanded_ties)
        for who, one in lines
    ]
    yield Table.of("comparison_counts", ("judge", *COUNTED), rows)


def distinct_outputs(study: Study) -> Iterator[Table]:
    """Number of sentences for each number of distinct outputs (Figure 1)."""
    distinct = study.covariates.distinct
    if len(distinct):
        counted = np.bincount(distinct)
        rows = [(number, counted[number], counted[number] / len(distinct)) for number in range(1, len(counted))]
        yield Table.of("distinct_outputs", ("distinct", "sentences", "share"), rows)


COLUMNS = ("way", "method", "unit", "clusters", "system", "score", "cluster", "score_low", "score_high", "rank_low",
           "rank_high")  # fmt: skip
# The preset that has the unit of resampling and the rule for clusters.
WAYS = {"published": "grundkiewicz2015", "recommended": "recommended"}


def side_by_side(study: Study) -> Iterator[Table]:
    """Intervals, ranges and clusters, as published and as recommended, of the first method that allows both."""
    ways = [(way, PRESETS[preset].fitted(study.judges)) for way, preset in WAYS.items()]
    for name in study.parameters.methods:
        try:
            rows = [
                (way, name, chosen.unit, chosen.clusters, one.system, one.score, one.cluster, one.low, one.high,
                 one.best, one.worst)
                for way, chosen in ways
                for one in ranked(study, METHODS[name], Unit(chosen.unit), chosen.clusters)
            ]  # fmt: skip
        except StatisticsError:
            continue
        yield Table.of("uncertainty", COLUMNS, rows)
        return
    raise StatisticsError("No method could rank the systems both ways, so there is nothing to compare.")
