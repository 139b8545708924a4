"""What people would say of all sentences, from people's judgments of some and a program's of many.

Prediction-powered inference (Angelopoulos et al. 2023a) with a tuned weight (2023b). Of any number that judgments give,

    corrected = P(people, judged) - w (P(program, judged) - P(program, all))

where `judged` are the sentences that people judged, each counting as often in both, and `all` those that the program
judged. Whatever the program answers, the bracket is 0 but for chance if people judged sentences that were drawn from
all; so a program that errs, favours a system or means the opposite biases nothing, and only wastes its judgments. The
weight is the one with the least variance,

    w = max(0, cov(people, bracket) / var(bracket))

over replicates that draw sentences: 0 for a useless program, so that the corrected number is the classical one.

Replicates draw sentences, and the judgments of all on them; what other judges would change is added as for rankings
(`uncertainty`), with the program's bracket following the sentences of the judges that are drawn. They are moderated
(`moderation`). The weight is fitted, which costs a degree of freedom and adds chance of its own, as in double sampling
(Cochran 1977): (n - 1) / (n - 3) of the variance with n sentences of people. Of shares, two more sentences contradict
the others, as in `Share`: 2 (1/2)^2 / n^2 of variance more, for people alone too. As many judgments of people as are
worth the same are those that there are times var(classical) / var(corrected).

Toy: people judge 2 of 4 sentences 60 and 80, the program the four 50, 70, 40 and 80. The program has 60 on what people
judged and 60 on all, so nothing is corrected: 70. Had it given 30 instead of 40, all would be 57.5, and with w = 1 the
corrected mean 67.5.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from typing import NamedTuple

import numpy as np
import scipy as sp

from ranking.numbers.tables import StatisticsError
from ranking.stats.ballots import Ballots
from ranking.stats.rankings.expected_wins import expected_wins
from ranking.stats.rankings.method import SHARE, TWO_WAY
from ranking.stats.rankings.moderation import PRIOR_SENTENCES, fewest_sentences, moderate
from ranking.stats.rankings.uncertainty import with_other_judges
from ranking.stats.resampling import Unit, UnitChoices, draw, ratio
from ranking.stats.tally import BLOCK, Tally, tallies_of_parts, weighted_tallies

ROUNDING = 1e-12
# With fewer sentences of people, or that only the program judged, a weight would follow chance: the classical number
# stands.
FEWEST_FOR_A_WEIGHT = 20


@dataclass(frozen=True)
class Measure:
    """Numbers from tallies, which sentences say something of them, and the most that one sentence can say."""

    name: str
    of: Callable[[Tally], np.ndarray]
    informed: Callable[[Tally], np.ndarray]
    spread: float
    bounds: tuple[float, float]


def _of_pairs(matrix: np.ndarray) -> np.ndarray:
    first, second = np.triu_indices(matrix.shape[-1], 1)
    return matrix[..., first, second]


MEAN = Measure(
    "mean-score", lambda counted: ratio(counted.merits, counted.shown), lambda counted: counted.shown > 0, 50.0,
    (0, 100),
)  # fmt: skip
ERRORS = Measure("share-of-errors", MEAN.of, MEAN.informed, 0.5, SHARE)
RIGHT = replace(ERRORS, name="share-of-right-edits")
WINS = Measure("expected-wins", expected_wins, lambda counted: counted.decisive.sum(axis=-1) > 0, 0.5, SHARE)
WIN_RATES = Measure(
    "win-rate", lambda counted: ratio(_of_pairs(counted.wins), _of_pairs(counted.decisive)),
    lambda counted: _of_pairs(counted.decisive) > 0, 0.5, SHARE,
)  # fmt: skip


class Estimates(NamedTuple):
    """Numbers, replicates of them in rows, and the variance of each."""

    values: np.ndarray
    replicates: np.ndarray
    variances: np.ndarray


class Corrected(NamedTuple):
    """Classical and corrected numbers, those of the program alone, and the weights.

    `places` tells which of all numbers these are: those of which both said something. `sentences` are those of people
    that say something of each.
    """

    places: np.ndarray
    classical: Estimates
    corrected: Estimates
    program: np.ndarray
    weights: np.ndarray
    sentences: np.ndarray

    @property
    def worth(self) -> np.ndarray:
        """How many judgments of people alone are worth one with the program; NaN where there are too few."""
        return ratio(self.classical.variances, self.corrected.variances)


@dataclass(frozen=True)
class PeopleAndProgram:
    """Judgments of people and of a program on the same material; `chosen` has its unit fitted to the judges.

    Sentences are drawn from `material`, so that people's numbers are the same beside every program: without it, from
    those that either side judged. `tallies` keeps what is drawn for all measures.
    """

    people: Ballots
    program: Ballots
    chosen: UnitChoices
    material: np.ndarray | None = None
    _drawn: dict[Unit, list[Tally]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def correct(self, measure: Measure) -> Corrected:
        if not len(self.people) or not len(self.program):
            raise StatisticsError("Nothing can be corrected before people and the program have judged.")
        once = self.count(np.ones((len(self.people), 1)), np.ones((self.people.segments, 1)))
        numbers = np.stack([measure.of(one)[0] for one in once])
        places = np.flatnonzero(np.isfinite(numbers).all(axis=0))
        classical, before, alone = numbers[:, places]
        units = TWO_WAY if self.chosen.unit == Unit.SENTENCE_AND_JUDGE else (Unit.SENTENCE,)
        drawn = {unit: [measure.of(one)[:, places] for one in self.tallies(unit)] for unit in units}
        sentences = _informed_sentences(self.people, measure)[places]
        further = self.program.choose(~np.isin(self.program.segment, self.people.segment))
        fewest = np.minimum(sentences, _informed_sentences(further, measure)[places] if len(further) else 0)
        weights = np.where(fewest >= FEWEST_FOR_A_WEIGHT, _least_variance(*drawn[Unit.SENTENCE]), 0)
        is_used, freedom = weights > 0, np.maximum(sentences - 1.0, 1)
        of_people = {unit: of for unit, (of, _, _) in drawn.items()}
        # A program's numbers may be missing from a replicate; without a weight that must not matter.
        both = {unit: np.where(is_used, of - weights * (judged - every), of)
                for unit, (of, judged, every) in drawn.items()}  # fmt: skip
        by_people = self._estimates(classical, of_people, sentences, np.ones(len(places)), measure)
        scale = np.sqrt(freedom / np.where(is_used, freedom - 2, freedom))
        by_both = self._estimates(classical - weights * (before - alone), both, sentences, scale, measure)
        changed = Estimates(*(np.where(is_used, new, old) for new, old in zip(by_both, by_people, strict=True)))
        return Corrected(places, by_people, changed, alone, weights, sentences)

    def tallies(self, unit: Unit) -> list[Tally]:
        """Of replicates that draw this unit: people's, the program's on what people judged, and all of the program."""
        if unit not in self._drawn:
            material = self.program.segment if self.material is None else self.material
            owners = {Unit.SENTENCE: np.concatenate([self.people.segment, material]),
                      Unit.JUDGE: self.people.judge, Unit.RANKING: np.arange(len(self.people))}  # fmt: skip
            present, part = np.unique(owners[unit], return_inverse=True)
            number, blocks = self.chosen.replicates_by(unit), []
            for first in range(0, number, BLOCK):
                times = draw(len(present), min(BLOCK, number - first), self.chosen.seed, first).astype(float)
                sentences = np.ones((self.people.segments, 1))
                if unit is Unit.SENTENCE:
                    sentences = np.ones((self.people.segments, times.shape[1]))
                    sentences[present] = times
                blocks.append(self.count(times[part[: len(self.people)]], sentences))
            of_people, judged, every = (
                Tally(*(np.concatenate([getattr(part, one.name) for part in parts]) for one in fields(Tally)))
                for parts in zip(*blocks, strict=True)
            )
            # Sentences that are not drawn stay the same in every replicate.
            self._drawn[unit] = [of_people, judged, every if unit is Unit.SENTENCE else every[:1]]
        return self._drawn[unit]

    def count(self, times: np.ndarray, sentences: np.ndarray) -> list[Tally]:
        """Tallies of people, of the program on what they judged, and of the program, by how often each counts."""
        ballots, program = np.arange(len(self.people)), self.program.segment
        shape = self.people.segments, len(self.people)
        judged = sp.sparse.csr_array((np.ones(len(ballots)), (self.people.segment, ballots)), shape=shape) @ times
        # Several judgments of one sentence share its weight.
        many = np.maximum(np.bincount(program, minlength=self.people.segments), 1)[:, None]
        of_program = (weighted_tallies(self.program, program, one / many) for one in (judged, sentences))
        return [weighted_tallies(self.people, ballots, times), *of_program]

    def _estimates(
        self, scores: np.ndarray, replicates: dict[Unit, np.ndarray], sentences: np.ndarray, scale: np.ndarray,
        measure: Measure,
    ) -> Estimates:  # fmt: skip
        seed, judges = self.chosen.seed, len(np.unique(self.people.judge))
        by_sentence = scores + (replicates[Unit.SENTENCE] - scores) * scale
        variances = np.nanvar(by_sentence, axis=0)
        if measure.bounds == SHARE:
            contrary = PRIOR_SENTENCES * (measure.spread / np.maximum(sentences, 1)) ** 2
            wider = np.divide(contrary, variances, out=np.zeros(len(variances)), where=variances > 0)
            by_sentence = scores + (by_sentence - scores) * np.sqrt(1 + wider)
            variances = variances + contrary
        if Unit.JUDGE in replicates:
            by_judge, by_ranking = (np.where(np.isfinite(replicates[unit]), replicates[unit], scores)
                                    for unit in (Unit.JUDGE, Unit.RANKING))  # fmt: skip
            more = judges / (judges - 1) * by_judge.var(axis=0) - by_ranking.var(axis=0)
            variances = variances + np.maximum(more, 0)
            by_sentence = with_other_judges(by_sentence, by_judge, by_ranking, judges, seed)
        fewest = fewest_sentences(self.chosen.level)
        return Estimates(scores, moderate(scores, by_sentence, sentences, measure.spread, fewest, seed), variances)


def _least_variance(people: np.ndarray, judged: np.ndarray, every: np.ndarray) -> np.ndarray:
    """The weight of least variance of each number; 0 where the program judged nothing else, but for rounding."""
    bracket = judged - every
    known = np.isfinite(people) & np.isfinite(bracket)
    number = np.maximum(known.sum(axis=0), 1)
    apart = [np.where(known, one - np.where(known, one, 0).sum(axis=0) / number, 0) for one in (people, bracket)]
    own = (apart[1] ** 2).sum(axis=0)
    together = np.maximum((apart[0] * apart[1]).sum(axis=0), 0)
    return np.divide(together, own, out=np.zeros(len(own)), where=own > ROUNDING * number)


def _informed_sentences(people: Ballots, measure: Measure) -> np.ndarray:
    present, part = np.unique(people.segment, return_inverse=True)
    blocks = [measure.informed(counted).sum(axis=0) for _, counted in tallies_of_parts(people, part, len(present))]
    return np.sum(blocks, axis=0)
