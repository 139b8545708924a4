"""Accuracy: by hand, as published and run again by the authors' programs, and what holds for any method."""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from statistics import mean

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranking.numbers.tables import StatisticsError
from ranking.stats.ballots import Ballots
from ranking.stats.prediction import HONEST, PUBLISHED, Accuracy, Recipe, accuracies, baselines, folds_of, to_predict
from ranking.stats.rankings.methods import METHODS, Method
from ranking.stats.resampling import Unit
from ranking.stats.tally import Tally
from tests import published
from tests.ranking.stats.ballots import Ballot, any_ballots, ballot, columns, published_columns

TOY = [ballot(("A", 1), ("B", 2), segment=0), ballot(("A", 1), ("B", 2), segment=1), ballot(("AB", 1), segment=2)]
FEW = replace(HONEST, folds=2, replicates=5)


EXPECTED_WINS, TRUESKILL = METHODS["expected-wins-published"], METHODS["trueskill-published"]


def all_accuracies(*given) -> list[Accuracy | StatisticsError]:
    def returned():
        yield (yield from accuracies(*given))

    *steps, found = returned()
    assert len(steps) == given[-1].folds
    return found


def accuracy(ballots: Ballots, method: Method, seed: int, recipe: Recipe = HONEST) -> Accuracy:
    (found,) = all_accuracies(ballots, [method], seed, recipe)
    if isinstance(found, StatisticsError):
        raise found
    return found


def counting(score: Callable[[Tally], np.ndarray]) -> Method:
    return replace(EXPECTED_WINS, name="counting", of_tally=score)


def fixed(*scores: float) -> Method:
    """A method that knows its scores before it sees a judgment."""
    return counting(lambda tallies: np.tile(scores, (len(tallies.wins), 1)))


def undecided(tallies: Tally) -> np.ndarray:
    """Each replicate in another order, so that all systems are one cluster."""
    return np.stack([np.roll(np.arange(tallies.systems, dtype=float), run) for run in range(len(tallies.wins))])


def sentences(ballots: list[Ballot]) -> list[Ballot]:
    return [one._replace(segment=number) for number, one in enumerate(ballots)]


def test_the_toy_of_the_definition_where_shared_ties_count_on_request():
    ballots, recipe = columns(TOY, 2), replace(FEW, folds=3, counts_shared=True)
    found = accuracy(ballots, fixed(2, 1), 1, recipe)
    assert (found.total.share, int(found.total.compared.sum())) == (1, 2)
    assert (found.clustered.share, int(found.clustered.compared.sum())) == (pytest.approx(2 / 3), 3)
    assert found.clusters == [(1, 1)] * 3
    assert baselines(ballots, 1, recipe).tie == pytest.approx(1 / 3)
    ballots = columns([*TOY, ballot(("A", 1), ("B", 1), segment=3)], 2)
    for counts_shared, ties in ((False, 1), (True, 2)):
        tested = to_predict(folds_of(ballots, Unit.SENTENCE, 2, 1), replace(FEW, counts_shared=counts_shared))
        assert int(np.triu(tested.ties).sum()) == ties


def test_by_hand_what_is_predicted_never_trains_and_clusters_tie():
    ballots, recipe = columns(TOY, 2), replace(FEW, folds=3, counts_shared=True)
    found = accuracy(ballots, counting(undecided), 1, recipe)
    assert found.clusters == [(2,)] * 3
    assert found.clustered.share == pytest.approx(1 / 3)
    # Judgments on a sentence contradict those on all others, so a ranking without them is always wrong.
    ballots = columns([*(ballot(("A", 1), ("B", 2), segment=n) for n in (0, 0)), ballot(("B", 1), ("A", 2), segment=1),
                       ballot(("B", 1), ("A", 2), segment=2)], 2)  # fmt: skip
    found = accuracy(ballots, EXPECTED_WINS, 1, replace(FEW, folds=3))
    assert found.total.right[found.total.compared == 2].tolist() == [0]
    with pytest.raises(StatisticsError, match="no order to predict"):
        accuracy(columns(sentences([ballot(("A", 1), ("B", 1))] * 4), 2), EXPECTED_WINS, 1, FEW)


@pytest.mark.wide
@given(any_ballots, st.integers(0, 99))
def test_no_ranking_gets_more_right_than_the_best_answers(ballots, seed):
    given_columns = columns(sentences(ballots))
    recipe = replace(FEW, counts_shared=True)
    try:
        found = accuracy(given_columns, fixed(6, 5, 4, 3, 2, 1), seed, recipe)
    except StatisticsError:
        return
    base = baselines(given_columns, seed, recipe)
    assert found.total.share <= base.best_decisive + 1e-12
    assert found.clustered.share <= base.best + 1e-12
    assert max(base.tie, base.majority) <= base.best + 1e-12
    assert base.majority_decisive <= base.best_decisive + 1e-12


@pytest.mark.parametrize("recipe", [HONEST, replace(PUBLISHED, folds=5, replicates=10)])
def test_the_same_seed_gives_the_same_accuracy(recipe):
    ballots = published_columns()
    one, same, other = (accuracy(ballots, EXPECTED_WINS, seed, recipe) for seed in (1, 1, 2))
    assert one.clustered.right.tolist() == same.clustered.right.tolist()
    assert one.clustered.right.tolist() != other.clustered.right.tolist()


