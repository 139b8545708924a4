"""Assumptions become a simulation in which they hold."""

from dataclasses import replace
from math import pi, sin, sqrt

import numpy as np
import pytest

from ranking.stats.power.worlds import AssumptionError, Assumptions, assumed_worlds, texts_of
from ranking.stats.tally import tally
from tests.ranking.stats.power.screens import blank_screens


def test_the_toy_of_the_docstring_and_systems_that_share_texts():
    parts = Assumptions(spread=0, ties=0, agreement=0.75, tastes=0).deviations()
    assert (parts.abilities, parts.tastes, parts.margin) == (0, 0, 0)
    assert parts.effects == pytest.approx(sqrt(sin(pi / 4) / 2))
    assert parts.noise == pytest.approx(sqrt((1 - sin(pi / 4)) / 2))
    blank = blank_screens(6, 300, shared=0.9)
    world = next(assumed_worlds(Assumptions(spread=0.1), 6, seed=1))
    alone = world.true_scores(np.arange(6)[None])
    assert world.true_scores(texts_of(blank)).std() < alone.std()


@pytest.mark.parametrize("chosen", [Assumptions(), Assumptions(0.12, 0.1, 0.7, 0.1), Assumptions(0.03, 0.5, 0.9, 0)])
def test_simulated_judges_tie_agree_and_tell_systems_apart_as_assumed(chosen):
    blank = blank_screens(30, 4000, shown=3, judges=4000, shared=0)
    world = next(assumed_worlds(chosen, 30, seed=3))
    groups = np.tile(np.arange(30), (1, 1))
    assert world.true_scores(groups).std() == pytest.approx(chosen.spread, rel=0.05)
    twice = blank.choose(np.repeat(np.arange(len(blank)), 2))
    twice = replace(twice, judge=np.arange(len(twice)), judges=len(twice))
    merit = world.judge(twice, np.random.default_rng(2)).merit.reshape(-1, 2, 3)
    counted = tally(world.judge(twice, np.random.default_rng(2)))
    # Chains of near equals tie more often than pairs alone.
    ties = counted.ties.sum() / counted.compared.sum()
    assert chosen.ties - 0.02 < ties < chosen.ties + 0.15
    signs = np.sign(merit[..., 0] - merit[..., 1])
    decided = signs.all(axis=1)
    assert (signs[decided, 0] == signs[decided, 1]).mean() == pytest.approx(chosen.agreement, abs=0.04)


@pytest.mark.parametrize(
    ("chosen", "message"),
    [({"ties": 1.2}, "ties must lie between"), ({"agreement": 0.3}, "agreement of judges must lie"),
     ({"agreement": 0.5, "spread": 0.1}, "contradict"), ({"agreement": 0.95, "tastes": 0.3}, "contradict")],
)  # fmt: skip
def test_assumptions_that_are_impossible_or_contradict_each_other_are_refused(chosen, message):
    with pytest.raises(AssumptionError, match=message):
        Assumptions(**chosen).deviations()
