"""Ratings of whole texts: by hand, and scale by scale as a report on that scale alone would have them."""

import numpy as np
import pytest

from ranking.stats.ballots import Ballots, Candidates
from ranking.stats.essays.ratings import EssayRatings, agreement, by_scale, correlations, error_counts, penalties
from ranking.stats.rankings.methods import METHODS
from ranking.stats.resampling import Unit

NAN = np.nan


def ratings(numbers: list[list[list[float]]], errors: list[list[int]] | None = None) -> EssayRatings:
    """What each judge (outermost) said of each text and its versions by two systems: rows of numbers by scale."""
    given = np.array(numbers, dtype=float)  # judges, texts x systems, scales
    judges, rows, scales = given.shape
    texts = rows // 2
    flat = given.reshape(-1, scales)
    ballots = Ballots(
        systems=2,
        judges=judges,
        documents=texts,
        judge=np.repeat(np.arange(judges), texts),
        segment=np.tile(np.arange(texts), judges),
        seconds=np.full(judges * texts, NAN),
        starts=np.arange(judges * texts + 1) * 2,
        candidate=np.tile(np.arange(rows), judges),
        merit=np.nanmean(flat, axis=1),
        candidates=Candidates(np.arange(rows + 1), np.tile([0, 1], texts)),
        document_of=np.arange(texts),
    )
    counted = np.zeros((len(flat), 2)) if errors is None else np.array(errors, dtype=float)
    return EssayRatings(ballots, ("form", "flow")[:scales], flat, ("minor", "major"), (1.0, 5.0), counted)


# Two judges, three texts, two systems; the second judge cannot say how the first version flows.
GIVEN = [
    [[4, 3], [2, 2], [3, 3], [1, 1], [4, 4], [2, 1]],
    [[4, NAN], [1, 2], [3, 4], [2, 1], [4, 4], [1, 1]],
]


def test_each_scale_has_the_means_of_the_numbers_that_were_given():
    found = {
        (one.scale, one.system): (one.estimate.value, one.ratings)
        for one in by_scale(ratings(GIVEN), Unit.SENTENCE, 200, 1)
        if one.measure == "mean-score"
    }
    assert found == {
        ("form", 0): (pytest.approx(22 / 6), 6),
        ("form", 1): (pytest.approx(9 / 6), 6),
        ("flow", 0): (pytest.approx(18 / 5), 5),
        ("flow", 1): (pytest.approx(8 / 6), 6),
    }


@pytest.mark.parametrize("unit", [Unit.SENTENCE, Unit.SENTENCE_AND_JUDGE])
def test_a_measure_is_that_of_a_report_on_its_scale_and_lies_in_its_interval(unit):
    given = ratings(GIVEN)
    for one in by_scale(given, unit, 200, 1):
        scores = METHODS[one.measure].scores(given.on(given.scales.index(one.scale)))
        assert one.estimate.value == pytest.approx(scores[one.system])
        assert one.estimate.interval.low <= one.estimate.value <= one.estimate.interval.high


def test_agreement_says_how_often_judges_could_not_say():
    form, flow = agreement(ratings(GIVEN), 200, 1)
    assert (form.unsaid, flow.unsaid) == (0, pytest.approx(1 / 12))
    assert 0.5 < form.alpha.value < 1
    assert form.single.value < form.mean.value


def test_scales_that_say_the_same_correlate_over_the_answers_on_both():
    same = [[[number, number] for number, _ in judge] for judge in GIVEN]
    (one,) = correlations(ratings(same))
    assert (one.answers, one.pearson, one.spearman, one.of_systems) == (12, pytest.approx(1), pytest.approx(1), None)
    (one,) = correlations(ratings(GIVEN))
    assert one.answers == 11


def test_errors_count_by_their_weights():
    errors = [[2, 1], [1, 0]] * 3 + [[0, 0], [1, 0]] * 3
    given = ratings(GIVEN, errors)
    assert error_counts(given).tolist() == [[1, 0.5], [1, 0]]
    assert [round(one.value, 6) for one in penalties(given, Unit.SENTENCE, 200, 1)] == [3.5, 1]
