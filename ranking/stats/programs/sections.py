"""Sections of a report on programs: who judged what, agreement, the test, corrected numbers, and habits."""

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from ranking.numbers.intervals import interval_of
from ranking.numbers.tables import Gap, StatisticsError, Table
from ranking.stats.ballots import together
from ranking.stats.programs.agreement import ALL, agreement
from ranking.stats.programs.alternative_annotator import (
    ENOUGH_SENTENCES,
    EPSILON,
    alternative_annotator,
    near_ratings,
    same_answers,
)
from ranking.stats.programs.assistance import effects
from ranking.stats.programs.biases import consistency, earlier_wins, longer_wins, tied
from ranking.stats.programs.corrected import WIN_RATES, WINS, Corrected, Estimates
from ranking.stats.programs.probes import IDENTICAL, REVERSED, SAMPLE
from ranking.stats.programs.sensitivity import diagnosed
from ranking.stats.programs.shares import Share, share
from ranking.stats.programs.study import RATING, VERDICT, ProgramStudy
from ranking.stats.rankings.pair_tests import pair_tests
from ranking.stats.rankings.uncertainty import fewest_sentences, shared_ranks, uncertainty
from ranking.stats.tally import tally

PEOPLE, ALL_SYSTEMS = "people", "all systems"
JUDGED = ("judge", "is_program", "judgments", "skipped", "sentences", "shared", "controls",
          "controls_passed")  # fmt: skip
MODELS = ("program", "model", "answered_by", "prompt", "digest", "temperature", "seed", "judgments", "probes",
          "unreadable", "tokens_in", "tokens_out", "cost")  # fmt: skip
AGREEMENT = ("program", "system", "with_people", "with_people_low", "with_people_high", "answers", "among_people",
             "among_people_low", "among_people_high", "answers_among_people", "favour", "favour_low",
             "favour_high")  # fmt: skip
TEST = ("program", "judged_by", "epsilon", "judges", "won", "winning_rate", "average_advantage", "passes", "unmet")
TEST_BY_JUDGE = ("program", "judge", "sentences", "program_advantage", "judge_advantage", "test", "p_value", "won")
ENDS = ("classical", "classical_low", "classical_high", "corrected", "corrected_low", "corrected_high")
ESTIMATES = ("program", "measure", "system", "unit", *ENDS, "program_alone", "weight", "sentences", "judgments",
             "gained")  # fmt: skip
RANKS = ("program", "system", "classical_rank", "classical_rank_low", "classical_rank_high", "corrected_rank",
         "corrected_rank_low", "corrected_rank_high")  # fmt: skip
PAIRS = ("program", "system", "opponent", *ENDS, "program_alone", "weight", "sentences", "classical_resolved",
         "corrected_resolved")  # fmt: skip
VERDICTS = ("program", "system", "apparent", "sensitivity", "specificity", "share", "share_low", "share_high",
            "alone", "errors", "others")  # fmt: skip
HABITS = ("program", "habit", "value", "low", "high", "answers", "people", "people_low", "people_high",
          "difference", "difference_low", "difference_high")  # fmt: skip
EARLIER_WINS, EARLIER_WINS_BOTH_ORDERS = "earlier wins", "earlier wins, both orders"
TOO_LITTLE = "The program does not tell what people call an error from the rest, so its verdicts cannot be converted."


def judged(study: ProgramStudy) -> Iterator[Table]:
    """What people judged together, and each judge alone; shared are the sentences that the other side judged too."""
    ballots = study.ballots
    answered, by_program = ballots.sizes > 0, study.is_program[ballots.judge]
    rows = []
    for number, name in [(ALL, PEOPLE), *enumerate(study.judges)]:
        mine = ~by_program if number == ALL else ballots.judge == number
        is_program = number != ALL and bool(study.is_program[number])
        other = np.unique(ballots.segment[answered & (by_program != is_program)])
        own = np.unique(ballots.segment[answered & mine])
        controls = study.controls[number] if is_program else (None, None)
        rows.append((name, is_program, int((answered & mine).sum()), int((~answered & mine).sum()), len(own),
                     len(np.intersect1d(own, other)), *controls))  # fmt: skip
    yield Table.of("who_judged", JUDGED, rows)
    if study.asked:
        yield Table.of("program_models", MODELS, [(study.judges[one.program], *one[1:]) for one in study.asked])


