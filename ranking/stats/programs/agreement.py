"""Agreement of a program with people beside that of people with each other, and whether it can stand in for one.

Answers to one unit (a usage, or the order of two versions) are compared: each of the program with each of a person, and
those of every two people. By system, only units with the system count. What the program says in favour of a system is
its answer less those of people to the same units, where 1 says that the system is better than another one, 1/2 that
they tie and 0 that it is worse; or 1 that what the system calls an error is one.

    favour = mean of (program - person), from -1 to 1

Toy: on a pair of versions two people prefer A, one B, and the program B. It agrees with 1 of 3 people, of the three
pairs of people 1 agrees, and the favour of A is ((0 - 1) + (0 - 1) + (0 - 0)) / 3 = -.67.

A share r = sum of a(s) / sum of n(s) over m sentences has the influences u(s) = (a(s) - r n(s)) / sum of n, and

    se^2 = m / (m - 1) (sum of u(s)^2 + 2 / m^2)        r -+ t se, with m - 1 degrees of freedom

The second term is two sentences that contradict the others, so that answers which are all alike make no interval
without width. The difference of two shares has the differences of their influences.

Toy: 8 of 10 sentences with one answer each: sum of u^2 = .016, se = sqrt(10/9 (.016 + .02)) = .2, t = 2.26.

The alternative annotator test: can a program stand in for one of the people? (Calderon, Reichart and Dror 2025)

Each person j is left out in turn. On each sentence that j, the program and at least one other person judged, the
program and j are aligned with the others by the same answers. With f(i) = 1 if the program is aligned at least as well
as j, and h(i) = 1 if j is aligned at least as well as the program,

    d(i) = h(i) - f(i)        H0: mean of d >= epsilon        p by a one-sided t-test; below 30 sentences by Wilcoxon

epsilon is what a person's work costs: .2 for experts, .15 for skilled people, .1 for a crowd. The p-values are
corrected by Benjamini and Yekutieli (2001) at 5 %. The winning rate is the share of people whose hypothesis is
rejected, and the program passes from 1/2 on. The average advantage is the mean over j of the mean of f.

Alignment is the share of the same verdicts, minus the root mean squared difference of ratings, or the share of pairs of
versions in the same order. The sentence is the item, however many versions of it were shown.

The paper asks for three people with 30 sentences each. With fewer the numbers are computed, and `unmet` says so.

Toy: on 30 sentences of 40 the program is aligned as well as j, on 10 better: d has mean -.25 and deviation .439, so
t = (-.25 - .2) / (.439 / sqrt 40) = -6.49.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

import numpy as np
import scipy as sp

from ranking.numbers.intervals import Interval
from ranking.numbers.tables import Gap, StatisticsError, Table
from ranking.stats.answers import Answers
from ranking.stats.ballots import BallotCandidates
from ranking.stats.programs.study import EPSILON, RATING, ProgramStudy
from ranking.stats.rankings.moderation import PRIOR_SENTENCES, fewest_sentences

ALL_SYSTEMS = "all systems"
AGREEMENT = ("program", "system", "with_people", "with_people_low", "with_people_high", "answers", "among_people",
             "among_people_low", "among_people_high", "answers_among_people", "favour", "favour_low",
             "favour_high")  # fmt: skip
TEST = ("program", "judged_by", "epsilon", "judges", "won", "winning_rate", "average_advantage", "passes", "unmet")
TEST_BY_JUDGE = ("program", "judge", "sentences", "program_advantage", "judge_advantage", "test", "p_value", "won")
ENOUGH_PEOPLE, ENOUGH_SENTENCES = 3, 30
FALSE_DISCOVERIES, PASSING = 0.05, 0.5
ZERO_TO_ONE, EITHER_WAY = Interval(0, 1), Interval(-1, 1)


@dataclass(frozen=True)
class Share:
    """A share of `answers`, the influence of each sentence, and the ends between which it lies."""

    value: float
    influences: np.ndarray
    counts: np.ndarray
    answers: int
    ends: Interval = ZERO_TO_ONE

    def cells(self, level: float) -> tuple[float | None, float | None, float | None]:
        """The value and its interval; no interval where few sentences could show nothing."""
        if not self.answers:
            return None, None, None
        sentences = int(self.counts.sum())
        if sentences < fewest_sentences(level):
            return self.value, None, None
        squares = (self.influences**2).sum() + PRIOR_SENTENCES / sentences**2
        reach = sp.special.stdtrit(sentences - 1, (1 + level) / 2) * sqrt(sentences / (sentences - 1) * squares)
        low, high = np.clip([self.value - reach, self.value + reach], *self.ends)
        return self.value, float(low), float(high)

    def less(self, other: "Share", ends: Interval = EITHER_WAY) -> "Share":
        answers = min(self.answers, other.answers)
        value = self.value - other.value if answers else float("nan")
        return Share(value, self.influences - other.influences, self.counts | other.counts, answers, ends)


def share(
    sentence: np.ndarray, part: np.ndarray, whole: np.ndarray, sentences: int, ends: Interval = ZERO_TO_ONE
) -> Share:
    """Of answers, each in a sentence: how many count, or what they add up to, of how many there are."""
    part, whole = (np.bincount(sentence, one, sentences) for one in (part, whole))
    total = whole.sum()
    value = float(part.sum() / total) if total else float("nan")
    influences = (part - value * whole) / total if total else np.zeros(len(whole))
    return Share(value, influences, whole > 0, int(total), ends)


def agreement_with_people(study: ProgramStudy) -> Iterator[Table]:
    study.check_both()
    level, rows = study.parameters.level, []
    people = study.answers(study.people)
    for program, ballots in study.programs.items():
        found = agreement(people, study.answers(ballots), ballots.candidates, len(study.systems))
        for system, (with_people, of_people, favour) in enumerate(found, -1):
            if with_people.answers:
                cells = *with_people.cells(level), with_people.answers, *of_people.cells(level), of_people.answers
                about = (ALL_SYSTEMS, None, None, None) if system < 0 else (study.systems[system], *favour.cells(level))
                rows.append((study.judges[program], about[0], *cells, *about[1:]))
    yield Table.of("program_agreement", AGREEMENT, rows)


def agreement(
    people: Answers, program: Answers, candidates: BallotCandidates, systems: int
) -> Iterator[tuple[Share, Share, Share]]:
    """For all systems together, then for each: equal answers of both, those of every two people, and the favour.

    Nothing is in favour of all. A program's first answer to a unit counts; answers to units that it did not answer are
    left out.
    """
    keys, first = np.unique(program.unit, return_index=True)
    program, people = program.choose(first), people.choose(np.isin(people.unit, keys))
    said, place = program.value, np.searchsorted(keys, people.unit)
    number = np.bincount(place, minlength=len(keys)).astype(float)
    same = np.bincount(place, people.value == said[place], len(keys))
    answer, times = np.unique(np.stack([place, people.value]), axis=1, return_counts=True)
    alike = np.bincount(answer[0].astype(np.int64), times * (times - 1) / 2, len(keys))
    pairs = number * (number - 1) / 2
    # Units of pairs have numbers up to n n; orders run from -1 to 1, verdicts from 0 to 1.
    is_pair, many = program.units > len(candidates.sizes), len(candidates.sizes)
    better, worse = np.divmod(keys, many) if is_pair else (keys, keys)
    apart = (said * number - np.bincount(place, people.value, len(keys))) / (2 if is_pair else 1)
    for system in range(-1, systems):
        has = np.full(many, system < 0)
        has[candidates.owners[candidates.members == system]] = True
        key = np.flatnonzero(has[better] | (has[worse] & is_pair))
        sentence, sentences, sign = program.segment[key], program.segments, np.where(has[better[key]], 1.0, -1.0)
        yield (
            share(sentence, same[key], number[key], sentences), share(sentence, alike[key], pairs[key], sentences),
            share(sentence, sign * apart[key], number[key], sentences, EITHER_WAY),
        )  # fmt: skip


# By sentence, and within it by pair of versions, by version, or of a usage.
Said = Mapping[int, Mapping[int, float]]
Alignment = Callable[[np.ndarray, np.ndarray], float]


def annotator_test(study: ProgramStudy) -> Iterator[Table | Gap]:
    study.check_both()
    epsilon, aligned = EPSILON[study.parameters.people], near_ratings if study.scale == RATING else same_answers
    people = _said_by_judge(study.answers(study.people, of_ratings=True))
    rows: list[tuple] = []
    by_judge: list[tuple] = []
    for program, ballots in study.programs.items():
        name, said = study.judges[program], _said_by_judge(study.answers(ballots, of_ratings=True))[program]
        try:
            found = alternative_annotator(said, people, aligned, epsilon)
        except StatisticsError as reason:
            yield Gap(f"alternative annotator test of {name}", str(reason))
            continue
        won, many, unmet = sum(one.is_won for one in found), len(found), unmet_conditions(found)
        rows.append((name, study.parameters.people, epsilon, many, won, won / many,
                     sum(one.program_advantage for one in found) / many, None if unmet else won / many >= PASSING,
                     unmet))  # fmt: skip
        by_judge += (
            (name, study.judges[judge], sentences, *advantages, "t" if sentences >= ENOUGH_SENTENCES else "Wilcoxon", p,
             is_won)
            for judge, sentences, *advantages, p, is_won in found
        )  # fmt: skip
    if rows:
        yield Table.of("alternative_annotator", TEST, rows)
        yield Table.of("alternative_annotator_by_judge", TEST_BY_JUDGE, by_judge)


def _said_by_judge(answers: Answers) -> dict[int, dict[int, dict[int, float]]]:
    """By judge, sentence and unit; of two answers of a judge to one unit the first one."""
    found: dict[int, dict[int, dict[int, float]]] = {}
    columns = (column.tolist() for column in (answers.judge, answers.segment, answers.unit, answers.value))
    for judge, segment, unit, value in zip(*columns, strict=True):
        found.setdefault(judge, {}).setdefault(segment, {}).setdefault(unit, value)
    return found


class LeftOut(NamedTuple):
    """A person, the sentences that count, both advantages, the p-value and whether the program wins."""

    judge: int
    sentences: int
    program_advantage: float
    judge_advantage: float
    p_value: float
    is_won: bool = False


def unmet_conditions(people: Sequence[LeftOut]) -> str:
    """What the paper asks for and is not there; empty if nothing is missing."""
    few = sum(one.sentences < ENOUGH_SENTENCES for one in people)
    said = [f"it needs {ENOUGH_PEOPLE} people, and there are {len(people)}"] * (len(people) < ENOUGH_PEOPLE)
    if few:
        said.append(
            f"each person needs {ENOUGH_SENTENCES} sentences that the program and another person judged too, and "
            f"{few} of {len(people)} have fewer"
        )
    return "; ".join(said)


def alternative_annotator(
    program: Said, people: Mapping[int, Said], aligned: Alignment, epsilon: float
) -> list[LeftOut]:
    found = []
    for judge, own in people.items():
        compared = []
        for sentence in own.keys() & program.keys():
            one, other = program[sentence], own[sentence]
            beside = [said[sentence] for name, said in people.items() if name != judge and sentence in said]
            # What the program, the person and another person answered.
            both = [
                (one[key], other[key], said[key]) for said in beside for key in one.keys() & other.keys() & said.keys()
            ]
            if both:
                by_program, by_judge, by_others = np.array(both).T
                scores = aligned(by_program, by_others), aligned(by_judge, by_others)
                compared.append((scores[0] >= scores[1], scores[1] >= scores[0]))
        if compared:
            ahead, behind = np.array(compared, dtype=float).T
            p = p_value(behind - ahead, epsilon)
            found.append(LeftOut(judge, len(compared), float(ahead.mean()), float(behind.mean()), p))
    if not found:
        raise StatisticsError(
            "No sentence was judged by the program and by two people. Have people judge some of its sentences twice."
        )
    # By Benjamini and Yekutieli (2001), whatever the dependence of the tests.
    p_values = sp.stats.false_discovery_control([one.p_value for one in found], method="by")
    won = (p_values <= FALSE_DISCOVERIES).tolist()
    return [one._replace(is_won=is_won) for one, is_won in zip(found, won, strict=True)]


def p_value(differences: np.ndarray, epsilon: float) -> float:
    """Of the hypothesis that the mean is at least epsilon."""
    number = len(differences)
    if number < ENOUGH_SENTENCES:
        return signed_ranks(differences - epsilon)
    error, apart = differences.std(ddof=1) / sqrt(number), differences.mean() - epsilon
    if not error:
        return float(apart >= 0)
    return float(sp.special.stdtr(number - 1, apart / error))


def signed_ranks(values: np.ndarray) -> float:
    """Wilcoxon's test that the values are not below 0, exact for these ranks, equal ones sharing theirs."""
    size = np.abs(np.round(values, 9))
    values, size = values[size > 0], size[size > 0]
    doubled = (size[:, None] > size).sum(axis=1) * 2 + (size[:, None] == size).sum(axis=1) + 1
    ways = np.ones(1)
    for rank in doubled:
        ways = np.pad(ways, (0, rank)) + np.pad(ways, (rank, 0))
    return float(ways[: doubled[values > 0].sum() + 1].sum() / ways.sum())


def same_answers(own: np.ndarray, others: np.ndarray) -> float:
    return float((own == others).mean())


def near_ratings(own: np.ndarray, others: np.ndarray) -> float:
    return -sqrt(((own - others) ** 2).mean())
