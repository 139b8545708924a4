"""How much judgments would resolve: outcomes of simulated campaigns, and curves over the number of judgments.

The smallest difference that a number of judgments detects: over all pairs of all simulated campaigns, the share that is
resolved the right way, as a function of the true difference of scores that never falls (isotonic regression); the least
difference at which it reaches 80%.

Ways of choosing sentences side by side: what each resolves, and how far its numbers lie from the collection's.

Worlds are those of `worlds`, but systems differ by kind of sentence, since otherwise no choice could shift anything:
the ability of a system for a sentence is its ability + slope x kind. The kind of a sentence is the rank of the
diversity of its outputs, scaled to mean 0 and deviation 1 over all sentences whose outputs differ, which are the
collection; slopes are normal, with .6 of the deviation of the abilities, as on public ratings (`studies kinds`).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf

import numpy as np
import scipy as sp

from ranking.numbers.tables import StatisticsError, Table
from ranking.stats.ballots import Ballots, together
from ranking.stats.comparisons.standings import tests_of
from ranking.stats.comparisons.study import DESIGN, NO_WEIGHTS, ComparisonStudy, Covariates, Names, Parameters
from ranking.stats.power.worlds import World, texts_of
from ranking.stats.rankings.methods import METHODS
from ranking.stats.rankings.uncertainty import complete, uncertainty
from ranking.stats.resampling import generator

POWER = 0.8
# Bands hold this share of the simulated campaigns.
BAND = 0.8
TAILS = {"low": (1 - BAND) / 2, "high": (1 + BAND) / 2}
CURVES = (
    "judgments", "hours", "campaigns", "resolved", "resolved_low", "resolved_high", "wrong", "best_found", "best_known",
    "ranks", "ranks_low", "ranks_high", "detectable",
)  # fmt: skip
# Streams of random numbers of the answers, apart from those of worlds.
ANSWERS = 2**31 + 3
NO_COVARIATES = Covariates()


@dataclass(frozen=True)
class Outcome:
    """What one simulated campaign says of pairs of systems after so many judgments.

    For every pair, `apart` is the true difference of the scores, and `rightly` and `wrongly` say whether it was
    resolved, and in which direction. `numbers` are by the columns of the curves; with too few judgments there are no
    `scores`.
    """

    judgments: int
    apart: np.ndarray
    rightly: np.ndarray
    wrongly: np.ndarray
    numbers: Mapping[str, float]
    scores: np.ndarray | None = None

    @classmethod
    def of(
        cls, judgments: int, apart: np.ndarray, up: np.ndarray, down: np.ndarray, scores: np.ndarray | None = None,
        **numbers: float,
    ) -> "Outcome":  # fmt: skip
        """From the true differences of all pairs, and which of them were resolved in either direction."""
        rightly, wrongly = (up & (apart > 0)) | (down & (apart < 0)), (up & (apart < 0)) | (down & (apart > 0))
        return cls(judgments, np.abs(apart), rightly, wrongly, numbers, scores)


def outcomes(
    worlds: Iterator[World],
    blank: Ballots,
    points: Sequence[int],
    parameters: Parameters,
    seed: int,
    before: Ballots | None = None,
) -> Iterator[list[Outcome]]:
    """For each world, the outcomes after each of these numbers of judgments of the same campaign.

    `before` are judgments that exist already and count too.
    """
    texts = texts_of(blank if before is None else together(before, blank))
    for_ratings = METHODS[parameters.methods[0]].for_ratings
    for number, world in enumerate(worlds):
        judged = world.judge(blank, generator(seed, ANSWERS + number))
        judged = judged if before is None else together(before, judged)
        truth = world.true_scores(texts, for_ratings)
        yield [outcome(judged.choose(np.arange(point)), truth, parameters) for point in points]


def outcome(
    judged: Ballots, truth: np.ndarray, parameters: Parameters, covariates: Covariates = NO_COVARIATES
) -> Outcome:
    method = METHODS[parameters.methods[0]]
    names = Names(tuple(map(str, range(judged.systems))), tuple(map(str, range(judged.judges))))
    study = ComparisonStudy(judged, names, parameters, are_ratings=method.for_ratings, covariates=covariates)
    one, other = np.triu_indices(judged.systems, 1)
    apart, nothing = truth[one] - truth[other], np.zeros(len(one), dtype=bool)
    try:
        scores, drawn = study.scores(method), complete(study.replicates(method))
    except StatisticsError:  # too few judgments to rank anything
        ranks = float(judged.systems)
        return Outcome.of(len(judged), apart, nothing, nothing, best_found=False, best_known=False, ranks=ranks)
    better = tests_of(study, scores, drawn).better(parameters.level)
    first, ranges = int(scores.argmax()), uncertainty(drawn, parameters.level).ranges
    is_best = bool(truth[first] == truth.max())
    return Outcome.of(
        len(judged), apart, better[one, other], better[other, one], scores, best_found=is_best,
        best_known=is_best and bool(better[first].sum() == judged.systems - 1),
        ranks=float(np.mean([1 + found.worst - found.best for found in ranges])),
    )  # fmt: skip


def curves(
    simulated: Sequence[Sequence[Outcome]], hours: float = 0.0, already: int = 0, columns: Sequence[str] = CURVES
) -> Table:
    """One line for each number of judgments, over all simulated campaigns; each takes so many hours, but those made.

    A column is a mean over campaigns, or the end of a band.
    """

    def line(found: Sequence[Outcome]) -> Iterator[float]:
        judgments = found[0].judgments
        fixed = {"judgments": judgments, "hours": (judgments - already) * hours, "campaigns": len(found),
                 "detectable": detectable(found)}  # fmt: skip
        series = {name: [one.numbers[name] for one in found] for name in found[0].numbers}
        series["resolved"] = [one.rightly.sum() + one.wrongly.sum() for one in found]
        series["wrong"] = [one.wrongly.sum() for one in found]
        for column in columns:
            name, _, end = column.rpartition("_")
            if column in fixed:
                yield fixed[column]
            elif column in series:
                yield float(np.mean(series[column]))
            else:
                yield float(np.quantile(series[name], TAILS[end]))

    return Table.of("power", columns, (tuple(line(point)) for point in zip(*simulated, strict=True)))


def detectable(found: Sequence[Outcome]) -> float:
    """The smallest true difference that is resolved with the power; infinite if none of these is."""
    apart = np.concatenate([one.apart for one in found])
    rightly = np.concatenate([one.rightly for one in found]).astype(float)
    order = np.argsort(apart, kind="stable")
    share = sp.optimize.isotonic_regression(rightly[order]).x
    place = int(np.searchsorted(share, POWER))
    return float(apart[order][place]) if place < len(share) else inf


def judgments_needed(table: Table, difference: float) -> float:
    """How many judgments detect this difference, between two lines of the table; infinite if more than its last line.

    Between two lines the logarithm of the difference falls evenly with that of the number of judgments, as it does
    where errors shrink with the root of the number.
    """
    before: tuple[float, float] | None = None
    for point in table.dicts():
        number, least = float(point["judgments"] or 0), point["detectable"]
        if least is None:
            continue
        least = float(least)
        if least <= difference:
            if before is None or before[1] <= least:
                return number
            share = np.log(before[1] / difference) / np.log(before[1] / least)
            return float(before[0] * (number / before[0]) ** share)
        before = number, least
    return inf


KINDS = 0.6
# Ways that draw sentences with unequal probability.
UNEQUAL = "published", "distinct"
FACTS = "distinct", "unchanged", "edits", "words"
COMPARED = ("sampling", "weighted", "campaigns", "resolved", "best_found", "shift", "tau", "sentences", *FACTS)
# Streams of random numbers of the slopes, apart from those of worlds and of answers.
SLOPES = 2**31 + 5


@dataclass(frozen=True)
class Collection:
    """All sentences whose outputs differ or not: the text of each system, the diversity of its outputs, and its facts.

    Facts are the number of distinct outputs, the share of outputs that equal the source, the mean number of edits, and
    the number of words of the source; NaN where there is no source. `texts` is as in `worlds.texts_of`.
    """

    texts: np.ndarray
    diversity: np.ndarray
    facts: np.ndarray

    @property
    def differs(self) -> np.ndarray:
        return self.facts[:, 0] > 1


# What one simulated campaign concludes from sentences chosen in one way: the columns from `resolved` on.
PowerLine = np.ndarray


def compare(
    worlds: Iterator[World], plans: Mapping[str, Iterator[tuple[Ballots, np.ndarray]]], collection: Collection,
    parameters: Parameters, seed: int,
) -> Iterator[dict[tuple[str, bool], PowerLine]]:  # fmt: skip
    """For each world, a line for each way of choosing, without weights and, where they are unequal, with them.

    The plans of a way are drawn again for each world: screens as ballots without answers, and their weights; empty if
    not known.
    """
    differs, for_ratings = collection.differs, METHODS[parameters.methods[0]].for_ratings
    ranks, texts = np.zeros(len(differs)), np.where(differs[:, None], collection.texts, -1)
    own = ranks[differs] = sp.stats.rankdata(collection.diversity[differs])
    kinds = np.where(differs, (ranks - own.mean()) / (own.std() or 1.0), 0.0)
    for number, world in enumerate(worlds):
        drawn = generator(seed, SLOPES + number).standard_normal(len(world.abilities))
        slopes = KINDS * world.deviations.abilities * (drawn - drawn.mean())
        world = replace(world, turns=np.outer(kinds, slopes))
        truth, lines = world.true_scores(texts, for_ratings), {}
        for way, plan in plans.items():
            blank, weights = next(plan)
            judged = world.judge(blank, generator(seed, ANSWERS + number))
            for weighted in (False, True)[: 1 + (way in UNEQUAL)]:
                chosen = parameters.with_changes(weights=DESIGN if weighted else NO_WEIGHTS)
                found = outcome(judged, truth, chosen, Covariates(weights=weights))
                shift = tau = np.nan
                if found.scores is not None:
                    shift = np.abs(found.scores - truth).mean()
                    tau = sp.stats.kendalltau(found.scores, truth).statistic
                facts = collection.facts[judged.segment]
                lines[way, weighted] = np.array([
                    found.rightly.sum() + found.wrongly.sum(), found.numbers["best_found"], shift, tau,
                    len(np.unique(judged.segment)), *np.average(facts, axis=0, weights=weights if weighted else None),
                ])  # fmt: skip
        yield lines


def table_of(simulated: Sequence[dict[tuple[str, bool], PowerLine]], collection: Collection) -> Table:
    """The collection, and the mean of all simulated campaigns for each way of choosing from it."""
    own = collection.facts[collection.differs]
    rows: list[tuple] = [("collection", False, None, None, None, None, None, len(own), *own.mean(axis=0))]
    for way, weighted in simulated[0]:
        lines = [one[way, weighted] for one in simulated]
        rows.append((way, weighted, len(lines), *np.mean(lines, axis=0)))
    return Table.of("sampling", COMPARED, rows)