def agreements(study: ProgramStudy) -> Iterator[Table]:
    study.check_both()
    level, rows = study.parameters.level, []
    people = study.given(study.people)
    for program, ballots in study.programs.items():
        given = people, study.given(ballots), ballots.candidates
        for one in agreement(*given, len(study.systems), ballots.segments):
            if not one.with_people.answers:
                continue
            name = ALL_SYSTEMS if one.system == ALL else study.systems[one.system]
            favour = (None,) * 3 if one.system == ALL else one.favour.cells(level)
            rows.append((
                study.judges[program], name, *one.with_people.cells(level), one.with_people.answers,
                *one.of_people.cells(level), one.of_people.answers, *favour,
            ))  # fmt: skip
    yield Table.of("program_agreement", AGREEMENT, rows)


def annotator_test(study: ProgramStudy) -> Iterator[Table | Gap]:
    study.check_both()
    epsilon = EPSILON[study.parameters.people]
    aligned = near_ratings if study.scale == RATING else same_answers
    people = study.given(study.people, of_ratings=True).by_judge()
    rows: list[tuple] = []
    by_judge: list[tuple] = []
    for program, ballots in study.programs.items():
        name = study.judges[program]
        answers = study.given(ballots, of_ratings=True).by_judge()[program]
        try:
            found = alternative_annotator(answers, people, aligned, epsilon)
        except StatisticsError as reason:
            yield Gap(f"alternative annotator test of {name}", str(reason))
            continue
        won = sum(one.is_won for one in found.people)
        rows.append((name, study.parameters.people, epsilon, len(found.people), won, found.winning_rate,
                     found.average_advantage, None if found.unmet else found.passes, found.unmet))  # fmt: skip
        by_judge += (
            (name, study.judges[one.judge], one.sentences, one.program_advantage, one.judge_advantage,
             "t" if one.sentences >= ENOUGH_SENTENCES else "Wilcoxon", one.p_value, one.is_won)
            for one in found.people
        )  # fmt: skip
    if rows:
        yield Table.of("alternative_annotator", TEST, rows)
        yield Table.of("alternative_annotator_by_judge", TEST_BY_JUDGE, by_judge)


def estimates(study: ProgramStudy) -> Iterator[Table | Gap]:
    """By system what people say, and what they would say of all that the program judged."""
    study.check_both()
    shown, rows = tally(study.people).shown, []
    for program in study.programs:
        for measure in study.measures:
            try:
                found = study.both(program).corrected(measure)
            except StatisticsError as reason:
                yield Gap(f"{measure.name} with {study.judges[program]}", str(reason))
                continue
            judgments = shown[found.places]
            for place in np.argsort(-found.corrected.values, kind="stable").tolist():
                system = study.systems[found.places[place]]
                gained = float(judgments[place] * (found.worth[place] - 1))
                rows.append((study.judges[program], measure.name, system, study.fitted.unit,
                             *_cells(study, found, place, measure.bounds), int(judgments[place]), gained))  # fmt: skip
    if rows:
        yield Table.of("program_estimates", ESTIMATES, rows)


def ranking(study: ProgramStudy) -> Iterator[Table]:
    """Ranks by Expected Wins, and the win rates of all pairs."""
    study.check_both()
    if WINS not in study.measures:
        return
    ranks: list[tuple] = []
    pairs: list[tuple] = []
    for program in study.programs:
        found = study.both(program).corrected(WINS)
        ranges = [_ranks(one, study.parameters.level) for one in (found.classical, found.corrected)]
        for place in np.argsort(-found.corrected.values, kind="stable").tolist():
            ranks.append((study.judges[program], study.systems[place], *(end for one in ranges for end in one[place])))
        pairs += _pairs(study, program, found)
    yield Table.of("program_ranking", RANKS, ranks)
    yield Table.of("program_pairs", PAIRS, pairs)


def by_sensitivity(study: ProgramStudy) -> Iterator[Table | Gap]:
    """Verdicts of a program, converted by how often it finds what people find."""
    if study.scale != VERDICT:
        return
    study.check_both()
    rows = []
    of_people = _verdicts(study, study.people.segment, study.people.merit)
    flagged = np.zeros((len(study.systems), study.people.segments), dtype=bool)
    behind = study.ballots.candidates
    flagged[behind.members, np.repeat(np.arange(len(behind.sizes)), behind.sizes)] = True
    for program, ballots in study.programs.items():
        said = _verdicts(study, ballots.segment, ballots.merit)
        for number, system in enumerate(study.systems):
            one = diagnosed(of_people[flagged[number]], said[flagged[number]])
            if not one.tells(study.parameters.level):
                yield Gap(f"{study.judges[program]} on {system}", TOO_LITTLE)
                continue
            rows.append((study.judges[program], system, one.apparent, one.sensitivity, one.specificity, one.share,
                         *one.interval(study.parameters.level), one.usages, one.errors, one.others))  # fmt: skip
    if rows:
        yield Table.of("program_verdicts", VERDICTS, rows)


