"""What was compared and what people thought of it, pairs head to head, and how well a ranking predicts them.

Toy of distinct outputs: three systems write `a a b` for one sentence and `a b c` for another: one sentence has 2
distinct outputs, one has 3 (shares 1/2).
"""

from collections.abc import Iterator
from itertools import permutations
from typing import NamedTuple

import numpy as np
import scipy as sp

from ranking.numbers.tables import Gap, StatisticsError, Table
from ranking.stats.analysis import SectionProgress
from ranking.stats.comparisons.study import ComparisonStudy
from ranking.stats.prediction import RECIPES, accuracies, baselines
from ranking.stats.rankings.pair_tests import holm, sentence_tests, sign_tests
from ranking.stats.resampling import ratio
from ranking.stats.tally import Counts, pairs_of_parts


def accuracy(study: ComparisonStudy) -> Iterator[Table | Gap | SectionProgress]:
    """Table 4: total order on decisive comparisons, clusters on all of them, and the baselines."""
    chosen = study.parameters
    if chosen.folds == "none":
        return
    recipe = RECIPES[chosen.folds]
    methods = [method for method in study.methods if method.predicts]
    if not methods:
        raise StatisticsError(
            "None of the chosen methods predicts comparisons; add one that does, such as Expected Wins."
        )
    rows: list[tuple] = []
    found = yield from accuracies(study.ballots, methods, chosen.seed, recipe)
    for method, one in zip(methods, found, strict=True):
        if isinstance(one, StatisticsError):
            yield Gap(f"accuracy of {method.label}", str(one))
        else:
            rows.append((method.name, chosen.folds, one.total.share, one.clustered.share))
    base = baselines(study.ballots, chosen.seed, recipe)
    rows += [
        ("always a tie", chosen.folds, None, base.tie),
        ("majority of each pair", chosen.folds, base.majority_decisive, base.majority),
        ("the best there could be", chosen.folds, base.best_decisive, base.best),
    ]
    yield Table.of("accuracy", ("method", "folds", "total", "clustered"), rows)


NAMED = 5
COUNTED = ("rankings", "skipped", "unexpanded", "unexpanded_ties", "expanded", "expanded_ties")


def head_to_head(study: ComparisonStudy) -> Iterator[Table | Gap]:
    """Every system against every other one: the published test, or the sentence test with corrected p-values."""
    names, counted, systems = study.names.systems, study.counted, study.ballots.systems
    # Systems that share all their outputs cannot be compared.
    never = np.argwhere(np.triu(counted.decisive + counted.ties + counted.shared == 0, 1))
    if len(never):
        pairs = [f"{names[one]} and {names[other]}" for one, other in never]
        more = f" and {len(pairs) - NAMED} other pairs" if len(pairs) > NAMED else ""
        yield Gap(
            "pairs never compared",
            f"Nobody compared {', '.join(pairs[:NAMED])}{more}. Rankings rest on their comparisons with others; "
            "collect more judgments to compare them directly.",
        )
    if study.parameters.test == "sign":
        p_values = sign_tests(counted)
    else:
        p_values, upper = sentence_tests(study.ballots), np.triu_indices(systems, 1)
        p_values[upper] = p_values.T[upper] = holm(p_values[upper].tolist())
    wins, ties = counted.wins, counted.ties + counted.shared
    share = np.divide(wins, counted.decisive, out=np.full(wins.shape, 0.5), where=counted.decisive > 0)
    rows = [
        (names[one], names[other], wins[one, other], wins[other, one], ties[one, other], share[one, other],
         p_values[one, other])
        for one, other in permutations(range(systems), 2)
    ]  # fmt: skip
    yield Table.of("head_to_head", ("system", "opponent", "wins", "losses", "ties", "share", "p_value"), rows)


def comparison_counts(study: ComparisonStudy) -> Iterator[Table]:
    by_judge = [(study.judge(number, "total"), one) for number, one in enumerate(study.counts)]
    rows = [
        (who, one.ballots, one.skipped, one.unexpanded, one.unexpanded_ties, one.expanded, one.expanded_ties)
        for who, one in [*by_judge, ("total", sum(study.counts, Counts()))]
    ]
    yield Table.of("comparison_counts", ("judge", *COUNTED), rows)


def distinct_outputs(study: ComparisonStudy) -> Iterator[Table]:
    """Number of sentences for each number of distinct outputs (Figure 1)."""
    distinct = study.covariates.distinct
    if len(distinct):
        counted = np.bincount(distinct)
        rows = [(number, counted[number], counted[number] / len(distinct)) for number in range(1, len(counted))]
        yield Table.of("distinct_outputs", ("distinct", "sentences", "share"), rows)


class OutputSums(NamedTuple):
    """Scores with a row per segment and a column per system, NaN where nobody compared; and the sums of pairs.

    A row of `pairs` is a system, one with a larger number, a segment on which judges compared them, the wins of each,
    and ties; the rows of a pair follow each other.
    """

    scores: np.ndarray
    pairs: np.ndarray


def output_sums(study: ComparisonStudy) -> OutputSums:
    """Score each output by people, and count who won.

    A rating is the mean of all ratings. In rankings it is the share of comparisons with other outputs of the segment
    that it won, where a tie counts as half.

    Toy: ranked before B and level with C, A has (1 + 1/2) / 2 = 3/4.
    """
    ballots = study.ballots
    judged = ballots.choose(ballots.judge < len(study.names.judges))  # automatic ties have no score
    pairs = np.concatenate([np.empty((6, 0), dtype=np.int32), *pairs_of_parts(judged, judged.segment)], axis=1)
    one, other, segment, wins, losses, ties = pairs
    if study.are_ratings:
        row, system = judged.systems_behind()
        place = judged.segment[judged.ballot_of[row]] * judged.systems + system
        numbers: tuple[np.ndarray, np.ndarray | None] = judged.merit[row], None
    else:
        place = np.append(segment * judged.systems + one, segment * judged.systems + other)
        numbers = np.append(wins + ties / 2, losses + ties / 2), np.tile(wins + losses + ties, 2)
    got, most = (np.bincount(place, each, ballots.segments * ballots.systems) for each in numbers)
    scores = ratio(got, most).astype(np.float32).reshape(ballots.segments, ballots.systems)
    return OutputSums(scores, pairs.T[np.lexsort((segment, other, one))])


def places(scores: np.ndarray) -> np.ndarray:
    """Place each score between the lowest, 0, and the highest, 1, by rank; equal scores share the mean of their places.

    Toy: 3, 5, 5, 9 are placed at 0, 1/2, 1/2, 1.
    """
    return (sp.stats.rankdata(scores) - 1) / max(len(scores) - 1, 1)
