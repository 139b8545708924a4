"""Ways of choosing sentences side by side: what each resolves, and how far its numbers lie from the collection's.

Worlds are those of `worlds`, but systems differ by kind of sentence, since otherwise no choice could shift anything:
the ability of a system for a sentence is its ability + slope x kind. The kind of a sentence is the rank of the
diversity of its outputs, scaled to mean 0 and deviation 1 over all sentences whose outputs differ, which are the
collection; slopes are normal, with .6 of the deviation of the abilities, as on public ratings (docs/statistics.md).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import scipy as sp

from ranking.numbers.tables import Table
from ranking.stats.ballots import Ballots
from ranking.stats.comparisons.parameters import DESIGN, NO_WEIGHTS, Parameters
from ranking.stats.comparisons.study import Covariates
from ranking.stats.power.curves import ANSWERS, outcome
from ranking.stats.power.worlds import World
from ranking.stats.rankings.methods import METHODS
from ranking.stats.resampling import generator

KINDS = 0.6
COLLECTION = "collection"
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

    def kinds(self) -> np.ndarray:
        ranks = np.zeros(len(self.texts))
        ranks[self.differs] = sp.stats.rankdata(self.diversity[self.differs])
        own = ranks[self.differs]
        return np.where(self.differs, (ranks - own.mean()) / (own.std() or 1.0), 0.0)


class Chosen(NamedTuple):
    """Screens of a plan as ballots without answers, and their weights; empty if not known."""

    blank: Ballots
    weights: np.ndarray


class Line(NamedTuple):
    """What one simulated campaign concludes from sentences chosen in one way."""

    resolved: float
    best_found: float
    shift: float
    tau: float
    sentences: int
    facts: np.ndarray


def compare(
    worlds: Iterator[World],
    plans: Mapping[str, Iterator[Chosen]],
    collection: Collection,
    parameters: Parameters,
    seed: int,
) -> Iterator[dict[tuple[str, bool], Line]]:
    """For each world, a line for each way of choosing, without weights and, where they are unequal, with them.

    The plans of a way are drawn again for each world.
    """
    kinds, for_ratings = collection.kinds(), METHODS[parameters.methods[0]].for_ratings
    texts = np.where(collection.differs[:, None], collection.texts, -1)
    for number, world in enumerate(worlds):
        drawn = generator(seed, SLOPES + number).standard_normal(len(world.abilities))
        slopes = KINDS * world.deviations.abilities * (drawn - drawn.mean())
        world = replace(world, turns=np.outer(kinds, slopes))
        truth, lines = world.true_scores(texts, for_ratings), {}
        for way, plan in plans.items():
            blank, weights = next(plan)
            judged = world.judged(blank, generator(seed, ANSWERS + number))
            for weighted in (False, True)[: 1 + (way in UNEQUAL)]:
                lines[way, weighted] = _line(judged, weights, weighted, truth, collection, parameters)
        yield lines


def _line(
    judged: Ballots, weights: np.ndarray, weighted: bool, truth: np.ndarray, collection: Collection, chosen: Parameters
) -> Line:
    chosen = chosen.changed(weights=DESIGN if weighted else NO_WEIGHTS)
    found = outcome(judged, truth, chosen, Covariates(weights=weights))
    facts = np.average(collection.facts[judged.segment], axis=0, weights=weights if weighted else None)
    known = found.scores is not None
    return Line(
        resolved=float(found.rightly.sum() + found.wrongly.sum()),
        best_found=float(found.is_found),
        shift=float(np.abs(found.scores - truth).mean()) if known else np.nan,
        tau=float(sp.stats.kendalltau(found.scores, truth).statistic) if known else np.nan,
        sentences=len(np.unique(judged.segment)),
        facts=facts,
    )


def table_of(simulated: Sequence[dict[tuple[str, bool], Line]], collection: Collection) -> Table:
    """The collection, and the mean of all simulated campaigns for each way of choosing from it."""
    own = collection.facts[collection.differs]
    rows: list[tuple] = [(COLLECTION, False, None, None, None, None, None, len(own), *own.mean(axis=0))]
    for way, weighted in simulated[0]:
        lines = [one[way, weighted] for one in simulated]
        numbers = np.array([line[:5] for line in lines], dtype=float)
        with np.errstate(invalid="ignore"):
            facts = np.mean([line.facts for line in lines], axis=0)
        rows.append((way, weighted, len(lines), *numbers.mean(axis=0), *facts))
    return Table.of("sampling", COMPARED, rows)
