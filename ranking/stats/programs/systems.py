"""Systems by people alone and corrected by what a program judged, their ranks, and verdicts by sensitivity.

The share of errors that people would find follows from a program's verdicts and how often it finds what people find.
With p the share that the program calls errors, where people gave no verdict, and sensitivity Se and specificity Sp
where both did (Rogan and Gladen 1978),

    share = (p + Sp - 1) / (Se + Sp - 1)

A usage with verdicts of several people counts as an error by the share of them that call it one. The interval is that
of Lang and Reiczigel (2014), which counts the chance in p, Se and Sp: with z the normal quantile, p from (n p + z^2/2)
of n + z^2, and Se and Sp with one success and one failure added,

    share + d -+ z / (Se + Sp - 1) sqrt(p (1 - p) / n + share^2 Se (1 - Se) / n_e + (1 - share)^2 Sp (1 - Sp) / n_o)
    d = 2 z^2 (share Se (1 - Se) / n_e - (1 - share) Sp (1 - Sp) / n_o)

If Se + Sp could be 1, the program does not tell errors from the rest, and nothing follows from its verdicts.

Toy: with p = .35, Se = .9 and Sp = .8, the share is .15 / .7 = .214.
"""

from collections.abc import Iterator
from itertools import combinations
from math import sqrt
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from ranking.numbers.intervals import Interval, interval_of
from ranking.numbers.tables import Gap, StatisticsError, Table
from ranking.stats.programs.corrected import WIN_RATES, WINS, Corrected
from ranking.stats.programs.study import VERDICT, ProgramStudy
from ranking.stats.rankings.moderation import fewest_sentences
from ranking.stats.rankings.pair_tests import pair_tests
from ranking.stats.rankings.uncertainty import shared_ranks, uncertainty
from ranking.stats.resampling import ratio
from ranking.stats.tally import tally

ENDS = ("classical", "classical_low", "classical_high", "corrected", "corrected_low", "corrected_high")
ESTIMATES = ("program", "measure", "system", "unit", *ENDS, "program_alone", "weight", "sentences", "judgments",
             "gained")  # fmt: skip
RANKS = ("program", "system", "classical_rank", "classical_rank_low", "classical_rank_high", "corrected_rank",
         "corrected_rank_low", "corrected_rank_high")  # fmt: skip
PAIRS = ("program", "system", "opponent", *ENDS, "program_alone", "weight", "sentences", "classical_resolved",
         "corrected_resolved")  # fmt: skip
VERDICTS = ("program", "system", "apparent", "sensitivity", "specificity", "share", "share_low", "share_high",
            "alone", "errors", "others")  # fmt: skip
TOO_LITTLE = "The program does not tell what people call an error from the rest, so its verdicts cannot be converted."


def estimates(study: ProgramStudy) -> Iterator[Table | Gap]:
    """By system what people say, and what they would say of all that the program judged."""
    study.check_both()
    shown, rows = tally(study.people).shown, []
    for program in study.programs:
        for measure in study.measures:
            try:
                found = study.both(program).correct(measure)
            except StatisticsError as reason:
                yield Gap(f"{measure.name} with {study.judges[program]}", str(reason))
                continue
            judgments = shown[found.places]
            for place in np.argsort(-found.corrected.values, kind="stable").tolist():
                system, gained = study.systems[found.places[place]], judgments[place] * (found.worth[place] - 1)
                rows.append((study.judges[program], measure.name, system, study.fitted.unit,
                             *_cells(study, found, place, measure.bounds), int(judgments[place]), gained))  # fmt: skip
    if rows:
        yield Table.of("program_estimates", ESTIMATES, rows)


def ranking(study: ProgramStudy) -> Iterator[Table]:
    """Ranks by Expected Wins, the win rates of all pairs, and whether Expected Wins of two are resolved among all."""
    study.check_both()
    if WINS not in study.measures:
        return
    level, pairs = study.parameters.level, list(combinations(range(len(study.systems)), 2))
    ranks: list[tuple] = []
    rates: list[tuple] = []
    for program in study.programs:
        wins, found = (study.both(program).correct(measure) for measure in (WINS, WIN_RATES))
        both, placed = (wins.classical, wins.corrected), wins.sentences >= fewest_sentences(level)
        ranges = [(shared_ranks(one.values), uncertainty(one.replicates, level).ranges) for one in both]
        for place in np.argsort(-wins.corrected.values, kind="stable").tolist():
            cells = [cell for rank, ends in ranges for cell in (rank[place], *ends[place])]
            ranks.append((study.judges[program], study.systems[place], *cells))
        better = [pair_tests(one.values, one.replicates, level, placed=placed).better(level) for one in both]
        for place, number in enumerate(found.places.tolist()):
            one, other = pairs[number]
            rates.append((
                study.judges[program], study.systems[one], study.systems[other],
                *_cells(study, found, place, WIN_RATES.bounds),
                *(bool(each[one, other] or each[other, one]) for each in better),
            ))  # fmt: skip
    yield Table.of("program_ranking", RANKS, ranks)
    yield Table.of("program_pairs", PAIRS, rates)


