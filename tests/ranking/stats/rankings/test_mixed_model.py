"""The mixed model: by hand, as published, by dense matrices and another optimiser, for any ratings."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from ranking.numbers.tables import StatisticsError
from ranking.stats.analysis import analyse
from ranking.stats.ballots import Ballots
from ranking.stats.comparisons import SECTIONS
from ranking.stats.comparisons.study import ComparisonStudy, Names, Parameters
from ranking.stats.rankings.mixed_model import HIGHEST_RATIO, MixedModelFit, fit, mixed_replicates
from ranking.stats.resampling import Unit, draw, units_of
from tests.ranking.stats.ballots import Ballot, Group, rating
from tests.ranking.stats.ballots import columns as columns_of

few = settings(deadline=None, max_examples=40)
DRAWN = (Unit.RANKING, Unit.SENTENCE, Unit.JUDGE)


def columns(ballots: Sequence[Ballot], systems: int = 2) -> Ballots:
    return columns_of(ballots, systems, 1 + max(ballot.judge for ballot in ballots))


def table(rows: Sequence[Sequence[float]]) -> list[Ballot]:
    """One judge's ratings, a row for each sentence and a column for each system."""
    groups = [tuple(Group((system,), float(merit)) for system, merit in enumerate(row)) for row in rows]
    return [Ballot(0, sentence, of) for sentence, of in enumerate(groups)]


def random_ratings(seed: int, ballots: int = 60, systems: int = 4) -> list[Ballot]:
    """Ratings with effects of judges and sentences, of some of the outputs; two systems sometimes share theirs."""
    rng = np.random.default_rng(seed)
    severity, easiness = rng.normal(0, 6, 5), rng.normal(0, 9, 12)
    made = []
    for _ in range(ballots):
        judge, sentence = int(rng.integers(5)), int(rng.integers(12))
        shown = rng.choice(systems, 3, replace=False)
        groups = [(0, 1), (2,), (3,)] if rng.random() < 0.3 else [(int(system),) for system in shown]
        merits = [50 + 4 * of[0] + severity[judge] + easiness[sentence] + rng.normal(0, 8) for of in groups]
        made.append(Ballot(judge, sentence, tuple(Group(*of) for of in zip(groups, merits, strict=True))))
    return made


def test_a_balanced_toy_by_analysis_of_variance():
    found = fit(columns(table([(3, 2), (6, 3)])))
    assert found.scores.tolist() == [4.5, 2.5]
    assert found[1:] == (0, pytest.approx(1.5), pytest.approx(1))


def test_scores_where_nothing_is_left_for_the_error():
    found = fit(columns([rating(judge, sentence, ("A", 70.1), ("B", 70.1)) for judge in (0, 1) for sentence in (0, 1)]))
    assert found.scores.tolist() == [70.1, 70.1]
    assert found[1:] == (0, 0, pytest.approx(0, abs=1e-20))
    ballots = [
        rating(judge, sentence, *((name, 10 * (name == "B") + 5 * judge**2 + 3 * sentence) for name in names))
        for judge, names in enumerate(("A", "B", "AB"))
        for sentence in range(4)
    ]
    scores = fit(columns(ballots)).scores
    assert scores[1] - scores[0] == pytest.approx(10, abs=0.01)
    scores = fit(columns([rating(0, 0, ("A", 80), ("B", 60)), rating(1, 0, ("A", 40), ("B", 30))])).scores
    assert scores.tolist() == [60, 45]


def test_systems_that_always_share_their_output_share_the_score():
    ballots = [one._replace(groups=tuple(Group((0, 1), merit) if 0 in systems else Group(systems, merit)
               for systems, merit in one.groups if systems != (1,))) for one in random_ratings(3)]  # fmt: skip
    scores = mixed_replicates(columns(ballots, 4), Unit.SENTENCE, 20, 1, 0)
    assert (scores[:, 0] == scores[:, 1]).all()


@pytest.mark.parametrize(
    ("ballots", "reason"),
    [
        ([rating(0, 0, ("A", 1))], "A system was never rated"),
        ([Ballot(0, 0, ())], "A system was never rated"),
        ([rating(0, 0, ("A", 1)), rating(1, 1, ("B", 2))], "share neither a judge nor a sentence"),
        ([rating(0, n, ("A", n)) for n in (0, 1)] + [rating(1, n, ("B", 1)) for n in (0, 1)], "Only one judge"),
        ([rating(n, 0, ("A", n)) for n in (0, 1)] + [rating(n, 1, ("B", 1)) for n in (0, 1)], "one sentence only"),
    ],
)
def test_inseparable_systems_are_refused_with_a_reason(ballots, reason):
    with pytest.raises(StatisticsError, match=reason):
        fit(columns(ballots))


