"""Krippendorff's alpha: by hand, by the words of the definition, and as Krippendorff printed it."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ranking.numbers.intervals import interval_of
from ranking.numbers.tables import StatisticsError
from ranking.stats.agreement.alpha import Scale, Values, alpha, alpha_estimate, merits_of, outcomes_of
from ranking.stats.resampling import draw
from tests.ranking.stats.ballots import Ballot, any_ballots, ballot, columns, published_ballots, published_columns

# Krippendorff (2011), section C to E: four observers, twelve units, some of them missing; and the printed alphas.
OBSERVERS = ("123321412...", "1233224125.3", ".3332342251.", "12332441251.")
PRINTED = {Scale.NOMINAL: 0.743, Scale.ORDINAL: 0.815, Scale.INTERVAL: 0.849}


def values(*units: str) -> Values:
    """Values by unit, each unit a sentence of its own: values("11", "12")."""
    unit = np.repeat(np.arange(len(units)), [len(unit) for unit in units])
    return Values(unit, np.array([float(value) for value in "".join(units)]), unit, len(units))


def by_definition(units: list[list[float]], scale: Scale) -> float:
    """All pairs of values, one by one."""
    units = [unit for unit in units if len(unit) > 1]
    pool = [value for unit in units for value in unit]

    def difference(one: float, other: float) -> float:
        if scale is Scale.NOMINAL:
            return float(one != other)
        if scale is Scale.INTERVAL:
            return (one - other) ** 2
        low, high = sorted((one, other))
        return (sum(low <= value <= high for value in pool) - (pool.count(one) + pool.count(other)) / 2) ** 2

    number = len(pool)
    observed = sum(2 * sum(difference(*two) for two in combinations(unit, 2)) / (len(unit) - 1) for unit in units)
    expected = 2 * sum(difference(*two) for two in combinations(pool, 2)) / (number - 1)
    return 1 - observed / expected


any_units = st.lists(st.text("12345", max_size=4), min_size=2, max_size=6)
scales = pytest.mark.parametrize("scale", Scale)


@scales
def test_the_toy_of_the_definition(scale):
    assert alpha(values("11", "12", "22"), scale) == pytest.approx(4 / 9, rel=1e-12)


@scales
def test_krippendorffs_example(scale):
    units = ["".join(unit).replace(".", "") for unit in zip(*OBSERVERS, strict=True)]
    assert round(alpha(values(*units), scale), 3) == PRINTED[scale]


@pytest.mark.wide
@given(any_units, st.sampled_from(Scale))
def test_it_follows_the_definition(units, scale):
    assume(len(set("".join(unit for unit in units if len(unit) > 1))) > 1)
    expected = by_definition([[float(value) for value in unit] for unit in units], scale)
    assert alpha(values(*units), scale) == pytest.approx(expected, rel=1e-9, abs=1e-9)


@pytest.mark.wide
@given(any_units)
def test_on_an_interval_scale_moving_and_stretching_all_values_changes_nothing(units):
    assume(len(set("".join(unit for unit in units if len(unit) > 1))) > 1)
    given_values = values(*units)
    moved = Values(given_values.unit, given_values.value * -7 + 100, given_values.part, given_values.parts)
    assert alpha(moved, Scale.INTERVAL) == pytest.approx(alpha(given_values, Scale.INTERVAL), rel=1e-9, abs=1e-9)


@pytest.mark.wide
@given(any_units)
def test_on_an_ordinal_scale_only_the_order_of_values_matters(units):
    assume(len(set("".join(unit for unit in units if len(unit) > 1))) > 1)
    given_values = values(*units)
    stretched = Values(given_values.unit, given_values.value**3, given_values.part, given_values.parts)
    assert alpha(stretched, Scale.ORDINAL) == pytest.approx(alpha(given_values, Scale.ORDINAL), rel=1e-9, abs=1e-9)


def test_two_values_are_the_same_on_every_scale():
    units = values("112", "122", "11", "2", "22")
    assert len({round(alpha(units, scale), 12) for scale in Scale}) == 1


def test_units_without_two_values_are_refused():
    with pytest.raises(StatisticsError, match="No unit has values from two judges"):
        alpha(values("1", "2"), Scale.NOMINAL)


def test_without_variation_there_is_nothing_to_agree_on():
    with pytest.raises(StatisticsError, match="always gave the same value"):
        alpha(values("11", "11"), Scale.INTERVAL)


def test_merits_are_of_candidates_and_a_judges_repeats_are_one_value():
    found = merits_of(
        columns(
            [
                ballot(("A", 1), ("B", 2), judge=0),
                ballot(("B", 3), ("A", 2), judge=0),
                ballot(("A", 4), judge=1),
                ballot(("A", 5), judge=1, segment=7),
            ]
        )
    )
    assert found.unit.tolist() == [0, 0, 1, 2]
    assert found.value.tolist() == [-1.5, -4, -2.5, -5]
    assert found.part.tolist() == [0, 0, 0, 1]


def test_outcomes_are_of_pairs():
    found = outcomes_of(columns([ballot(("A", 1), ("B", 2), judge=0), ballot(("B", 3), ("A", 3), judge=1)]))
    assert (found.unit.tolist(), found.value.tolist()) == ([0, 0], [2, 1])


def test_outcomes_of_two_judges_without_repeats_are_scotts_pi_but_for_small_numbers():
    """Both take chance from what all judges said; alpha's has no value drawn with itself."""
    signs = [
        ballot(("A", first), ("B", second), judge=judge, segment=n)
        for judge, row in enumerate([[(1, 2), (1, 2), (1, 1), (2, 1)], [(1, 2), (1, 1), (1, 1), (2, 1)]])
        for n, (first, second) in enumerate(row)
    ]
    pi, number = 13 / 21, 8
    assert alpha(outcomes_of(columns(signs)), Scale.NOMINAL) == pytest.approx(pi + (1 - pi) / number, rel=1e-12)


