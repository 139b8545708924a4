"""Simulated ratings and verdicts by people of some sentences and by programs of all: do corrected intervals hold?

People rate the versions of five systems, each with a severity, a taste for each system and noise, and decide on usages.
Four programs judge all: one that sees what people see, one that answers by chance, one that favours the worst system
and what is shown first, and one that says the opposite. The truth is what endless people say of endless sentences.

Over 200 campaigns (an hour), with eight judges who differ and 100 or 400 of 1,000 sentences judged by people, 95%
intervals hold the truth in these shares: the mean over the eight cases of a program and a number of sentences, and the
lowest case, whose standard error is 0.007 to 0.017. The last columns are widths over those of people alone.

                             sentence       sentence-and-judge   good program, 100 and 400   biased one
    mean score               0.952, 0.942   0.943, 0.934         0.78, 0.86                  0.94, 0.95
    Expected Wins            0.947, 0.938   0.952, 0.929         0.92, 0.95                  0.99, 0.99
    win rate of a pair       0.946, 0.940   0.966, 0.954         0.95, 0.96                  0.99, 0.99
    rank range               0.997, 0.991   0.999, 0.997         0.96, 0.98                  0.99, 1.00
    share of errors          0.948, 0.943   0.952, 0.943         0.86, 0.91                  0.94, 0.96
    the same, converted      0.978, 0.938                        1.78, 2.18                  2.87, 3.51

People alone have the same within 0.003, and in their lowest case 0.933. For the other two programs widths are those of
people alone, and verdicts cannot be converted (5 to 10 times as wide).
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ranking.numbers.intervals import interval_of
from ranking.numbers.tables import Table
from ranking.stats.ballots import BallotCandidates, Ballots
from ranking.stats.programs.corrected import ERRORS, MEAN, WIN_RATES, WINS, Corrected, Estimates, PeopleAndProgram
from ranking.stats.programs.study import ProgramParameters
from ranking.stats.programs.systems import sensitivity_of
from ranking.stats.rankings.uncertainty import uncertainty
from ranking.stats.resampling import Unit

SENTENCES, JUDGED = 1000, (100, 400)
ABILITIES = np.array([66.0, 62, 60, 58, 54])
SYSTEMS, JUDGES = len(ABILITIES), 8
SEVERITY, TASTE, NOISE = 4.0, 2.0, 10.0
ENDLESS = 40_000
# A campaign of ratings has five systems and ten pairs, one of verdicts a single number.
VERDICTS = 6
PROGRAMS = "good", "useless", "biased", "adversarial"
COLUMNS = ("program", "judged", "unit", "number", "classical", "corrected", "classical width", "corrected width")
# Correct verdicts of a person, and of each program on errors and on the rest; the biased one suits the first system.
PERSON, CALLS = 0.85, {"good": (0.9, 0.9), "useless": (0.5, 0.5), "biased": (0.6, 0.9), "adversarial": (0.2, 0.3)}


@dataclass(frozen=True)
class Judges:
    """How each judge (row) shifts each system (column), and how strict they are about usages."""

    shifts: np.ndarray
    strictness: np.ndarray

    @classmethod
    def drawn(cls, rng: np.random.Generator, number: int) -> "Judges":
        shifts = SEVERITY * rng.standard_normal((number, 1)) + TASTE * rng.standard_normal((number, SYSTEMS))
        return cls(shifts, 0.04 * rng.standard_normal(number))


def programs(campaigns: int, replicates: int) -> Table:
    """How often classical and corrected intervals hold the truth, and how wide they are, on average."""
    rows = [
        row for name in PROGRAMS for judged in JUDGED for unit in (Unit.SENTENCE, Unit.SENTENCE_AND_JUDGE)
        for row in _of(name, judged, ProgramParameters(replicates=replicates, unit=unit.value), campaigns)
    ]  # fmt: skip
    return Table.of("programs", COLUMNS, rows)


def _of(program: str, judged: int, chosen: ProgramParameters, campaigns: int) -> Iterator[tuple]:
    rng = np.random.default_rng([11, PROGRAMS.index(program), judged])
    alone = chosen.unit == Unit.SENTENCE
    others = _truth(rng, Judges.drawn(rng, 4000))
    found: dict[str, list[tuple]] = {}
    for _ in range(campaigns):
        judges = Judges.drawn(rng, JUDGES)
        truth = _truth(rng, judges) if alone else others
        both = PeopleAndProgram(*campaign_of_ratings(rng, program, judges, judged), chosen)
        for measure, numbers in zip((MEAN, WINS, WIN_RATES), truth, strict=False):
            made = both.correct(measure)
            found.setdefault(measure.name, []).append(_held(made, numbers, chosen.level))
            if measure is WINS:
                found.setdefault("rank", []).append(_ranks(made, chosen.level))
        for _ in range(VERDICTS):
            people, said = _verdicts(rng, program, judges, judged)
            made = PeopleAndProgram(*(_single(one) for one in (people, said)), chosen).correct(ERRORS)
            found.setdefault("verdicts", []).append(_held(made, truth[3], chosen.level))
            if alone:
                by_sensitivity = _by_sensitivity(people, said, truth[3], made, chosen)
                found.setdefault("verdicts, by sensitivity", []).append(by_sensitivity)
    for number, held in found.items():
        yield program, judged, chosen.unit, number, *np.mean(held, axis=0).tolist()


def _liked(rng: np.random.Generator, sentences: int) -> np.ndarray:
    """What a version is worth to everybody."""
    return ABILITIES + 8 * rng.standard_normal((sentences, 1)) + 8 * rng.standard_normal((sentences, SYSTEMS))


def _as_ratings(seen: np.ndarray) -> np.ndarray:
    return np.clip(np.round(seen), 0, 100)


def _truth(rng: np.random.Generator, judges: Judges) -> tuple[np.ndarray, ...]:
    who = rng.integers(0, len(judges.shifts), ENDLESS)
    given = _as_ratings(_liked(rng, ENDLESS) + judges.shifts[who] + NOISE * rng.standard_normal((ENDLESS, SYSTEMS)))
    wins = (given[:, :, None] > given[:, None, :]).mean(axis=0)
    shares = np.divide(wins, wins + wins.T, out=np.zeros_like(wins), where=wins + wins.T > 0)
    first, second = np.triu_indices(SYSTEMS, 1)
    errors = 0.4 * PERSON + 0.6 * (1 - PERSON) + judges.strictness.mean()
    return given.mean(axis=0), shares.sum(axis=1) / (SYSTEMS - 1), shares[first, second], np.array([errors])


def campaign_of_ratings(rng: np.random.Generator, program: str, judges: Judges, judged: int) -> tuple[Ballots, Ballots]:
    liked = _liked(rng, SENTENCES)
    order = np.argsort(rng.random(liked.shape), axis=1)
    who = rng.permutation(judged) % JUDGES
    noise = rng.standard_normal(liked.shape)
    first = np.where(np.argsort(order, axis=1) == 0, 10, 0)
    seen = {
        "good": liked + 5 * noise,
        "useless": 60 + 12 * noise,
        "biased": 60 + 0.5 * (liked - 60) + np.where(np.arange(SYSTEMS) == SYSTEMS - 1, 15, 0) + first + 8 * noise,
        "adversarial": 120 - liked + 5 * noise,
    }[program]
    given = liked[:judged] + judges.shifts[who] + NOISE * rng.standard_normal((judged, SYSTEMS))
    return _ballots(given, order[:judged], who), _ballots(seen, order, np.zeros(SENTENCES, dtype=np.int64))


def _ballots(seen: np.ndarray, order: np.ndarray, judge: np.ndarray) -> Ballots:
    """All sentences have all versions; those that were judged come first."""
    candidate = np.arange(len(seen))[:, None] * SYSTEMS + order
    return Ballots(
        systems=SYSTEMS, judges=JUDGES, documents=SENTENCES, judge=judge, segment=np.arange(len(seen)),
        seconds=np.full(len(seen), 30.0), starts=np.arange(len(seen) + 1) * SYSTEMS, candidate=candidate.ravel(),
        merit=_as_ratings(np.take_along_axis(seen, order, 1)).ravel(),
        candidates=BallotCandidates(np.arange(SENTENCES * SYSTEMS + 1), np.tile(np.arange(SYSTEMS), SENTENCES)),
        document_of=np.arange(SENTENCES),
    )  # fmt: skip


Said = tuple[np.ndarray, np.ndarray]


def _verdicts(rng: np.random.Generator, program: str, judges: Judges, judged: int) -> tuple[Said, Said]:
    """The verdicts of people and of the program, with their judges; a usage is judged once by people."""
    is_error = rng.random(SENTENCES) < 0.4
    who = rng.permutation(judged) % JUDGES
    called = np.where(is_error[:judged], PERSON, 1 - PERSON) + judges.strictness[who]
    right, rejects = CALLS[program]
    said = rng.random(SENTENCES) < np.where(is_error, right, 1 - rejects)
    return ((rng.random(judged) < called).astype(float), who), (said.astype(float), np.zeros(SENTENCES, dtype=np.int64))


def _single(given: Said) -> Ballots:
    said, judge = given
    return Ballots(
        systems=1, judges=JUDGES, documents=SENTENCES, judge=judge, segment=np.arange(len(said)),
        seconds=np.full(len(said), 9.0), starts=np.arange(len(said) + 1), candidate=np.arange(len(said)), merit=said,
        candidates=BallotCandidates(np.arange(SENTENCES + 1), np.zeros(SENTENCES, dtype=np.int64)),
        document_of=np.arange(SENTENCES),
    )  # fmt: skip


def _held(made: Corrected, truth: np.ndarray, level: float) -> tuple[float, ...]:
    held, widths = zip(*(_intervals(one, truth, level) for one in (made.classical, made.corrected)), strict=True)
    return *held, *widths


def _intervals(made: Estimates, truth: np.ndarray, level: float) -> tuple[float, float]:
    low, high = np.array([interval_of(column, level) for column in made.replicates.T]).T
    return float(((low <= truth) & (truth <= high)).mean()), float((high - low).mean())


def _ranks(made: Corrected, level: float) -> tuple[float, ...]:
    held, widths = [], []
    for one in (made.classical, made.corrected):
        ranges = uncertainty(one.replicates, level).ranges
        held.append(float(np.mean([best <= place + 1 <= worst for place, (best, worst) in enumerate(ranges)])))
        widths.append(float(np.mean([worst - best + 1 for best, worst in ranges])))
    return *held, *widths


def _by_sensitivity(people: Said, said: Said, truth: np.ndarray, made: Corrected, chosen: ProgramParameters) -> tuple:
    known = np.full(SENTENCES, np.nan)
    known[: len(people[0])] = people[0]
    low, high = sensitivity_of(known, said[0]).interval(chosen.level)
    held, width = _intervals(made.classical, truth, chosen.level)
    return held, float(low <= truth[0] <= high), width, high - low