def _cells(study: ProgramStudy, found: Corrected, place: int, bounds: tuple[float, float]) -> tuple:
    ends: list[float] = []
    for one in (found.classical, found.corrected):
        low, high = np.clip(interval_of(one.replicates[:, place], study.parameters.level), *bounds)
        ends += [one.values[place], low, high]
    return *ends, found.program[place], found.weights[place], int(found.sentences[place])


def by_sensitivity(study: ProgramStudy) -> Iterator[Table | Gap]:
    """Verdicts of a program, converted by how often it finds what people find."""
    if study.scale != VERDICT:
        return
    study.check_both()
    behind, usages, level, rows = study.ballots.candidates, study.people.segments, study.parameters.level, []
    flagged = np.zeros((len(study.systems), usages), dtype=bool)
    flagged[behind.members, behind.owners] = True
    # The share of verdicts that call each usage an error; NaN where there is none.
    of_people, *of_programs = (
        ratio(np.bincount(one.segment, one.merit, usages), np.bincount(one.segment, minlength=usages))
        for one in (study.people, *study.programs.values())
    )
    for program, said in zip(study.programs, of_programs, strict=True):
        for system, marked in zip(study.systems, flagged, strict=True):
            one = sensitivity_of(of_people[marked], said[marked])
            if one.is_informative(level):
                rows.append((study.judges[program], system, *one[:3], one.share, *one.interval(level), *one[3:]))
            else:
                yield Gap(f"{study.judges[program]} on {system}", TOO_LITTLE)
    if rows:
        yield Table.of("program_verdicts", VERDICTS, rows)


class Sensitivity(NamedTuple):
    """`usages` are those of the program alone, `errors` and `others` what people decided where both did."""

    apparent: float
    sensitivity: float
    specificity: float
    usages: int
    errors: float
    others: float

    @property
    def share(self) -> float:
        gain = self.sensitivity + self.specificity - 1
        return float(np.clip((self.apparent + self.specificity - 1) / gain, 0, 1)) if gain > 0 else float("nan")

    def is_informative(self, level: float) -> bool:
        """Whether sensitivity and specificity together are above chance beyond doubt."""
        if min(self.usages, self.errors, self.others) <= 0:
            return False
        (se, of_errors), (sp, of_others) = self._moderated()
        return se + sp - 1 > NormalDist().inv_cdf((1 + level) / 2) * sqrt(of_errors + of_others)

    def interval(self, level: float) -> Interval:
        if not self.is_informative(level):
            return Interval(0.0, 1.0)
        z = NormalDist().inv_cdf((1 + level) / 2)
        (se, of_errors), (sp, of_others) = self._moderated()
        usages, gain = self.usages + z**2, se + sp - 1
        apparent = (self.usages * self.apparent + z**2 / 2) / usages
        share = (apparent + sp - 1) / gain
        spread = apparent * (1 - apparent) / usages + share**2 * of_errors + (1 - share) ** 2 * of_others
        shifted = share + 2 * z**2 * (share * of_errors - (1 - share) * of_others)
        low, high = np.clip([shifted - z / gain * sqrt(spread), shifted + z / gain * sqrt(spread)], 0, 1)
        return Interval(float(low), float(high))

    def _moderated(self) -> list[tuple[float, float]]:
        """Sensitivity and specificity with one success and one failure more, and their variances."""
        found = []
        for share, number in ((self.sensitivity, self.errors), (self.specificity, self.others)):
            moderate = (share * number + 1) / (number + 2)
            found.append((moderate, moderate * (1 - moderate) / (number + 2)))
        return found


def sensitivity_of(people: np.ndarray, program: np.ndarray) -> Sensitivity:
    """From the share of people who call each usage an error, and what the program says (1 or 0); NaN where nobody."""
    both, alone = np.isfinite(people) & np.isfinite(program), np.isnan(people) & np.isfinite(program)
    said, found = program[both], people[both]
    errors, others = float(found.sum()), float((1 - found).sum())
    return Sensitivity(
        float(program[alone].mean()) if alone.any() else float("nan"),
        float(found @ said / errors) if errors else float("nan"),
        float((1 - found) @ (1 - said) / others) if others else float("nan"),
        int(alone.sum()), errors, others,
    )  # fmt: skip