@pytest.mark.wide
@given(any_ballots, st.permutations(range(8)), st.sampled_from(Scale))
def test_other_numbers_for_the_judges_and_more_of_the_same_ballots_change_nothing(ballots, numbers, scale):
    renamed = [one._replace(judge=numbers[one.judge]) for one in ballots]
    value, refusal = either(ballots, scale)
    same = (pytest.approx(value, rel=1e-9, abs=1e-9), refusal)
    assert either(renamed, scale) == same
    assert either(ballots * 2, scale) == same


def either(ballots: list[Ballot], scale: Scale) -> tuple[float, str]:
    """Alpha, or 0 and why not."""
    try:
        return alpha(merits_of(columns(ballots)), scale), ""
    except StatisticsError as refusal:
        return 0.0, str(refusal)


@pytest.mark.wide
@scales
def test_an_interval_is_that_of_sentences_really_drawn(scale):
    found = alpha_estimate(merits_of(published_columns()), scale, 8, seed=3, level=0.7)
    ballots = published_ballots()
    sentences = sorted({one.segment for one in ballots})
    on = {sentence: [one for one in ballots if one.segment == sentence] for sentence in sentences}
    drawn = [
        alpha(
            merits_of(
                columns(
                    [
                        one._replace(segment=number * 10 + copy)
                        for number, sentence in enumerate(sentences)
                        for copy in range(weights[number])
                        for one in on[sentence]
                    ],
                    13,
                    8,
                )
            ),
            scale,
        )
        for weights in draw(len(sentences), 8, seed=3).T
    ]
    assert found.interval == pytest.approx(interval_of(np.array(drawn), 0.7), rel=1e-9)


@pytest.mark.parametrize("units_of_ballots", [merits_of, outcomes_of])
@scales
def test_published_judgments_give_a_kappa_in_its_interval_near_the_published_one(units_of_ballots, scale):
    found = alpha_estimate(units_of_ballots(published_columns()), scale, 200, seed=17)
    assert found.interval.low < found.value < found.interval.high
    assert found.interval.high - found.interval.low < 0.12
    if units_of_ballots is outcomes_of and scale is Scale.NOMINAL:
        assert found.value == pytest.approx(0.29, abs=0.02)


def test_from_one_sentence_nothing_can_be_drawn():
    with pytest.raises(StatisticsError, match="only one sentence"):
        alpha_estimate(values("12"), Scale.NOMINAL, 10, seed=1)
