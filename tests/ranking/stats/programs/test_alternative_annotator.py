"""The alternative annotator test: its toy, the tests that it uses, its conditions, and simulated programs."""

import numpy as np
import pytest
from scipy.stats import ttest_1samp, wilcoxon

from ranking.numbers.tables import StatisticsError
from ranking.stats.programs import agreement as the_test
from ranking.stats.programs.agreement import alternative_annotator, near_ratings, p_value, same_answers


def test_the_toy_and_wilcoxon_below_thirty_sentences():
    differences = np.repeat([0.0, -1.0], [30, 10])
    assert p_value(differences, 0.2) == pytest.approx(ttest_1samp(differences, 0.2, alternative="less").pvalue)
    assert (differences.mean() - 0.2) / (differences.std(ddof=1) / 40**0.5) == pytest.approx(-6.49, abs=0.005)
    values = np.array([0.3, -0.7, 1.1, -1.4, -2.2, 0.9, -0.1])
    assert the_test.signed_ranks(values) == pytest.approx(wilcoxon(values, alternative="less", method="exact").pvalue)
    assert p_value(np.array([-1.0, 0, 0]), 0.2) == pytest.approx(1 / 8), "all three speak for the program"


def test_people_are_left_out_one_by_one_and_only_what_both_answered_is_compared():
    """On 40 usages ada and ben agree; cyd is alone, and the program says what ada says."""
    ada = {usage: {usage: float(usage % 2)} for usage in range(40)}
    cyd = {usage: {usage: 1.0 - usage % 2} for usage in range(40)}
    found = alternative_annotator(ada, {0: ada, 1: dict(ada), 2: cyd}, same_answers, 0.2)
    assert [one[1:4] for one in found] == [(40, 1, 1), (40, 1, 1), (40, 1, 0)]
    assert [one.is_won for one in found] == [True] * 3
    assert the_test.unmet_conditions(found) == ""
    worse = alternative_annotator(cyd, {0: ada, 1: dict(ada), 2: dict(ada)}, same_answers, 0.2)
    assert [(one.is_won, one.program_advantage) for one in worse] == [(False, 0)] * 3
    program, ada, ben = {0: {1: 50.0, 2: 10.0}}, {0: {1: 40.0, 3: 90.0}}, {0: {1: 44.0, 2: 99.0, 3: 0.0}}
    found = alternative_annotator(program, {0: ada, 1: ben}, near_ratings, 0.1)
    assert [one[:4] for one in found] == [(0, 1, 0, 1), (1, 1, 0, 1)]
    assert the_test.unmet_conditions(found) == (
        "it needs 3 people, and there are 2; each person needs 30 sentences that the program and another person judged "
        "too, and 2 of 2 have fewer"
    )
    with pytest.raises(StatisticsError, match="Have people judge some of its sentences twice"):
        alternative_annotator({0: {0: 1.0}}, {0: {0: {0: 1.0}}, 1: {1: {1: 1.0}}}, same_answers, 0.2)


@pytest.mark.parametrize(("right", "passes"), [(0.85, True), (0.5, False)])
def test_a_program_as_right_as_people_passes_and_one_that_guesses_does_not(right, passes):
    rng = np.random.default_rng(1)
    truth = rng.random(200) < 0.5
    answers = [
        {usage: {usage: float(truth[usage] ^ (rng.random() > share))} for usage in range(200)}
        for share in (right, 0.85, 0.85, 0.85)
    ]
    found = alternative_annotator(answers[0], dict(enumerate(answers[1:])), same_answers, 0.15)
    assert (sum(one.is_won for one in found) >= the_test.PASSING * len(found)) is passes
