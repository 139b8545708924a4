"""Corrected numbers: the toy, the weight in closed form, units, and what a program cannot do."""

from dataclasses import replace

import numpy as np
import pytest

from ranking.numbers.intervals import interval_of
from ranking.numbers.tables import StatisticsError
from ranking.stats.programs.corrected import ERRORS, MEAN, WIN_RATES, WINS, PeopleAndProgram
from ranking.stats.programs.study import ProgramParameters
from ranking.stats.programs.systems import Sensitivity, sensitivity_of
from ranking.stats.tally import tally
from studies.programs import JUDGES, Judges, campaign_of_ratings
from tests.ranking.stats.ballots import Ballot, Group, columns
from tests.ranking.stats.programs.cast import PROGRAM, QUICK, ratings


def single(said: list[float], judge: int = 0, first: int = 0) -> list[Ballot]:
    return [Ballot(judge, first + place, (Group((0,), value),)) for place, value in enumerate(said)]


def both(people: list[float], program: list[float], chosen: ProgramParameters = QUICK) -> PeopleAndProgram:
    ballots = columns(single(people) + single(program, 1), 1, 2)
    return PeopleAndProgram(ballots.choose(ballots.judge == 0), ballots.choose(ballots.judge == 1), chosen)


def test_the_toy_and_a_share_of_errors():
    given = both([60.0, 80.0], [50.0, 70.0, 30.0, 80.0])
    of_people, judged, every = (MEAN.of(one)[0, 0] for one in given.count(np.ones((2, 1)), np.ones((4, 1))))
    assert (of_people, judged, every) == (70, 60, 57.5)
    found = given.correct(MEAN)
    assert (found.classical.values[0], found.corrected.values[0]) == (70, 70), "two sentences give no weight"
    found = both([1.0, 0.0, 0.0, 1.0] * 10, [1.0, 0.0, 0.0, 1.0] * 10 + [1.0, 0.0, 0.0, 0.0] * 10).correct(ERRORS)
    assert found.classical.values[0] == 0.5
    assert found.corrected.values[0] == pytest.approx(0.375, abs=0.02)


def test_the_weight_is_that_of_least_variance():
    """In closed form (Angelopoulos et al. 2023b): cov / var / (1 + n / N), with N sentences of the program alone."""
    rng = np.random.default_rng(1)
    quality = 50 + 10 * rng.standard_normal(1000)
    people, program = quality[:200] + 5 * rng.standard_normal(200), quality + 3 + 5 * rng.standard_normal(1000)
    found = both(people.tolist(), program.tolist(), ProgramParameters(replicates=2000, unit="sentence")).correct(MEAN)
    # With all that the program judged in place of the rest, the weight is the plain slope.
    slope = np.cov(people, program[:200])[0, 1] / program[:200].var(ddof=1)
    assert found.weights[0] == pytest.approx(slope, rel=0.08)
    assert found.corrected.values[0] == pytest.approx(
        people.mean() - found.weights[0] * (program[:200].mean() - program.mean()), rel=1e-9
    )
    explained = np.corrcoef(people, program[:200])[0, 1] ** 2
    assert 1 / found.worth[0] == pytest.approx(1 - 0.8 * explained, rel=0.1)


# Means of five systems with their intervals by ppi_py 0.2.3 (`ppi_mean_pointestimate`, `ppi_mean_ci`), to which the
# sentences that people judged and the others are given apart.
THEIRS = {
    "good": [(62.259, 60.479, 64.039), (60.406, 58.483, 62.330), (58.356, 56.513, 60.198), (55.944, 54.228, 57.659),
             (53.280, 51.466, 55.094)],
    "biased": [(62.630, 60.557, 64.703), (60.784, 58.602, 62.966), (58.534, 56.474, 60.593), (55.822, 53.854, 57.789),
               (53.046, 51.043, 55.049)],
    "useless": [(62.575, 60.382, 64.768), (61.326, 59.020, 63.631), (58.335, 56.133, 60.537), (56.209, 54.065, 58.353),
                (53.203, 50.955, 55.451)],
}  # fmt: skip


@pytest.mark.wide
@pytest.mark.parametrize("program", THEIRS)
def test_means_are_those_of_another_program(program):
    rng = np.random.default_rng(3)
    people, said = campaign_of_ratings(rng, program, Judges.drawn(rng, JUDGES), 200)
    found = PeopleAndProgram(people, said, ProgramParameters(replicates=2000, unit="sentence")).correct(MEAN)
    for place, (mean, low, high) in enumerate(THEIRS[program]):
        ours = interval_of(found.corrected.replicates[:, place], 0.95)
        assert found.corrected.values[place] == pytest.approx(mean, abs=0.12)
        assert ours[1] - ours[0] == pytest.approx(high - low, rel=0.06)


