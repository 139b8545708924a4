"""Standings and pairs: who is first, what few sentences may say, what is resolved, and who was never compared."""

from dataclasses import replace

import numpy as np
import pytest

from ranking.numbers.tables import StatisticsError
from ranking.stats.comparisons.standings import (
    BEATS_SOURCE,
    BREAK,
    NOT_BEST,
    NOT_LAST,
    pairs,
    precision,
    questions,
    side_by_side,
    standings,
    weighted_standings,
)
from ranking.stats.comparisons.study import PRESETS, ComparisonStudy, Covariates, Names, Parameters
from ranking.stats.rankings.methods import METHODS
from ranking.stats.resampling import Unit
from tests import published
from tests.ranking.stats.ballots import ballot, columns, published_columns
from tests.ranking.stats.comparisons.sections.cast import QUICK, SYSTEMS, made, published_study, study


def judged(*ballots, systems: int, **chosen) -> ComparisonStudy:
    names = Names(tuple("ABCDEFG"[:systems]), ("ada", "ben"))
    return ComparisonStudy(columns(list(ballots), systems, 2), names, QUICK.with_changes(**chosen))


def lines_of(of: ComparisonStudy, table: str = "standings", section=standings) -> dict[str, dict]:
    return {line["system"]: line for line in made(section, of)[0][table].dicts()}


def test_every_pair_of_every_method_that_can_rank_stands_once_with_the_better_system_first():
    table = made(pairs, study())[0]["pairs"]
    assert [(row["system"], row["opponent"]) for row in table.dicts()] == [
        ("A", "B"), ("A", "C"), ("A", "D"), ("B", "C"), ("B", "D"), ("C", "D")
    ]  # fmt: skip
    assert all(row["p_beats"] == 1 for row in table.dicts())
    assert {row["resolved"] for row in table.dicts()} == {True}
    assert {row["equivalent"] for row in table.dicts()} == {None}
    chosen = QUICK.with_changes(methods=("expected-wins", "z-score", "bradley-terry"))
    assert set(made(pairs, study(chosen))[0]["pairs"].column("method")) == {"expected-wins", "bradley-terry"}


def test_systems_whose_scores_surely_differ_by_less_than_delta_are_equivalent():
    even = [ballot(("A", 1 + at % 2), ("B", 2 - at % 2), ("C", 3), segment=at) for at in range(200)]
    near, far = (made(pairs, judged(*even, systems=3, delta=delta))[0]["pairs"].dicts() for delta in (0.15, 0.01))
    assert [(row["equivalent"], row["resolved"]) for row in near] == [(True, False), (False, True), (False, True)]
    assert not any(row["equivalent"] for row in far)


def test_what_holds_for_all_systems_at_once_is_wider():
    rng = np.random.default_rng(2)
    noisy = [
        ballot(*zip(SYSTEMS, (rng.permutation(4) + 1 if at % 2 else [1, 2, 3, 4]), strict=True), segment=at)
        for at in range(60)
    ]
    of = judged(*noisy, systems=4)
    alone, together = lines_of(of), lines_of(of, "simultaneous", pairs)
    for system, line in together.items():
        one = alone[system]
        assert line["score_low"] < one["score_low"] < one["score_high"] < line["score_high"]
        assert line["rank_low"] <= one["rank_low"] <= one["rank_high"] <= line["rank_high"]


@pytest.mark.parametrize("method", ["expected-wins", "bradley-terry", "trueskill"])
def test_three_comparisons_all_won_place_nobody(method):
    won = [ballot(("A", 1), ("B", 2), ("C", 3), segment=at) for at in range(3)]
    of = judged(*won, systems=3, methods=(method,))
    for line in lines_of(of).values():
        assert (line["cluster"], line["rank_low"], line["rank_high"]) == (None, 1, 3)
        assert line["p_best"] is None
        assert line["score_low"] < line["score"] < line["score_high"] or line["score"] in (0, 1)
    assert not any(made(pairs, of)[0]["pairs"].column("resolved"))
    assert made(standings, of)[1]["systems with few sentences"].startswith("With fewer than 6 sentences")


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_draws_what_its_methods_can_draw(preset):
    chosen = PRESETS[preset].for_judges(10)
    for method in chosen.methods:
        METHODS[method].check(Unit(chosen.unit))


def test_one_tie_says_next_to_nothing():
    """D tied once; A to C were compared on forty sentences."""
    many = [ballot(("A", 1), ("B", 2), ("C", 3), segment=at) for at in range(40)]
    of = judged(*many, ballot(("C", 1), ("D", 1), segment=40), systems=4)
    lines = lines_of(of)
    assert (lines["D"]["cluster"], lines["D"]["rank_low"], lines["D"]["rank_high"]) == (None, 1, 4)
    assert [lines[name]["p_best"] is None for name in "ABCD"] == [False, False, False, True]
    assert lines["D"]["score_low"] < 0.2 < 0.5 < lines["D"]["score_high"]
    assert [lines[name]["cluster"] for name in "ABC"] == [1, 2, 3]
    assert "D on 1" in made(standings, of)[1]["systems with few sentences"]