def test_a_system_that_is_not_always_drawn_is_named_as_the_fault():
    ballots = [*table([(3, 2), (6, 3), (5, 1)]), rating(0, 2, ("C", 4))]
    with pytest.raises(StatisticsError, match="so few ratings"):
        mixed_replicates(columns(ballots, 3), Unit.SENTENCE, 50, 1, 0)


@pytest.mark.wide
def test_as_the_first_method_of_a_report_it_leaves_gaps_that_say_why():
    chosen = Parameters(methods=("mixed-model",), replicates=200, folds="honest")
    study = ComparisonStudy(
        columns(random_ratings(1), 4), Names(tuple("ABCD"), tuple("abcde")), chosen, are_ratings=True
    )
    found = analyse(study, SECTIONS)
    assert set(found.tables["standings"].column("method")) == {"mixed-model"}
    assert found.gaps == {
        "uncertainty": "No method could rank the systems both ways, so there is nothing to compare.",
        "leaving out": "Mixed model needs more than counts, so nothing is left out of it.",
        "fragility": "Mixed model needs more than counts, so nothing is left out of it.",
        "accuracy": "None of the chosen methods predicts comparisons; add one that does, such as Expected Wins.",
    }
    assert study.signature().startswith("mixed-model(judges:random|sentences:random|fit:reml|ratios:of-all-judgments)|")
    found = analyse(replace(study, are_ratings=False), SECTIONS)
    assert found.gaps["standings"] == "Mixed model: This method is for ratings; means of ranks are meaningless."


# As published

# Zones of inhibition in mm, plates by samples: Davies and Goldsmith (1972), section 6.6; `Penicillin` of lme4.
PENICILLIN = """
    27 23 26 23 23 21  27 23 26 23 23 21  25 21 25 24 24 20  26 23 25 23 23 20  25 22 26 22 23 20  24 22 25 23 22 19
    24 20 23 21 22 19  26 22 26 24 24 21  24 21 24 22 22 20  24 21 24 23 22 19  26 23 26 24 24 21  25 22 26 24 24 20
    26 24 26 24 25 22  26 23 26 23 23 20  26 23 25 24 24 22  25 22 25 23 23 20  25 21 24 23 23 20  25 22 24 23 23 19
    24 21 23 21 21 19  26 23 26 24 24 21  25 21 24 22 22 18  25 22 25 22 22 20  24 21 24 22 24 19  24 21 24 22 21 18
"""
# Yields of four treatments from five blends: Box, Hunter and Hunter (1978), page 209.
BLENDS = [(89, 88, 97, 94), (84, 77, 92, 79), (81, 87, 87, 85), (87, 92, 89, 84), (79, 81, 80, 88)]


def deviations(found: MixedModelFit) -> tuple[float, ...]:
    return tuple(float(np.sqrt(variance)) for variance in found[1:])


def test_the_published_variances_of_two_crossed_effects_and_effects_of_treatments_in_blends():
    """As lme4 prints them: plates 0.8467, samples 1.9316, residual 0.5499, intercept 22.9722."""
    zones = np.array(PENICILLIN.split(), dtype=float).reshape(24, 6)
    found = fit(columns([rating(s, p, ("A", zone)) for p, row in enumerate(zones) for s, zone in enumerate(row)], 1))
    assert found.scores.tolist() == pytest.approx([22.9722], abs=5e-5)
    assert deviations(found) == pytest.approx((1.9316, 0.8467, 0.5499), abs=5e-5)
    # As Faraway prints them, by lme4: treatments 84, 85, 89, 86; blends 3.43, residual 4.34.
    found = fit(columns(table(BLENDS), 4))
    assert found.scores.tolist() == [84, 85, 89, 86]
    assert deviations(found) == pytest.approx((0, 3.43, 4.34), abs=5e-3)


# By another program: the definition in dense matrices