def habits(study: ProgramStudy) -> Iterator[Table]:
    """Position and length on the sentences that both judged, and what repeats and probes bring."""
    study.check_both()
    rows: list[tuple] = []
    for program, ballots in study.programs.items():
        name, shared = study.judges[program], np.intersect1d(ballots.segment, study.people.segment)
        own, others = (one.choose(np.isin(one.segment, shared)) for one in (ballots, study.people))
        if not study.gives_verdicts:
            rows.append(_habit(study, name, EARLIER_WINS, earlier_wins(own), earlier_wins(others)))
            lengths = study.lengths
            rows.append(_habit(study, name, "longer wins", longer_wins(own, lengths), longer_wins(others, lengths)))
        rows.append(_habit(study, name, "same again", _again(study, [program]),
                           _again(study, np.flatnonzero(~study.is_program).tolist())))  # fmt: skip
        rows += (_habit(study, name, habit, own) for habit, own in _probed(study, program))
    yield Table.of("program_habits", HABITS, [row for row in rows if row[HABITS.index("answers")]])


def assistance(study: ProgramStudy) -> Iterator[Table]:
    yield from effects(study.experiment, study.parameters.level)


def _again(study: ProgramStudy, judges: list[int]) -> Share:
    """Repeats of these judges."""
    ballots = study.ballots
    mine = np.isin(ballots.judge, judges) & (ballots.sizes > 0)
    first, again = (study.given(ballots.choose(mine & which)) for which in (~study.is_repeat, study.is_repeat))
    return share(*consistency(first, again, ballots.segments))


def _probed(study: ProgramStudy, program: int) -> Iterator[tuple[str, Share]]:
    """What the probes of a program show; people get none."""
    for purpose, habit in ((REVERSED, "same in the opposite order"), (SAMPLE, "same in another sample")):
        first, again = study.probes.beside_first(program, purpose, study.ballots)
        if not len(again):
            continue
        if purpose == REVERSED:
            yield EARLIER_WINS_BOTH_ORDERS, earlier_wins(together(first, again))
        yield habit, share(*consistency(study.given(first), study.given(again), first.segments))
    if len(doubled := study.probes.of(program, IDENTICAL)):
        yield "one version twice ties", tied(doubled)


def _habit(study: ProgramStudy, program: str, habit: str, own: Share, others: Share | None = None) -> tuple:
    level = study.parameters.level
    others = others or share(*np.zeros((2, study.ballots.segments)))
    return program, habit, *own.cells(level), own.answers, *others.cells(level), *(own - others).cells(level)


def _verdicts(study: ProgramStudy, usage: np.ndarray, merit: np.ndarray) -> np.ndarray:
    """The share of verdicts that call each usage an error; NaN where there is none."""
    number = np.bincount(usage, minlength=study.ballots.segments)
    found = np.bincount(usage, merit, study.ballots.segments)
    return np.divide(found, number, out=np.full(len(number), np.nan), where=number > 0)


def _cells(study: ProgramStudy, found: Corrected, place: int, bounds: tuple[float, float]) -> tuple:
    ends: list[float] = []
    for one in (found.classical, found.corrected):
        low, high = np.clip(interval_of(one.replicates[:, place], study.parameters.level), *bounds)
        ends += [float(one.values[place]), float(low), float(high)]
    return *ends, float(found.program[place]), float(found.weights[place]), int(found.sentences[place])


def _ranks(made: Estimates, level: float) -> list[tuple[int, int, int]]:
    ranks, ranges = shared_ranks(made.values), uncertainty(made.replicates, level).ranges
    return [(rank, *ends) for rank, ends in zip(ranks, ranges, strict=True)]


def _pairs(study: ProgramStudy, program: int, wins: Corrected) -> Iterator[tuple]:
    """The win rate of each pair, and whether Expected Wins of the two are resolved among all pairs."""
    level = study.parameters.level
    placed = wins.sentences >= fewest_sentences(level)
    better = [pair_tests(one.values, one.replicates, level, placed=placed).better(level)
              for one in (wins.classical, wins.corrected)]  # fmt: skip
    found = study.both(program).corrected(WIN_RATES)
    pairs = list(combinations(range(len(study.systems)), 2))
    for place, number in enumerate(found.places.tolist()):
        one, other = pairs[number]
        yield (
            study.judges[program], study.systems[one], study.systems[other],
            *_cells(study, found, place, WIN_RATES.bounds),
            *(bool(each[one, other] or each[other, one]) for each in better),
        )  # fmt: skip
