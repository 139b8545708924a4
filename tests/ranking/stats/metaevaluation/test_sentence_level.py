"""Sentence level: by hand, by scipy, by another way to count, and what holds for any scores."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from scipy.stats import kendalltau

from ranking.numbers.intervals import interval_of
from ranking.numbers.tables import StatisticsError
from ranking.stats.metaevaluation.scores import ScorePairs, pairs_of_ballots, pairs_of_scores
from ranking.stats.metaevaluation.sentences import (
    CALIBRATED,
    EPSILON,
    Variant,
    agreement,
    calibrate,
    count_kinds,
    on_decided_pairs,
    sentence_rows,
)
from ranking.stats.resampling import generator
from tests.ranking.stats.ballots import any_ballots, columns
from tests.ranking.stats.metaevaluation.scores import any_sentences

NAN = float("nan")


def pairs(human: list[int], metric: list[float], sentence: list[int] | None = None) -> ScorePairs:
    return ScorePairs(np.array(sentence or [0] * len(human)), np.array(human), np.array(metric, dtype=float))


def value_or_none(given_pairs: ScorePairs, variant: Variant) -> float | None:
    try:
        return agreement(given_pairs, variant)
    except StatisticsError:
        return None


def test_pairs_by_hand_where_scores_are_near_or_missing():
    found = pairs_of_scores(np.array([[80.0, 60, 60]]), np.array([[0.5, 0.7, 0.1]]))
    assert found.human.tolist() == [1, 1, 0]
    assert found.metric == pytest.approx([-0.2, 0.4, 0.6])
    found = pairs_of_scores(np.array([[1, NAN, 3], [1, 2, 3]]), np.array([[1, 2, 3], [NAN, 2, NAN]]))
    assert (found.sentence.tolist(), found.human.tolist()) == ([0], [-1])
    with pytest.raises(StatisticsError, match="No sentence has two outputs"):
        pairs_of_scores(np.array([[1, NAN]]), np.array([[1.0, 2]]))
    with pytest.raises(StatisticsError, match="same sentences"):
        pairs_of_scores(np.zeros((2, 2)), np.zeros((3, 2)))


def test_the_toy_of_the_definition():
    toy = pairs([1, 1, 0, -1], [1, -1, 1, 0])
    assert [agreement(toy, variant) for variant in Variant] == pytest.approx([0, -1 / 3, 0, 1 / 4, 1 / 3])


def test_a_tie_of_the_metric_counts_by_each_convention():
    """On both sentences people prefer the first output to the second, the third to the first, and tie two."""
    some = pairs([1, -1, 0] * 2, [0, 0, 1] * 2, [0] * 3 + [1] * 3)
    (found,) = on_decided_pairs([some], 100, 3)
    assert found.pairs == 4
    assert {name: one.value for name, one in found.numbers.items()} == {
        "sentence_accuracy": 0, "sentence_tau": 0, "sentence_tau_ties_wrong": -1, "sentence_tau_ties_second_wins": 0
    }  # fmt: skip
    assert found.numbers["sentence_tau_ties_wrong"].interval == (-1, -1)
    (found,) = on_decided_pairs([pairs([-1, 1], [0, 1], [0, 1])], 100, 3)
    assert [one.value for one in found.numbers.values()] == [1 / 2, 1 / 2, 0, 1]


def test_metrics_are_drawn_together_and_need_two_sentences():
    right, wrong = pairs([1, -1], [1, -1], [0, 2]), pairs([1, -1], [-1, -1], [0, 2])
    one, other = on_decided_pairs([right, wrong], 200, 3)
    assert set((one.tau - other.tau).tolist()) == {0, 1, 2}
    with pytest.raises(StatisticsError, match="only one sentence"):
        on_decided_pairs([pairs([1], [1])], 100, 3)
    with pytest.raises(StatisticsError, match="decided no pair"):
        on_decided_pairs([pairs([0, 0], [1, 1], [0, 1])], 100, 3)


def test_variants_by_hand_differ_in_what_a_tie_of_the_metric_costs():
    some = pairs([1, 1, 1, -1], [1, 1, 0, 1])
    assert [agreement(some, year) for year in (Variant.WMT12, Variant.WMT14)] == pytest.approx([0, 1 / 4])
    some = pairs([1, 1, 1, 1], [1, 1, 1, -1], [7, 7, 7, 9])
    assert agreement(some, Variant.WMT14) == 0
    (found,) = on_decided_pairs([some], 10, 3)
    assert found.numbers["sentence_tau"].value == 1 / 2
    some = pairs([1, 0], [1, 1], [0, 1])
    assert agreement(some, Variant.WMT14) == 1
    with pytest.raises(StatisticsError, match="No pair of outputs counts for wmt14"):
        agreement(pairs([0, 0], [1, 0]), Variant.WMT14)
    with pytest.raises(StatisticsError, match="only one sentence"):
        list(sentence_rows(pairs([1, -1], [1, 1]), 10, seed=1, level=0.95))


@pytest.mark.wide
@given(any_sentences())
def test_kinds_of_pairs_are_counted_one_by_one(sentences):
    human, metric = sentences
    given_pairs = pairs_of_scores(*sentences)
    expected = np.zeros((len(human), 5), dtype=int)
    for row, (ours, theirs) in enumerate(zip(human, metric, strict=True)):
        for i, j in combinations(range(len(ours)), 2):
            if np.isnan([ours[i], ours[j], theirs[i], theirs[j]]).any():
                continue
            one, other = np.sign(ours[i] - ours[j]), np.sign(theirs[i] - theirs[j])
            ordered = 0 if one == other else 1
            kind = ordered if one and other else 4 if not one and not other else 2 if not one else 3
            expected[row, kind] += 1
    present = expected.any(axis=1)
    assert count_kinds(given_pairs).tolist() == expected[present].tolist()


@pytest.mark.wide
@given(any_sentences())
def test_tau_b_by_sentence_is_the_mean_of_another_program(sentences):
    taus = []
    for ours, theirs in zip(*sentences, strict=True):
        both = ~np.isnan(ours) & ~np.isnan(theirs)
        if both.sum() > 1:
            taus.append(kendalltau(ours[both], theirs[both]).statistic)
    known = [tau for tau in taus if not np.isnan(tau)]
    value = value_or_none(pairs_of_scores(*sentences), Variant.TAU_B)
    assert value == (pytest.approx(np.mean(known), abs=1e-12) if known else None)


def test_intervals_are_those_of_numbers_recomputed_for_each_draw():
    human, metric = np.random.default_rng(4).integers(0, 3, (2, 8, 4)).astype(float)
    *found, (name, near, *_) = sentence_rows(pairs_of_scores(human, metric), 40, seed=6, level=0.5)
    assert [name for name, *_ in found] + [name] == ["tau-b", "acc-eq", CALIBRATED, EPSILON]
    ways = (Variant.TAU_B, 0), (Variant.ACC_EQ, 0), (Variant.ACC_EQ, near)
    draws = [slice(None), *(generator(6, number).integers(0, 8, 8) for number in range(40))]
    for (_, *numbers), way in zip(found, ways, strict=True):
        value, *anew = (agreement(pairs_of_scores(human[rows], metric[rows]), *way) for rows in draws)
        assert numbers == pytest.approx([value, *interval_of(np.array(anew), 0.5)])


@pytest.mark.wide
@given(any_ballots)
def test_ballots_make_a_pair_of_each_two_candidates(ballots):
    given_columns = columns(ballots)
    metric = np.random.default_rng(1).normal(size=(given_columns.segments, given_columns.systems))
    expected = []
    numbers = {segment: number for number, segment in enumerate(sorted({one.segment for one in ballots}))}
    for one in ballots:
        for pair in combinations(one.groups, 2):
            first, second = sorted(pair, key=lambda group: group.systems[0])
            row = metric[numbers[one.segment]]
            difference = row[first.systems[0]] - row[second.systems[0]]
            expected.append((numbers[one.segment], np.sign(first.merit - second.merit), difference))
    if not expected:
        with pytest.raises(StatisticsError, match="No sentence has two outputs"):
            pairs_of_ballots(given_columns, metric)
        return
    found = pairs_of_ballots(given_columns, metric)
    assert sorted(zip(found.sentence, found.human, found.metric, strict=True)) == sorted(expected)


@pytest.mark.long
def test_intervals_keep_their_promise_if_pairs_of_a_sentence_are_alike():
    """The accuracy is known to be 2/3."""
    random, trials, covered = np.random.default_rng(7), 600, 0
    for trial in range(trials):
        sentence = np.repeat(np.arange(120), random.integers(1, 30, 120))
        human = random.choice([-1, 1], len(sentence))
        right = np.where(random.random(len(sentence)) < random.beta(2, 1, 120)[sentence], 1, -1) * human
        (found,) = on_decided_pairs([ScorePairs(sentence, human, right.astype(float))], 500, trial)
        interval = found.numbers["sentence_accuracy"].interval
        covered += interval.low <= 2 / 3 <= interval.high
    assert 0.91 < covered / trials < 0.97


def try_all(pairs: ScorePairs) -> list[tuple[float, float]]:
    """acc-eq with every epsilon that could matter, the best first, and of equal ones the smallest."""
    tried = [
        (agreement(pairs, Variant.ACC_EQ, epsilon), float(epsilon)) for epsilon in np.unique([0, *np.abs(pairs.metric)])
    ]
    return sorted(tried, key=lambda one: (-round(one[0], 9), one[1]))


def test_the_toy_of_tie_calibration():
    toy = ScorePairs(np.array([0, 0]), np.array([0, 1]), np.array([0.1, 0.5]))
    assert calibrate(toy) == (0.1, 1, 1 / 2)
    assert agreement(toy, Variant.ACC_EQ, 0.5) == 1 / 2


@pytest.mark.wide
@given(any_sentences())
def test_no_epsilon_is_better(sentences):
    pairs = pairs_of_scores(*sentences)
    best_accuracy, best_epsilon = try_all(pairs)[0]
    epsilon, accuracy, uncalibrated = calibrate(pairs)
    assert accuracy == pytest.approx(best_accuracy)
    assert epsilon == best_epsilon
    assert uncalibrated == agreement(pairs, Variant.ACC_EQ)
    assert accuracy >= uncalibrated - 1e-12
