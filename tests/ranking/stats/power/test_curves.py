"""What simulated campaigns resolve, and what that says of the number of judgments needed."""

from itertools import islice
from math import inf

import numpy as np
import pytest

from ranking.numbers.tables import Table
from ranking.stats.comparisons.study import PRESETS
from ranking.stats.power.curves import CURVES, Outcome, curves, detectable, judgments_needed, outcome, outcomes
from ranking.stats.power.worlds import Assumptions, assumed_worlds, texts_of, worlds_like
from ranking.stats.rankings.methods import METHODS
from ranking.stats.resampling import Unit
from ranking.stats.tally import tally
from tests.ranking.stats.ballots import published_columns
from tests.ranking.stats.power.screens import blank_screens

CHOSEN = PRESETS["recommended"].with_changes(replicates=200, unit=Unit.SENTENCE.value)
PILOT = 300
FAR = Assumptions(spread=0.15, ties=0.2, agreement=0.85, tastes=0.01)


def found(apart, rightly) -> Outcome:
    rightly = np.array(rightly, dtype=bool)
    return Outcome(10, np.array(apart), rightly, ~rightly & False, {})


def test_what_is_detectable_and_needed_by_hand():
    some = found(np.arange(10) / 10, [0, 0, 1, 0, 1, 1, 1, 1, 1, 1])
    assert detectable([some]) == pytest.approx(0.4)
    assert detectable([found([0.1, 0.2], [0, 1])]) == pytest.approx(0.2)
    assert detectable([found([0.1, 0.2], [0, 0])]) == inf
    table = Table.of("power", ("judgments", "detectable"), [(50, None), (100, 0.2), (400, 0.1), (900, 0.05)])
    assert judgments_needed(table, 0.1) == 400
    assert judgments_needed(table, 0.2) == judgments_needed(table, 0.3) == 100
    assert judgments_needed(table, 0.1 * 2**0.5) == pytest.approx(200)
    assert judgments_needed(table, 0.04) == inf


@pytest.mark.wide
def test_more_judgments_resolve_more_and_hardly_ever_wrongly():
    blank = blank_screens(6, 1200)
    table = curves(list(islice(outcomes(assumed_worlds(FAR, 6, 0), blank, (5, 300, 1200), CHOSEN, 0), 8)), hours=0.01)
    few, some, many = table.dicts()
    assert table.columns == CURVES
    assert (few["judgments"], few["campaigns"], many["judgments"]) == (5, 8, 1200)
    assert few["resolved"] < some["resolved"] < many["resolved"]
    assert (few["hours"], many["hours"]) == (0.05, 12)
    assert few["ranks"] > some["ranks"] > many["ranks"]
    assert some["detectable"] > many["detectable"]
    assert many["wrong"] < 0.5
    assert many["resolved_low"] <= many["resolved"] <= many["resolved_high"] <= 15


def test_the_same_seed_gives_the_same_curves_and_judgments_made_already_take_no_time():
    blank = blank_screens(4, 100)
    first, again = (
        curves(list(islice(outcomes(assumed_worlds(FAR, 4, 7), blank, (100,), CHOSEN, 7), 3))) for _ in range(2)
    )
    assert first == again
    blank = blank_screens(5, 400)
    world = next(assumed_worlds(FAR, 5, 3))
    before = world.judge(blank, np.random.default_rng(4)).choose(np.arange(200))
    rest = blank.choose(np.arange(200, 400))
    found = list(islice(outcomes(iter([world]), rest, (200, 400), CHOSEN, 0, before), 1))
    assert [point.judgments for point in found[0]] == [200, 400]
    assert found[0][0].numbers["ranks"] >= found[0][1].numbers["ranks"]
    assert [row[1] for row in curves(found, hours=0.1, already=200).rows] == [0, 20]


def test_ratings_rank_by_their_means_as_the_abilities_do():
    blank = blank_screens(5, 800)
    world = next(assumed_worlds(FAR, 5, 3))
    chosen = PRESETS["napoles2019"].with_changes(replicates=200)
    found = next(outcomes(iter([world]), blank, (800,), chosen, 0))[0]
    assert found.rightly.sum() > 5
    assert not found.wrongly.any()
    scores = METHODS["z-score"].scores(world.judge(blank, np.random.default_rng(1)))
    truth = world.true_scores(texts_of(blank), for_ratings=True)
    assert scores == pytest.approx(truth, abs=0.12)


@pytest.mark.wide
def test_a_pilot_suggests_worlds_like_the_one_it_comes_from():
    blank = blank_screens(5, 600)
    truth = next(assumed_worlds(FAR, 5, 3))
    pilot = truth.judge(blank, np.random.default_rng(4))
    suggestions = worlds_like(pilot, seed=1)
    drawn = np.array([next(suggestions).true_scores(texts_of(blank)) for _ in range(30)])
    error = drawn.mean(axis=0) - truth.true_scores(texts_of(blank))
    assert np.abs(error).max() < 4 * drawn.std(axis=0).max()
    assert np.abs(error).max() < 0.06
    worlds = [next(suggestions) for _ in range(10)]
    ties = [tally(world.judge(blank, np.random.default_rng(5))).ties.sum() for world in worlds]
    assert np.mean(ties) == pytest.approx(tally(pilot).ties.sum(), rel=0.15)


@pytest.mark.wide
def test_a_pilot_of_the_published_rankings_promises_about_what_the_others_then_showed():
    judged = published_columns()
    before, rest = judged.choose(np.arange(PILOT)), judged.choose(np.arange(PILOT, len(judged)))
    worlds = worlds_like(before, seed=1)
    promised = list(islice(outcomes(worlds, rest, (PILOT, len(judged)), CHOSEN, 1, before), 20))
    any_order = np.arange(judged.systems)
    came = curves([[outcome(judged.choose(np.arange(point)), any_order, CHOSEN) for point in (PILOT, len(judged))]])
    (now, then), (now_came, then_came) = curves(promised).dicts(), came.dicts()
    assert now["resolved"] == now["resolved_high"] == now_came["resolved"], "nothing is simulated yet"
    assert then["resolved_low"] <= then_came["resolved"] <= then["resolved_high"]
    assert then["ranks_low"] <= then_came["ranks"] <= then["ranks_high"]
