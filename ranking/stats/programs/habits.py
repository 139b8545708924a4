"""Who judged what, habits of a program that should not matter beside those of people, and what showing it did.

Position: of the comparisons with a winner, the share that the version wins which was shown earlier; 1/2 if orders are
random and do not matter. Length: the share that the longer version wins, versions of one length left out; people
prefer a length too, so look at the difference. Both are on the sentences that both judged.

Repeats and probes ask the program again. Further samples and the opposite order should bring the same order of two
versions (`consistency`), and one version shown twice should tie.

Toy: a program prefers what is shown first on 9 of 10 ballots of two versions: .9.

Assistance: by chance, some screens showed what the program said and the others did not, so a difference between the two
is what showing it caused. Time is the geometric mean, the ratio of which is below 1 where time was saved; agreement
with the program is the share of pairs of versions in the same order, or of the same verdicts. Both come in sentences.

Toy: 60 and 40 s with the program in view and 80 and 50 s without it are 49 and 63.2 s, a ratio of .77. If people agree
with it on 9 of 10 answers in view and on 7 of 10 otherwise, they were drawn towards it by .2, whether it was right or
not.
"""

from collections.abc import Iterator

import numpy as np

from ranking.numbers.intervals import Interval
from ranking.numbers.tables import Table
from ranking.stats.answers import Answers, same_again
from ranking.stats.ballots import Ballots, pairs_within, together
from ranking.stats.programs.agreement import EITHER_WAY, ZERO_TO_ONE, Share, share
from ranking.stats.programs.study import IDENTICAL, REVERSED, SAMPLE, Asked, ProgramStudy

JUDGED = ("judge", "is_program", "judgments", "skipped", "sentences", "shared", "controls",
          "controls_passed")  # fmt: skip
HABITS = ("program", "habit", "value", "low", "high", "answers", "people", "people_low", "people_high",
          "difference", "difference_low", "difference_high")  # fmt: skip
ASSISTANCE = ("measure", "shown", "hidden", "effect", "effect_low", "effect_high", "judgments_shown",
              "judgments_hidden")  # fmt: skip
EARLIER_WINS, EARLIER_WINS_BOTH_ORDERS = "earlier wins", "earlier wins, both orders"
ANY = Interval(-np.inf, np.inf)


def who_judged(study: ProgramStudy) -> Iterator[Table]:
    """What people judged together, and each judge alone; shared are the sentences that the other side judged too."""
    ballots = study.ballots
    answered, by_program = ballots.sizes > 0, study.is_program[ballots.judge]
    judges = zip(study.judges, study.is_program.tolist(), study.controls, strict=True)
    every: list[tuple] = [("people", False, (None, None), ~by_program)]
    every += [(*one, ballots.judge == number) for number, one in enumerate(judges)]
    rows = []
    for name, is_program, controls, mine in every:
        other = np.unique(ballots.segment[answered & (by_program != is_program)])
        own = np.unique(ballots.segment[answered & mine])
        rows.append((name, is_program, int((answered & mine).sum()), int((~answered & mine).sum()), len(own),
                     len(np.intersect1d(own, other)), *(controls if is_program else (None, None))))  # fmt: skip
    yield Table.of("who_judged", JUDGED, rows)
    if study.asked:
        yield Table.of("program_models", Asked._fields, [(study.judges[one.program], *one[1:]) for one in study.asked])