@pytest.mark.parametrize("preset", PRESETS)
def test_groups_that_were_never_compared_have_no_common_ranking(preset):
    apart = [ballot(("A", 1), ("B", 2), segment=at) for at in range(9)]
    apart += [ballot(("D", 1), ("C", 2), segment=9), ballot(("AE", 1), segment=10)]
    of = judged(*apart, systems=5)
    of = replace(of, parameters=PRESETS[preset], are_ratings=True)
    with pytest.raises(StatisticsError) as refusal:
        made(standings, of)
    assert str(refusal.value) == (
        "The judgments leave 3 groups of systems that were never compared with each other, so they have no common "
        "ranking: (A, B); (C, D); (E). Assign screens that show systems of different groups together."
    )


def test_replicates_left_out_are_named_and_judges_alone_need_ten_of_them():
    rare = [ballot(("A", 60), ("B", 50), segment=at) for at in range(9)] + [ballot(("A", 60), ("C", 50), segment=9)]
    of = judged(*rare, systems=3, methods=("mean-score",), intervals="percentile")
    of = replace(of, are_ratings=True)
    lost = int((~np.isfinite(of.drawn_by(METHODS["mean-score"], Unit.SENTENCE)).all(axis=1)).sum())
    assert made(standings, of)[1]["replicates by Mean score"].startswith(f"{lost} of 200 replicates were left out")
    with pytest.raises(StatisticsError, match="Drawing judges alone needs 10 judges, not 2"):
        made(standings, study(QUICK.with_changes(unit="judge")))


def test_weights_make_the_ranking_one_of_the_whole_collection():
    """A wins on the sentences that were all drawn, and loses on those of which a third was: 12 against 6 of 18."""
    drawn = [ballot(("A", 1), ("B", 2), segment=at) for at in range(11) for _ in range(1 + (at == 0))]
    drawn += [ballot(("A", 2), ("B", 1), segment=at) for at in range(12, 18)]
    weights = np.array([1.0] * 12 + [3.0] * 6)
    of = judged(*drawn, systems=2, methods=("expected-wins-published", "trueskill"))
    of = replace(of, covariates=Covariates(weights=weights))
    lines = lines_of(of, "weighted_standings", weighted_standings)
    assert (lines["A"]["score"], lines["A"]["rank"]) == (pytest.approx(12 / 18), 1)
    assert (lines["A"]["weighted_score"], lines["A"]["weighted_rank"]) == (pytest.approx(12 / 30), 2)
    assert lines["A"]["weighted_low"] < 12 / 30 < lines["A"]["weighted_high"]
    assert lines["A"]["effective_sentences"] == pytest.approx(30**2 / (10 + 2**2 + 6 * 9))
    by_design = replace(of, parameters=of.parameters.with_changes(weights="design"))
    assert lines_of(by_design)["A"]["score"] == pytest.approx(12 / 30)
    assert "takes no weights" in made(standings, by_design)[0]["standings_refused"].rows[0][0]


def test_equal_weights_change_nothing_and_without_known_probabilities_there_are_none():
    alike, plain = study(QUICK.with_changes(weights="design"), weights=np.full(24, 0.7)), study()
    assert not made(weighted_standings, alike)[0]
    assert made(standings, alike) == made(standings, plain)
    assert not made(weighted_standings, study())[0]
    with pytest.raises(StatisticsError, match="There are no weights"):
        made(standings, study(QUICK.with_changes(weights="design")))


@pytest.mark.wide
@pytest.mark.parametrize(
    ("method", "unit", "drawn"),
    [
        ("mean-score", "pair", "ranking or sentence or judge or sentence-and-judge"),
        ("mixed-model", "pair", "ranking or sentence or judge or sentence-and-judge"),
        ("trueskill-published", "sentence", "pair"),
        ("hierarchical", "ranking", "sentence or sentence-and-judge"),
    ],
)
def test_a_method_says_which_units_it_draws(method, unit, drawn):
    of = replace(study(QUICK.with_changes(methods=(method,), unit=unit)), are_ratings=True)
    with pytest.raises(StatisticsError, match=f"draws {drawn}, not {unit}; choose another unit."):
        made(standings, of)


def test_both_ways_have_the_same_scores_and_each_its_own_ranges_if_a_method_goes_both():
    tables, _ = made(side_by_side, study())
    lines = tables["uncertainty"].dicts()
    by_way = {way: [line for line in lines if line["way"] == way] for way in ("published", "recommended")}
    assert {line["unit"] for line in by_way["published"]} == {"pair"}
    assert {line["unit"] for line in by_way["recommended"]} == {"sentence"}
    for one, other in zip(by_way["published"], by_way["recommended"], strict=True):
        assert (one["system"], one["score"]) == (other["system"], other["score"])
    chosen = QUICK.with_changes(methods=("trueskill-published", "expected-wins-published"))
    tables, _ = made(side_by_side, study(chosen))
    assert set(tables["uncertainty"].column("method")) == {"expected-wins-published"}
    with pytest.raises(StatisticsError, match="both ways"):
        made(side_by_side, study(QUICK.with_changes(methods=("trueskill-published",))))


