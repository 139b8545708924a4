"""Simulated verdicts: what is assumed comes out, and usages buy something else than verdicts on each."""

from itertools import islice

import numpy as np
import pytest

from ranking.stats.power.curves import curves
from ranking.stats.power.verdicts import (
    VERDICT_CURVES,
    VerdictAssumptions,
    assumed_verdict_worlds,
    verdict_outcomes,
    verdict_worlds_like,
)
from ranking.stats.power.worlds import AssumptionError
from ranking.stats.verdicts.crowd import UNKNOWN, crowd_of
from ranking.stats.verdicts.study import VerdictParameters
from ranking.stats.verdicts.systems import NAMES, measures_of

CHOSEN = VerdictParameters(replicates=200)


def plan(usages: int, redundancy: int, judges: int = 8):
    """Every judgment of a usage is by another judge."""
    at = np.arange(usages * redundancy)
    return at // redundancy, (at + at // usages) % judges


def test_what_is_assumed_comes_out():
    assert VerdictAssumptions(precision=0.5, recall=0.5).false_alarms(0.5, 0.5) == 0.5
    with pytest.raises(AssumptionError, match="contradict each other"):
        VerdictAssumptions(errors=0.9, precision=0.1)
    with pytest.raises(AssumptionError, match="must lie between"):
        VerdictAssumptions(accuracy=0.4)
    assumed = VerdictAssumptions(errors=0.3, precision=0.7, recall=0.4, spread=0.1, accuracy=0.8, unknown=0.1)
    world = next(assumed_verdict_worlds(assumed, 3, 60_000, 1))
    usage, judge = plan(60_000, 1)
    verdicts = world.judge(usage, judge, 8, np.random.default_rng(1))
    assert world.is_error.mean() == pytest.approx(0.3, abs=0.01)
    assert (verdicts.value == UNKNOWN).mean() == pytest.approx(0.1, abs=0.01)
    right = (verdicts.value == world.is_error)[verdicts.value != UNKNOWN]
    assert right.mean() == pytest.approx(0.8, abs=0.01)
    found = measures_of(world.classes, crowd_of(verdicts))[:, 0, NAMES.index("f")]
    assert found == pytest.approx(world.scores, abs=0.01)


@pytest.mark.wide
def test_more_verdicts_on_few_usages_resolve_more_and_more_of_it_wrongly():
    lines = []
    for usages, redundancy in ((80, 2), (80, 8), (640, 2)):
        worlds = assumed_verdict_worlds(VerdictAssumptions(), 4, usages, 3)
        usage, judge = plan(usages, redundancy)
        simulated = list(islice(verdict_outcomes(worlds, usage, judge, (len(usage),), CHOSEN, 3), 30))
        lines += curves(simulated, 0.01, columns=VERDICT_CURVES).dicts()
    few, often, many = lines
    assert tuple(few) == VERDICT_CURVES
    assert few["width"] > often["width"]
    assert few["majority"] < often["majority"]
    assert few["resolved"] < often["resolved"]
    assert many["wrong"] < often["wrong"]
    assert many["best_found"] > few["best_found"]


def test_a_pilot_gives_usages_like_those_judged():
    world = next(assumed_verdict_worlds(VerdictAssumptions(), 3, 400, 5))
    usage, judge = plan(400, 6)
    pilot = world.judge(usage, judge, 8, np.random.default_rng(2))
    like = next(verdict_worlds_like(pilot, world.classes, 5000, 1))
    assert like.is_error.mean() == pytest.approx(world.is_error.mean(), abs=0.05)
    assert like.says_error[like.is_error].mean() == pytest.approx(0.8, abs=0.05)
    assert np.abs(like.scores - world.scores).max() < 0.1