def test_without_or_with_hardly_any_further_sentences_nothing_is_corrected():
    given = both([40.0, 60.0] * 20, [41.0, 58.0] * 20).correct(MEAN)
    assert given.weights.tolist() == [0]
    assert given.corrected.values == given.classical.values
    with pytest.raises(StatisticsError, match="before people and the program have judged"):
        both([40.0], []).correct(MEAN)
    # Beside each program, people have the same numbers.
    people = single([40.0, 60.0, 50.0] * 20)
    ballots = columns(people + single([41.0, 58.0, 52.0] * 26, 1) + single([44.0, 47.0], 2), 1, 3)
    given = ballots.choose(ballots.judge == 0)
    found = [
        PeopleAndProgram(given, program, QUICK, np.unique(ballots.segment)).correct(MEAN)
        for program in (ballots.choose(ballots.judge == judge) for judge in (1, 2))
    ]
    assert [one.weights.tolist() for one in found] == [[0], [0]]
    for one in found:
        assert np.array_equal(one.corrected.replicates, one.classical.replicates)
    assert np.array_equal(found[0].classical.replicates, found[1].classical.replicates)


@pytest.mark.parametrize("measure", [MEAN, WINS, WIN_RATES], ids=lambda measure: measure.name)
@pytest.mark.parametrize("unit", ["sentence", "sentence-and-judge"])
def test_a_program_that_answers_by_chance_or_the_opposite_changes_nothing_but_noise(measure, unit):
    ballots = ratings()
    is_program = ballots.judge == PROGRAM
    opposite = replace(ballots, merit=np.where(is_program[ballots.ballot_of], 100 - ballots.merit, ballots.merit))
    given = PeopleAndProgram(opposite.choose(~is_program), opposite.choose(is_program), replace(QUICK, unit=unit))
    found = given.correct(measure)
    assert found.classical.values == pytest.approx(measure.of(tally(given.people)))
    assert found.weights.max() < 0.15
    assert np.abs(found.corrected.values - found.classical.values).max() < found.classical.variances.max() ** 0.5
    assert (found.worth < 1.1).all()


def test_a_good_program_is_worth_judgments_and_other_judges_make_it_worth_less():
    ballots = ratings(noise=4.0)
    is_program = ballots.judge == PROGRAM
    sides = ballots.choose(~is_program), ballots.choose(is_program)
    alone, with_others = (PeopleAndProgram(*sides, replace(QUICK, unit=unit)).correct(MEAN)
                          for unit in ("sentence", "sentence-and-judge"))  # fmt: skip
    assert (alone.worth > 1.3).all()
    assert (with_others.classical.variances >= alone.classical.variances).all()


def test_the_interval_of_lang_and_reiczigel_and_a_program_that_cannot_tell_errors():
    assert Sensitivity(0.35, 0.9, 0.8, 1000, 500, 500).share == pytest.approx(0.214, abs=0.0005)
    # By hand from the formula: 60 of 200 called, 45 of 50 errors found, 80 of 100 others left.
    low, high = Sensitivity(0.3, 0.9, 0.8, 200, 50, 100).interval(0.95)
    z, n = 1.959964, 200 + 1.959964**2
    p, se, sp = (60 + 1.959964**2 / 2) / n, 46 / 52, 81 / 102
    share = (p + sp - 1) / (se + sp - 1)
    of_errors, of_others = se * (1 - se) / 52, sp * (1 - sp) / 102
    shift = 2 * z**2 * (share * of_errors - (1 - share) * of_others)
    reach = z / (se + sp - 1) * (p * (1 - p) / n + share**2 * of_errors + (1 - share) ** 2 * of_others) ** 0.5
    assert (low, high) == pytest.approx((max(0, share + shift - reach), share + shift + reach), abs=1e-6)
    rng = np.random.default_rng(2)
    people, said = (rng.random(200) < 0.5 for _ in range(2))
    people = np.where(np.arange(200) < 80, people.astype(float), np.nan)
    found = sensitivity_of(people, said.astype(float))
    assert (found.usages, found.errors + found.others) == (120, 80)
    assert found.interval(0.95) == (0, 1)