def habits(study: ProgramStudy) -> Iterator[Table]:
    """Position and length on the sentences that both judged, and what repeats and probes bring.

    People get no probes.
    """
    study.check_both()
    level, every, rows = study.parameters.level, study.ballots, []
    none = np.empty(0, dtype=np.int64)
    nothing = share(none, none, none, every.segments)
    for program, ballots in study.programs.items():
        found: list[tuple[str, Share, Share]] = []
        if not study.gives_verdicts:
            shared = np.intersect1d(ballots.segment, study.people.segment)
            own, others = (one.choose(np.isin(one.segment, shared)) for one in (ballots, study.people))
            found.append((EARLIER_WINS, earlier_wins(own), earlier_wins(others)))
            found.append(("longer wins", longer_wins(own, study.lengths), longer_wins(others, study.lengths)))
        again = every.choose(study.is_repeat & (every.sizes > 0))
        own, others = again.choose(again.judge == program), again.choose(~study.is_program[again.judge])
        same_own, same_others = (
            consistency(study.answers(first), study.answers(second))
            for first, second in ((ballots, own), (study.people, others))
        )
        found.append(("same again", same_own, same_others))
        for purpose, habit in ((REVERSED, "same in the opposite order"), (SAMPLE, "same in another sample")):
            first, again = study.probes.beside_first(program, purpose, every)
            if len(again):
                if purpose == REVERSED:
                    found.append((EARLIER_WINS_BOTH_ORDERS, earlier_wins(together(first, again)), nothing))
                found.append((habit, consistency(study.answers(first), study.answers(again)), nothing))
        _, doubled = study.probes.beside_first(program, IDENTICAL, every)
        if len(doubled):
            found.append(("one version twice ties", ties(doubled), nothing))
        rows += [
            (study.judges[program], habit, *own.cells(level), own.answers, *others.cells(level),
             *own.less(others).cells(level))
            for habit, own, others in found if own.answers
        ]  # fmt: skip
    yield Table.of("program_habits", HABITS, rows)


def earlier_wins(ballots: Ballots) -> Share:
    earlier, later = pairs_within(ballots.ballot_of)
    apart = ballots.merit[earlier] - ballots.merit[later]
    return _by_sentence(ballots, earlier, apart > 0, apart != 0)


def longer_wins(ballots: Ballots, lengths: np.ndarray) -> Share:
    """`lengths` has the length of each candidate."""
    earlier, later = pairs_within(ballots.ballot_of)
    apart = ballots.merit[earlier] - ballots.merit[later]
    apart = apart * np.sign(lengths[ballots.candidate[earlier]] - lengths[ballots.candidate[later]])
    return _by_sentence(ballots, earlier, apart > 0, apart != 0)


def ties(ballots: Ballots) -> Share:
    """On ballots that show one text twice, the share of ties."""
    earlier, later = pairs_within(ballots.ballot_of)
    are_equal = ballots.merit[earlier] == ballots.merit[later]
    return _by_sentence(ballots, earlier, are_equal, np.ones(len(earlier), dtype=bool))


def _by_sentence(ballots: Ballots, row: np.ndarray, counts: np.ndarray, known: np.ndarray) -> Share:
    segment = ballots.segment[ballots.ballot_of[row]]
    return share(segment, counts & known, known, ballots.segments)


def consistency(first: Answers, again: Answers) -> Share:
    """Of the answers that the same judge gave again, the share that are the same."""
    known, same = same_again(first, again)
    return share(again.segment, same, known, again.segments)


def assistance(study: ProgramStudy) -> Iterator[Table]:
    """The effect of showing judges what the program said, on their time and on how far they agree with it."""
    given, level, rows = study.experiment, study.parameters.level, []
    if not len(given.sentence):
        return
    arms, sentences = (given.is_shown, ~given.is_shown), int(given.sentence.max()) + 1
    is_timed = given.seconds > 0
    logs = np.log(np.where(is_timed, given.seconds, 1))
    for measure, part, whole, ends, between in (
        ("seconds", logs, is_timed.astype(float), ANY, ANY),
        ("agreement", given.same, given.answers.astype(float), ZERO_TO_ONE, EITHER_WAY),
    ):
        shown, hidden = (share(given.sentence[arm], part[arm], whole[arm], sentences, ends) for arm in arms)
        if shown.answers and hidden.answers:
            cells = [shown.value, hidden.value, *shown.less(hidden, between).cells(level)]
            if measure == "seconds":
                cells = [None if cell is None else np.exp(cell) for cell in cells]
            rows.append((measure, *cells, *(int(arm.sum()) for arm in arms)))
    if rows:
        yield Table.of("program_assistance", ASSISTANCE, rows)