def dense(ballots: Sequence[Ballot]) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Ratings, and indicators of systems, judges and sentences."""
    lines = [
        (group.merit, system, ballot.judge, ballot.segment)
        for ballot in ballots
        for group in ballot.groups
        for system in group.systems
    ]
    merit, *parts = (np.array(column) for column in zip(*lines, strict=True))
    return merit, *((part[:, None] == np.unique(part)).astype(float) for part in parts)


def least_squares(ballots: Sequence[Ballot], judge: float, sentence: float) -> tuple[np.ndarray, float]:
    """Scores for given ratios of variances, and what these ratios cost."""
    y, x, of_judge, of_sentence = dense(ballots)
    v = np.eye(len(y)) + judge * of_judge @ of_judge.T + sentence * of_sentence @ of_sentence.T
    inverse = np.linalg.inv(v)
    information = x.T @ inverse @ x
    scores = np.linalg.solve(information, x.T @ inverse @ y)
    left = (y - x @ scores) @ inverse @ (y - x @ scores)
    determinants = np.linalg.slogdet(v).logabsdet + np.linalg.slogdet(information).logabsdet
    return scores, determinants + (len(y) - x.shape[1]) * np.log(left)


@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_another_optimiser_of_the_dense_likelihood_finds_the_same(seed):
    ballots = random_ratings(seed)
    options = {"xatol": 1e-9, "fatol": 1e-10, "maxiter": 2000}
    other = minimize(
        lambda root: least_squares(ballots, *root**2)[1], np.ones(2), method="Nelder-Mead", options=options
    )
    found = fit(columns(ballots, 4))
    assert [found.judge / found.error, found.sentence / found.error] == pytest.approx((other.x**2).tolist(), rel=1e-4)
    assert found.scores.tolist() == pytest.approx(least_squares(ballots, *other.x**2)[0].tolist(), abs=1e-5)


def test_a_variance_may_be_nothing():
    """Sentences that differ less than chance would make them: the best ratio is 0, and no other one is better."""
    ballots = [
        rating(judge, sentence, *((name, 9 * judge + (judge + sentence + n) % 2) for n, name in enumerate("AB")))
        for judge in range(3)
        for sentence in range(4)
    ]
    found = fit(columns(ballots))
    assert found.sentence == 0
    judge = found.judge / found.error
    best = least_squares(ballots, judge, 0)[1]
    for near in ((judge, 0.01), (judge * 0.99, 0), (judge * 1.01, 0)):
        assert best <= least_squares(ballots, *near)[1]


def really_drawn(ballots: Sequence[Ballot], unit: Unit, times: np.ndarray) -> list[Ballot]:
    """Every ballot as often as its unit was drawn; each copy of a judge or a sentence is another one."""
    part, _ = units_of(columns(ballots, 4), unit)
    return [
        ballot._replace(
            judge=ballot.judge + 100 * copy * (unit is Unit.JUDGE),
            segment=ballot.segment + 100 * copy * (unit is Unit.SENTENCE),
        )
        for ballot, place in zip(ballots, part, strict=True)
        for copy in range(times[place])
    ]


@pytest.mark.parametrize("unit", DRAWN)
def test_replicates_are_those_of_ballots_that_were_really_drawn(unit):
    ballots = random_ratings(4)
    given_columns = columns(ballots, 4)
    found = fit(given_columns)
    replicates = mixed_replicates(given_columns, unit, 5, 9, 0)
    for scores, times in zip(replicates, draw(units_of(given_columns, unit)[1], 5, 9).T, strict=True):
        copies = really_drawn(ballots, unit, times)
        expected, _ = least_squares(copies, found.judge / found.error, found.sentence / found.error)
        assert scores.tolist() == pytest.approx(expected.tolist(), abs=1e-6)


@st.composite
def any_ratings(draw_any) -> list[Ballot]:
    """Up to a dozen ballots of three systems by three judges on four sentences."""

    def one() -> Ballot:
        shown = draw_any(st.lists(st.integers(0, 2), unique=True, min_size=1))
        groups = tuple(Group((system,), float(draw_any(st.integers(0, 5)))) for system in shown)
        return Ballot(draw_any(st.integers(0, 2)), draw_any(st.integers(0, 3)), groups)

    return [one() for _ in range(draw_any(st.integers(3, 12)))]


@pytest.mark.wide
@few
@given(any_ratings())
def test_no_other_ratios_are_more_likely_and_scores_are_those_of_least_squares(ballots):
    try:
        found = fit(columns(ballots, 3))
    except StatisticsError:
        assume(False)
    assume(found.error > 1e-6)
    judge, sentence = found.judge / found.error, found.sentence / found.error
    assume(max(judge, sentence) < HIGHEST_RATIO - 1)
    scores, best = least_squares(ballots, judge, sentence)
    assert found.scores.tolist() == pytest.approx(scores.tolist(), abs=1e-5)
    for near in ((judge + 0.05, sentence), (judge, sentence + 0.05), (0, sentence), (judge, 0), (1, 1), (0.1, 10)):
        assert best <= least_squares(ballots, *near)[1] + 1e-6


@pytest.mark.parametrize("unit", DRAWN)
def test_replicates_are_the_same_however_the_work_is_split(unit):
    ballots = columns(random_ratings(5), 4)
    whole = mixed_replicates(ballots, unit, 6, 17, 0)
    split = [mixed_replicates(ballots, unit, 2, 17, 0), mixed_replicates(ballots, unit, 4, 17, 2)]
    assert np.array_equal(np.concatenate(split), whole)
    assert not np.array_equal(mixed_replicates(ballots, unit, 6, 18, 0), whole)
