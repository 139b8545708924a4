"""Reports on whole texts: by hand, as reports on one scale alone would have them, and what thin data do not say."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ranking.numbers.tables import Gap, StatisticsError, Table
from ranking.stats.analysis import analyse
from ranking.stats.choices import ParametersError
from ranking.stats.essays import SECTIONS
from ranking.stats.essays.study import EssayParameters, EssayStudy
from ranking.stats.essays.systems import MEASURES, WEIGHTED
from ranking.stats.rankings.methods import METHODS
from ranking.stats.study_files import read, write
from tests.ranking.stats.essays.cast import NAN, study_of, whole_study

# Two judges, three texts, two systems; the second judge cannot say how the first version flows.
GIVEN = [
    [[4, 3], [2, 2], [3, 3], [1, 1], [4, 4], [2, 1]],
    [[4, NAN], [1, 2], [3, 4], [2, 1], [4, 4], [1, 1]],
]


def lines(study: EssayStudy, section: str, table: str) -> list[dict]:
    parts = list(SECTIONS[section](study))
    return [line for part in parts if isinstance(part, Table) and part.name == table for line in part.dicts()]


@pytest.mark.wide
def test_each_scale_has_the_means_of_the_numbers_that_were_given_and_the_best_system_first():
    found = {
        (one["scale"], one["system"]): (one["value"], one["ratings"], one["texts"])
        for one in lines(study_of(GIVEN), "scales", "essay_scales")
        if one["measure"] == "mean-score"
    }
    assert found == {
        ("form", "A"): (pytest.approx(22 / 6), 6, 3),
        ("form", "B"): (pytest.approx(9 / 6), 6, 3),
        ("flow", "A"): (pytest.approx(18 / 5), 5, 3),
        ("flow", "B"): (pytest.approx(8 / 6), 6, 3),
    }
    study = study_of([[[1, 4], [4, 1]] * 8] * 2, errors=[[3, 0], [1, 0]] * 16)
    found = lines(study, "scales", "essay_scales")
    order = {scale: [one["system"] for one in found if one["scale"] == scale] for scale in ("form", "flow")}
    assert order == {"form": ["B", "A"] * len(MEASURES), "flow": ["A", "B"] * len(MEASURES)}
    errors = lines(study, "marked errors", "essay_errors")
    assert [one["system"] for one in errors if one["severity"] == WEIGHTED] == ["B", "A"]


@pytest.mark.wide
@pytest.mark.parametrize("study", [whole_study(), study_of([[[4, 3], [2, 1], [3, 4], [1, 2]] * 4] * 2)])
def test_a_measure_is_that_of_a_report_on_its_scale_and_lies_in_its_interval(study):
    found = lines(study, "scales", "essay_scales")
    for number, scale in enumerate(study.scales):
        for one in found:
            if one["scale"] == scale.name:
                scores = METHODS[one["measure"]].scores(study.first.with_merits(study.first.numbers[:, number]))
                assert one["value"] == pytest.approx(scores[study.systems.index(one["system"])])
                assert one["value_low"] <= one["value"] <= one["value_high"]
                assert one["measure"] == "z-score" or 1 <= one["value_low"] <= one["value_high"] <= 4


@pytest.mark.wide
def test_equal_ratings_of_few_texts_are_no_certainty():
    """On five texts A always gets 4 and B always 1: too few to separate them, and the intervals are wide."""
    study = study_of([[[4], [1]] * 5] * 2)
    found = lines(study, "scales", "essay_scales")
    assert all(one["value_high"] - one["value_low"] > 0.4 for one in found if one["measure"] == "mean-score")
    assert not any(pair["resolved"] for pair in lines(study, "scales", "essay_pairs"))
    gaps = [part for part in SECTIONS["scales"](study) if isinstance(part, Gap)]
    assert gaps[-1].reason.startswith("With fewer than 6 texts no ratings could separate two systems")
    assert any(pair["resolved"] for pair in lines(study_of([[[4], [1]] * 12] * 2), "scales", "essay_pairs"))


def test_few_or_apart_ratings_are_no_certainty():
    """A's judge gives 4 and B's judge 1, always: B may only have the stricter judge."""
    study = study_of([[[4], [NAN]] * 12, [[NAN], [1]] * 12])
    (pair,) = (one for one in lines(study, "scales", "essay_pairs") if one["measure"] == "mean-score")
    assert (pair["difference"], pair["difference_low"], pair["resolved"]) == (3, None, False)
    study = study_of([[[4], [1]]] * 2)
    with pytest.raises(StatisticsError, match="No scale was answered on two texts"):
        lines(study, "scales", "essay_scales")
    assert [one["mean"] for one in lines(study, "answers", "essay_answers")] == [2.5]


def test_agreement_and_correlations_of_scales_have_intervals_where_there_are_enough_texts():
    few = lines(study_of(GIVEN), "agreement on scales", "essay_agreement")
    assert [one["coefficient"] for one in few if one["scale"] == "form"] == [
        "alpha (ordinal)", "ICC of one rating", "ICC of the mean",
    ]  # fmt: skip
    assert all(0.5 < one["value"] <= 1 and one["low"] is None for one in few if one["scale"] == "form")
    many = lines(whole_study(), "agreement on scales", "essay_agreement")
    assert all(one["low"] < one["value"] < one["high"] and one["texts"] == 20 for one in many)
    same = [[[number, number] for number, _ in judge] for judge in GIVEN]
    (one,) = lines(study_of(same), "correlations of scales", "essay_correlations")
    assert (one["ratings"], one["pearson"], one["spearman"]) == (12, pytest.approx(1), pytest.approx(1))
    assert (one["pearson_low"], one["of_systems"]) == (None, None)
    (one,) = lines(study_of(GIVEN), "correlations of scales", "essay_correlations")
    assert one["ratings"] == 11
    (one,) = lines(whole_study(), "correlations of scales", "essay_correlations")
    assert one["pearson_low"] <= one["pearson"] <= one["pearson_high"]
    assert one["of_systems_low"] <= one["of_systems"] <= one["of_systems_high"]


def test_judges_and_the_errors_that_they_mark_by_hand():
    """The first judge rates versions as the second does or a step higher or lower, and rates all again."""
    again = study_of([*GIVEN, [[4, 4], *GIVEN[0][1:]]], repeats=[2])
    found = {(one["judge"], one["scale"]): one for one in lines(again, "judges", "essay_judges")}
    one = found["judge 0", "form"]
    assert (one["ratings"], one["shared"], one["severity"]) == (6, 6, pytest.approx(1 / 6))
    assert (one["repeated"], one["same_again"], found["judge 0", "flow"]["same_again"]) == (6, 6, 5)
    assert found["judge 1", "flow"]["unsaid"] == 1
    # Versions of A have 2 minor errors and a major one, or none; those of B have a minor one.
    study = study_of(GIVEN, [[2, 1], [1, 0]] * 3 + [[0, 0], [1, 0]] * 3)
    found = {(one["severity"], one["system"]): one["errors"] for one in lines(study, "marked errors", "essay_errors")}
    assert found == {
        (WEIGHTED, "A"): pytest.approx(3.5), (WEIGHTED, "B"): pytest.approx(1),
        ("minor", "A"): pytest.approx(1), ("minor", "B"): pytest.approx(1),
        ("major", "A"): pytest.approx(0.5), ("major", "B"): pytest.approx(0),
    }  # fmt: skip


number = st.sampled_from([1, 2, 4, NAN])
version = st.lists(number, min_size=2, max_size=2)


def ratings_of(texts: int) -> st.SearchStrategy[list]:
    return st.lists(st.lists(version, min_size=2 * texts, max_size=2 * texts), min_size=1, max_size=3)


@pytest.mark.wide
@given(st.integers(1, 3).flatmap(ratings_of), st.booleans())
@settings(max_examples=12)
def test_any_ratings_make_a_report_or_a_sentence(numbers, with_repeats):
    study = study_of(numbers, repeats=[2] if with_repeats and len(numbers) > 2 else ())
    assert write(read(EssayStudy, write(study))) == write(study)
    if not np.isfinite(study.numbers).any():
        with pytest.raises(StatisticsError, match="No judge has given a number yet"):
            study.check_usable()
        return
    found = analyse(study, SECTIONS)
    assert {"counts", "essay_answers", "essay_judges"} <= found.tables.keys()
    assert all(reason.endswith(".") for reason in found.gaps.values())
    pairs = found.tables["essay_pairs"].dicts() if "essay_pairs" in found.tables else []
    assert not any(line["resolved"] for line in pairs)


@pytest.mark.wide
def test_a_version_can_be_rated_alone_and_a_system_on_one_scale_alone():
    """The same numbers, each version on a screen of its own, make the same means."""
    study = study_of([[[4, 3], [2, 1], [3, 4], [1, 2]] * 4] * 2)
    ballots = study.ballots
    alone = replace(
        ballots, judge=ballots.judge[ballots.ballot_of], segment=ballots.segment[ballots.ballot_of],
        seconds=ballots.seconds[ballots.ballot_of], starts=np.arange(len(ballots.candidate) + 1),
    )  # fmt: skip
    single = replace(study, ballots=alone, is_repeat=np.zeros(len(alone), dtype=bool))
    together, apart = (lines(one, "scales", "essay_scales") for one in (study, single))
    assert [one["value"] for one in apart] == pytest.approx([one["value"] for one in together])
    assert [one["texts"] for one in apart] == [8] * 12
    study = study_of([[[4, NAN], [1, 2]] * 8] * 2)
    found = lines(study, "scales", "essay_scales")
    assert {one["system"] for one in found if one["scale"] == "flow"} == {"B"}
    assert {one["measure"] for one in found if one["scale"] == "form"} == set(MEASURES)


def test_without_judgments_or_with_invalid_choices_there_is_a_sentence():
    study = whole_study()
    nothing = study.choose(np.zeros(len(study.is_repeat), dtype=bool))
    with pytest.raises(StatisticsError, match="There are no judgments yet"):
        nothing.check_usable()
    with pytest.raises(ParametersError, match="choose from broadest, sentence, sentence-and-judge"):
        EssayParameters().with_changes(unit="pair")