def of_reruns(kind: str) -> tuple[float, float]:
    """What the authors' programs give when they are run again, the mean of all times that it was done."""
    reruns = [rerun for name, rerun in published.golden()["table4"]["mine"].items() if re.fullmatch(kind, name)]
    return mean([rerun["total_nonties"] for rerun in reruns]), mean([rerun["clusters"] for rerun in reruns])


def percent(*found: Accuracy) -> tuple[float, float]:
    return 100 * mean([one.total.share for one in found]), 100 * mean([one.clustered.share for one in found])


@pytest.mark.long
def test_the_published_accuracy_of_expected_wins():
    """Clustered accuracy moves by half a point from seed to seed, so that means are compared."""
    found = [accuracy(published_columns(), EXPECTED_WINS, seed, PUBLISHED) for seed in range(4)]
    assert percent(*found) == pytest.approx(of_reruns("EW_._leaky"), abs=0.8)
    assert percent(*found) == pytest.approx(published.golden()["paper"]["table4"]["EW"], abs=0.8)
    shapes = Counter(sizes for one in found for sizes in one.clusters)
    rerun = published.golden()["table4"]["mine"]["EW_0_leaky"]["shapes"]
    assert shapes.most_common(1)[0][0] == tuple(rerun[0][0])


@pytest.mark.long
def test_without_the_slip_expected_wins_is_about_as_accurate():
    honestly_trained = replace(PUBLISHED, leaks=False)
    found = [accuracy(published_columns(), EXPECTED_WINS, seed, honestly_trained) for seed in range(4)]
    assert percent(*found) == pytest.approx(of_reruns("EW_._cv"), abs=0.8)


@pytest.mark.wide
def test_the_published_accuracy_of_trueskill():
    """With fewer folds and runs than the paper took, for the time they take; the clusters are nearly always these."""
    few = replace(PUBLISHED, folds=3, replicates=40, leaks=False)
    found = accuracy(published_columns(), TRUESKILL, 17, few)
    assert percent(found) == pytest.approx(of_reruns("TS_cv"), abs=0.8)
    assert percent(found) == pytest.approx(published.golden()["paper"]["table4"]["TS"], abs=0.8)


@pytest.mark.parametrize("name", [name for name, method in METHODS.items() if method.predicts])
def test_every_method_of_comparisons_predicts_better_than_a_coin(name):
    assert name in METHODS
    found = accuracy(published_columns(), METHODS[name], 17, replace(HONEST, folds=2, replicates=4))
    assert 0.55 < found.total.share < 0.6


@pytest.mark.wide
def test_methods_together_are_what_they_are_alone_and_one_that_refuses_leaves_the_others():
    def refuses(tallies):
        raise StatisticsError("It cannot.")

    ballots, few = published_columns(), replace(HONEST, folds=3, replicates=6)
    methods = [EXPECTED_WINS, counting(refuses), METHODS["trueskill"]]
    found = all_accuracies(ballots, methods, 4, few)
    assert str(found[1]) == "It cannot."
    for one, method in ((found[0], methods[0]), (found[2], methods[2])):
        alone = accuracy(ballots, method, 4, few)
        assert (one.total.share, one.clustered.share) == (alone.total.share, alone.clustered.share)
    for recipe in (PUBLISHED, replace(PUBLISHED, leaks=False)):
        few = replace(recipe, folds=3, replicates=4)
        together = all_accuracies(ballots, [EXPECTED_WINS, TRUESKILL, EXPECTED_WINS], 4, few)
        alone = [accuracy(ballots, method, 4, few) for method in (EXPECTED_WINS, TRUESKILL, EXPECTED_WINS)]
        assert [one.total.share for one in together] == [one.total.share for one in alone]


def test_by_hand_and_the_majority_is_that_of_the_other_folds():
    kinds = [(("A", 1), ("B", 2))] * 3 + [(("A", 2), ("B", 1))] + [(("A", 1), ("B", 1))] * 4
    ballots = columns([ballot(*groups, segment=number) for number, groups in enumerate(kinds * 10)], 2)
    found = baselines(ballots, 1)
    assert (found.tie, found.best, found.best_decisive) == (1 / 2, 1 / 2, 3 / 4)
    assert (found.majority, found.majority_decisive) == (1 / 2, 3 / 4)
    # On each sentence judges say the opposite of what they say on the other one.
    ballots = columns([ballot(("A", 1), ("B", 2), segment=0), ballot(("B", 1), ("A", 2), segment=1)], 2)
    found = baselines(ballots, 1, replace(HONEST, folds=2))
    assert (found.majority, found.majority_decisive, found.best) == (0, 0, 1 / 2)
    with pytest.raises(StatisticsError, match="no order to predict"):
        baselines(columns([ballot(("A", 1), ("B", 1), segment=n) for n in range(12)], 2), 1)


@pytest.mark.parametrize("seed", [1, 2])
def test_the_published_baselines_are_exact(seed):
    golden = published.golden()["table4"]["in_sample"]
    found = baselines(published_columns(), seed, PUBLISHED)
    assert found.tie == pytest.approx(golden["all_ties_constant"], abs=1e-15)
    assert found.best == pytest.approx(golden["per_pair_majority"], abs=1e-15)
    assert found.best_decisive == pytest.approx(golden["per_pair_majority_non_ties"], abs=1e-15)
    assert round(100 * found.tie, 2) == 54.19
    printed = published.golden()["paper"]["table4"]
    assert 100 * found.tie > max(clustered for _, clustered in printed.values()), "it beats both published methods"
