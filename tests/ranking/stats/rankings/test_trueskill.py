"""TrueSkill: equal to the package, and the published ranking."""

import random

import numpy as np
import pytest
import trueskill as package

from ranking.numbers.tables import StatisticsError
from ranking.stats.rankings.trueskill import (
    ORDINARY,
    TIE,
    WIN,
    TrueSkillPrior,
    passed_abilities,
    rate,
    sampled_abilities,
)
from ranking.stats.rankings.uncertainty import all_later, uncertainty
from ranking.stats.tally import tally
from tests import published
from tests.ranking.stats.ballots import ballot, columns, published_columns

PUBLISHED = TrueSkillPrior(sigma=0.5, beta=1363.7375, draw_probability=0.25)
FEW = [ballot(("A", 1), ("B", 2)), ballot(("A", 1), ("C", 2)), ballot(("B", 1), ("C", 1))]


@pytest.mark.wide
@pytest.mark.parametrize("start", [PUBLISHED, ORDINARY, TrueSkillPrior(1, 0.3, 0.5)])
def test_it_equals_the_package_on_random_matches(start):
    rng = random.Random(17)
    environment = package.TrueSkill(0, start.sigma, start.beta, tau=0, draw_probability=start.draw_probability)
    ratings = [environment.create_rating() for _ in range(6)]
    mu, variance = np.zeros(6), np.full(6, float(start.sigma) ** 2)
    for _ in range(3000):
        one, other = rng.sample(range(6), 2)
        drawn = rng.random() < 0.3
        ratings[one], ratings[other] = package.rate_1vs1(ratings[one], ratings[other], drawn=drawn, env=environment)
        rate(mu, variance, one, other, TIE if drawn else WIN, start.beta, start.margin)
    assert mu.tolist() == pytest.approx([rating.mu for rating in ratings], abs=1e-9)
    assert np.sqrt(variance).tolist() == pytest.approx([rating.sigma for rating in ratings], abs=1e-9)


@pytest.mark.parametrize("run", [sampled_abilities, passed_abilities])
def test_runs_are_the_same_however_the_work_is_split_and_rate_the_winner_higher(run):
    counted = tally(columns(FEW, 3))
    whole = run(counted, 6, seed=5)
    assert np.array_equal(np.concatenate([run(counted, 2, 5, first=0), run(counted, 4, 5, first=2)]), whole)
    assert not np.array_equal(run(counted, 6, seed=6), whole)
    scores = run(tally(columns(FEW * 20, 3)), 10, seed=1).mean(axis=0)
    assert scores[0] > scores[1] == pytest.approx(scores[2], abs=0.2)
    with pytest.raises(StatisticsError, match="no matches"):
        run(tally(columns([ballot(("A", 1))], 2)), 3, seed=1)


def test_a_system_without_opponents_is_refused_and_a_pair_that_never_met_never_drawn():
    with pytest.raises(StatisticsError, match="A system was never compared with any other"):
        sampled_abilities(tally(columns(FEW, 4)), 3, seed=1)
    counted = tally(columns([ballot(("A", 1), ("B", 2)), ballot(("B", 1), ("C", 2))], 3))
    assert np.isfinite(sampled_abilities(counted, 3, seed=1)).all()


@pytest.mark.long
def test_the_published_table_3c():
    golden = published.golden()
    runs = sampled_abilities(tally(published_columns()), 300, seed=17)
    found = uncertainty(runs, 0.95)
    rows = golden["trueskill"]["rows_1000"]
    places = [golden["systems"].index(row["system"]) for row in rows]
    assert runs.mean(axis=0)[places].tolist() == pytest.approx([row["score"] for row in rows], abs=0.004)
    for row, place in zip(rows, places, strict=True):
        assert abs(found.ranges[place].best - row["lo"]) <= 1
        assert abs(found.ranges[place].worst - row["hi"]) <= 1
    clusters = all_later([found.ranges[place] for place in places])
    assert [clusters.count(number) for number in (1, 2)] == [1, 1]