def test_on_the_published_judgments_most_of_the_clusters_are_an_illusion():
    chosen = Parameters(methods=("expected-wins-published",), replicates=300, seed=17)
    tables, _ = made(side_by_side, published_study(chosen))
    clusters = {
        way: max(line["cluster"] for line in tables["uncertainty"].dicts() if line["way"] == way)
        for way in ("published", "recommended")
    }
    assert clusters["published"] == 4
    assert clusters["recommended"] < 4
    assert {line["unit"] for line in tables["uncertainty"].dicts()} == {"pair", "sentence-and-judge"}


def test_each_question_has_its_lines_and_a_system_on_too_few_sentences_none():
    plain = study()
    with_source = ComparisonStudy(plain.ballots, Names(SYSTEMS, ("ada", "ben"), source="D"), QUICK)
    tables, _ = made(questions, with_source)
    lines = [line for line in tables["questions"].dicts() if line["method"] == "expected-wins"]
    asked = {question: [line for line in lines if line["question"] == question] for question in
             (NOT_BEST, NOT_LAST, BEATS_SOURCE, BREAK)}  # fmt: skip
    assert [len(found) for found in asked.values()] == [4, 4, 3, 3]
    assert {line["system"] for line in asked[NOT_BEST] if not line["holds"]} == {"A"}
    assert {line["system"] for line in asked[NOT_LAST] if not line["holds"]} == {"D"}
    assert all(line["holds"] and line["opponent"] == "D" for line in asked[BEATS_SOURCE])
    assert [line["after"] for line in asked[BREAK] if line["holds"]] == ["A", "B", "C"]
    assert not [line for line in made(questions, plain)[0]["questions"].dicts() if line["question"] == BEATS_SOURCE]


def test_more_judges_and_more_sentences_divide_their_parts_of_the_variance():
    (line,) = made(precision, published_study(QUICK.with_changes(unit="sentence-and-judge")))[0]["precision"].dicts()
    judges = line["judges_share"]
    assert 0 < judges < 1
    assert line["width_with_judges"] ** 2 == pytest.approx(judges * 8 / 10 + 1 - judges)
    sentences = published_study().ballots.judged.sum()
    assert line["width_with_sentences"] ** 2 == pytest.approx(judges + (1 - judges) * sentences / (sentences + 200))
    assert not made(precision, published_study())[0]


@pytest.mark.wide
def test_the_published_judgments_answer_the_four_questions():
    golden = published.golden()
    names = Names(tuple(golden["systems"]), tuple(golden["judges"]), "INPUT")
    chosen = PRESETS["recommended"].with_changes(methods=("expected-wins",))
    tables, _ = made(questions, ComparisonStudy(published_columns(), names, chosen))
    lines = tables["questions"].dicts()
    holding = {(line["question"], line["system"]) for line in lines if line["holds"]}
    contenders = {name for name in names.systems if (NOT_BEST, name) not in holding}
    assert {"AMU", "RAC", "CAMB", "CUUI"} <= contenders <= {"AMU", "RAC", "CAMB", "CUUI", "POST"}
    assert {name for name in names.systems if (NOT_LAST, name) not in holding} == {"IPN"}
    assert {name for question, name in holding if question == BEATS_SOURCE} == {"AMU", "RAC"}
    assert [line["after"] for line in lines if line["question"] == BREAK and line["holds"]] == ["NTHU"]


@pytest.mark.wide
def test_no_range_of_ranks_says_more_than_the_questions_decide():
    of = published_study(PRESETS["recommended"].with_changes(methods=("expected-wins",), unit="sentence"))
    lines = made(standings, of)[0]["standings"].dicts()
    asked = [line for line in made(questions, of)[0]["questions"].dicts() if line["holds"]]
    out, kept = ({line["system"] for line in asked if line["question"] == one} for one in (NOT_BEST, NOT_LAST))
    may_be_best = [line for line in lines if line["system"] not in out]
    assert len(may_be_best) > 1
    assert all((line["rank_low"], line["rank_high"] > 1) == (1, True) for line in may_be_best)
    (last,) = (line for line in lines if line["system"] not in kept)
    assert (last["rank_low"], last["rank_high"]) == (13, 13)


def test_what_other_judges_change_is_about_systems_that_can_be_placed():
    """C was compared on three sentences."""
    often = [ballot(("A", 1), ("B", 2), segment=n, judge=n % 2) for n in range(12)]
    of = judged(*often, *[ballot(("A", 1), ("C", 2), segment=n) for n in range(3)], systems=3)
    assert of.placed.tolist() == [True, True, False]
    drawn = np.random.default_rng(1).normal(size=(3, 200, 3))
    both = of.with_other_judges(*drawn)
    assert (both[:, 2] == drawn[0][:, 2]).all()
    assert not np.allclose(both[:, :2], drawn[0][:, :2])
