"""What a crowd says, and systems against it: the toys, other ways to the same numbers, what holds for any verdicts."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ranking.numbers.tables import StatisticsError
from ranking.stats.agreement.kappa import kappas_of_judges
from ranking.stats.answers import agreement_with_others, same_again
from ranking.stats.choices import ADJUDICATED, NOT_INDEPENDENT
from ranking.stats.resampling import draw
from ranking.stats.verdicts.crowd import crowd_of, dawid_skene
from ranking.stats.verdicts.judges import agreement_by_number, authority
from ranking.stats.verdicts.systems import (
    NAMES,
    RATIOS,
    STRATUM,
    agreement_histogram,
    bins,
    drawn_measures,
    measure,
    measures,
    measures_of,
    reach_of,
    stratum,
)
from tests.ranking.stats.comparisons.sections.cast import made
from tests.ranking.stats.verdicts.cast import QUICK, E, K, U, answers, study_of, verdicts

WEIGHTED, UNWEIGHTED = range(2)


def measured_of(classes: list[float], right: list[float]) -> dict[str, float]:
    """Measures of one system."""
    right = np.array(right)[:, None]
    found = measure(np.array([classes], dtype=float), right, np.isfinite(right))[0, :, 0]
    return dict(zip(NAMES, found.tolist(), strict=True))


def stratum_of(classes: list[float], right: list[float]) -> dict[str, float]:
    return dict(zip(STRATUM, stratum(np.array(classes), np.array(right), QUICK), strict=True))


def simulated(seed: int, usages: int = 300, skills: tuple[float, ...] = (0.9, 0.85, 0.8, 0.55)) -> tuple:
    """Usages of which half are errors, and judges who are right so often."""
    random = np.random.default_rng(seed)
    truth = random.random(usages) < 0.5
    rows = []
    for skill in skills:
        right = random.random(usages) < skill
        rows.append(np.where(right, truth, ~truth))
    finding = np.array(rows).T.astype(int)
    usage, judge = np.indices(finding.shape)
    return answers(usage.ravel(), judge.ravel(), finding.ravel(), usages, len(skills)), truth


many = st.lists(st.text(alphabet="eku.", min_size=4, max_size=4), min_size=1, max_size=12).filter(
    lambda rows: any("e" in row or "k" in row for row in rows)
)
classes = st.integers(0, 2**31 - 1).map(lambda seed: np.random.default_rng(seed))


def test_the_crowd_and_measures_of_a_system_by_hand():
    crowd = crowd_of(verdicts("eeku", "kkkk", "uuu.", "ek.."))
    assert crowd.proportion[:2].tolist() == [pytest.approx(2 / 3), 0.0]
    assert np.isnan(crowd.proportion[2])
    assert crowd.unknown.tolist() == [1, 0, 3, 0]
    assert crowd.majority[:2].tolist() == [1.0, 0.0]
    assert np.isnan(crowd.majority[2:]).all()
    # p = .9, .56, .2 and classes 1, 1, 0 by equations 1 to 3 of Madnani et al. (2011).
    found = measured_of([1, 1, 0], [0.9, 0.56, 0.2])
    assert [found[name] for name in NAMES[:3]] == pytest.approx([1.46, 0.2, 0.54])
    assert (found["precision"], round(found["recall"], 4)) == (pytest.approx(0.73), 0.8795)
    assert measured_of([0.5], [1.0])["recall"] == 0.5
    assert list(measured_of([0, 0], [1.0, 0.0]).values())[3:] == [1.0, 0.0, 0.0]
    assert np.isnan(list(measured_of([np.nan], [1.0]).values())).all()
    # Where the crowd is unanimous, weights change nothing.
    weighted, unweighted = measures_of(np.array([[1.0, 0.0, 1.0]]), crowd_of(verdicts("eee", "eee", "kkk")))[0]
    assert weighted.tolist() == unweighted.tolist()
    assert weighted[3:5].tolist() == [0.5, 0.5]


@pytest.mark.wide
@given(many, classes)
def test_the_bins_hold_every_usage_with_a_majority_once(rows, random):
    study = study_of(verdicts(*rows), [random.integers(0, 2, len(rows))])
    with_majority = int(np.isfinite(study.crowd.majority).sum())
    if not with_majority:
        return
    lines = made(bins, study)[0]["bins"].dicts()
    assert sum(line["usages"] for line in lines) == with_majority
    if len(lines) == 1:
        whole = dict(zip(NAMES, measures_of(study.classes, study.crowd)[0, UNWEIGHTED].tolist(), strict=True))
        assert [lines[0][name] for name in RATIOS] == pytest.approx([whole[name] for name in RATIOS])


def test_bins_end_at_their_cuts():
    cast = verdicts("eeek", "eekk" + "e", "eeeeeeeeek", "eeeeeeeeee")
    lines = made(bins, study_of(cast, [[1.0, 0.0, 1.0, 1.0]]))[0]["bins"].dicts()
    ends = [(line["low"], line["high"], line["usages"], line["recall"]) for line in lines]
    assert ends == [(0.5, 0.75, 1, 0.0), (0.75, 0.9, 1, 1.0), (0.9, 1.0, 2, 1.0)]
    (table,) = made(agreement_histogram, study_of(verdicts("eeee", "eeek", "eekk", "uuuu")))[0].values()
    assert [many for many in table.column("usages") if many] == [1, 1, 1]


def test_how_many_are_enough_by_hand():
    (agreement, _), usages = agreement_by_number(verdicts("ek"), np.array([[1.0]]), 3, seed=1, draws=400)
    assert usages == [1, 1]
    assert agreement[0].mean() == pytest.approx(0.5, abs=0.08)
    assert agreement[1].tolist() == [0.5] * 400
    # Two of three say error: all orders of one draw error in 2 of 3 cases, and of three always.
    (agreement, _), _ = agreement_by_number(verdicts("eek"), np.array([[1.0]]), 3, seed=2, draws=600)
    assert agreement[0].mean() == pytest.approx(2 / 3, abs=0.06)
    assert agreement[2].tolist() == [1.0] * 600
    # One expert says error of both usages, another error and OK; the crowd says error, OK.
    (agreement, kappa), _ = agreement_by_number(
        verdicts("e", "k"), np.array([[1.0, 1.0], [1.0, 0.0]]), 1, seed=1, draws=2
    )
    assert agreement[0].mean() == pytest.approx((1 / 2 + 1) / 2)
    assert kappa[0].mean() == pytest.approx((0 + 1) / 2)
    usage = np.repeat(np.arange(4), [2, 2, 2, 5])
    judge = np.concatenate([np.arange(2)] * 3 + [np.arange(5)])
    crowd = answers(usage, judge, np.ones(11, dtype=int), 4, 5)
    assert len(agreement_by_number(crowd, np.ones((1, 4)), most=20, seed=1, draws=3)[1]) == 2
    with pytest.raises(StatisticsError, match="has a verdict of an expert or gold"):
        agreement_by_number(verdicts("e", "."), np.array([[np.nan, 1.0]]), 3, seed=1)


def test_others_are_all_but_oneself_and_repeats_are_of_the_same_judge():
    cast = verdicts("eek", "kke")
    clear, others = agreement_with_others(cast)
    assert clear.tolist() == [False, False, True, False, False, True]
    assert others[clear].tolist() == [True, False]
    # An expert's verdict is not taken out of a crowd that it is not in.
    clear, others = agreement_with_others(verdicts("eke"), np.array([True, True, False]))
    assert clear.tolist() == [True, True, False]
    assert others[:2].tolist() == [False, True]
    cast = answers(np.array([0, 1, 0, 1, 1, 2]), np.array([0, 0, 0, 0, 1, 1]), np.array([E, K, E, E, K, E]), 3, 2)
    first, again = cast.choose(np.array([0, 1, 4])), cast.choose(np.array([2, 3, 5]))
    known, same = same_again(first, again)
    assert (known.tolist(), same.tolist()) == ([True, True, False], [True, False, False])
    assert not same_again(first.choose(np.zeros(3, dtype=bool)), again)[0].any()


def test_weighted_measures_move_less_than_unweighted_ones():
    crowd, truth = simulated(5, usages=60, skills=(0.65,) * 15)
    system = np.where(np.random.default_rng(1).random(60) < 0.8, truth, ~truth).astype(float)
    lines = made(measures, study_of(crowd, [system]))[0]["measures"].dicts()
    found = {line["by"]: line for line in lines}
    for name in ("precision", "recall"):
        assert found["weighted"][f"{name}_spread"] < found["unweighted"][f"{name}_spread"]
    one = found["weighted"]
    assert one["precision_low"] <= one["precision"] <= one["precision_high"]
    with pytest.raises(StatisticsError, match="Only one judge"):
        drawn_measures(np.ones((1, 2)), verdicts("e", "k"), 10, seed=1)


def test_few_judges_make_wide_intervals_and_adjudicated_answers_none():
    six = verdicts("eeekku.", "eeeeeeu")
    assert reach_of(np.array([0.48, 0.52]), six, 0.95) == pytest.approx(2.5706 * 0.02 * np.sqrt(6 / 5), abs=1e-5)
    adjudicated = replace(QUICK, answers=ADJUDICATED)
    (_, gaps), (tables, none) = (made(measures, study_of(six, [[1, 1]], chosen)) for chosen in (QUICK, adjudicated))
    assert (gaps, none) == ({}, {"stability": NOT_INDEPENDENT})
    assert {line[f"f{end}"] for line in tables["measures"].dicts() for end in ("_low", "_high", "_spread")} == {None}


def test_the_model_finds_skills_and_sees_through_a_judge_who_says_the_opposite():
    found = dawid_skene(verdicts(*["eek", "kke"] * 10))
    assert found.error.round(3).tolist() == [1.0, 0.0] * 10
    assert found.sensitivity[0] > 0.99
    assert found.sensitivity[2] < 0.01
    crowd, truth = simulated(7, usages=2000, skills=(0.95, 0.6, 0.55, 0.6, 0.9))
    found = dawid_skene(crowd)
    assert found.sensitivity == pytest.approx([0.95, 0.6, 0.55, 0.6, 0.9], abs=0.06)
    right = ((found.error > 0.5) == truth).mean()
    assert right > ((crowd_of(crowd).majority == 1) == truth).mean()


@pytest.mark.wide
@given(many, st.integers(1, 1000))
def test_usages_without_a_verdict_move_no_chance(rows, more):
    cast = verdicts(*rows)
    known = crowd_of(cast).is_decided
    found, among_more = dawid_skene(cast), dawid_skene(replace(cast, units=cast.units + more))
    assert among_more.error[: cast.units].tolist() == found.error.tolist()
    assert (among_more.sensitivity.tolist(), among_more.rounds) == (found.sensitivity.tolist(), found.rounds)
    assert among_more.error[cast.units :] == pytest.approx(found.error[known].mean())


@pytest.mark.wide
def test_judges_who_contradict_each_other_leave_usages_undecided_and_few_errors_few():
    """Whoever of the two is right, both accounts fit equally well; where they agree, the accounts do too."""
    found = dawid_skene(verdicts(*["ek", "ke"] * 5, *["kk"] * 20))
    assert found.error[:10].tolist() == [0.5] * 10
    assert found.error[10:].max() < 0.2
    assert 0.5 not in dawid_skene(verdicts(*["ek"] * 6, *["ke"] * 4, *["kk"] * 20)).error.tolist()
    # What each round makes of error OK, error OK, OK OK and a share of errors of their mean, written out in full.
    cast = verdicts("ek", "ek", "kk", *["uu"] * 50)
    error = [0.5, 0.5, 0.0]
    for _ in range(2000):
        skills = [
            ((sum(error[row] for row in found) + 0.01) / (sum(error) + 0.02),
             (sum(1 - error[row] for row in range(3) if row not in found) + 0.01) / (3 - sum(error) + 0.02))
            for found in ([0, 1], [])
        ]  # fmt: skip
        (first, right), (second, fine) = skills
        share = min(max(sum(error) / 3, 0.01), 0.99)
        odds = [share / (1 - share) * (first / (1 - right)) * ((1 - second) / fine)] * 2
        odds.append(share / (1 - share) * ((1 - first) / right) * ((1 - second) / fine))
        error = [one / (1 + one) for one in odds]
    found = dawid_skene(cast)
    assert found.is_settled
    assert found.error[:3].tolist() == pytest.approx(error, abs=1e-5)


@pytest.mark.wide
@given(many, st.integers(0, 2**31 - 1))
@example([".e..", "...e", "...k", ".ke.", ".ke.", "..k."], 4)
@example(["ek..", "ke..", "ek..", "ke..", *["kk.."] * 4], 4)
def test_chances_depend_on_no_order_no_number_and_no_name(rows, seed):
    cast, random = verdicts(*rows), np.random.default_rng(seed)
    usages, judges = random.permutation(cast.units), random.permutation(cast.judges)
    finding = np.where(cast.value == U, U, 1 - cast.value)
    turned = answers(usages[cast.unit], judges[cast.judge], finding, cast.units, cast.judges)
    found, again = dawid_skene(cast), dawid_skene(turned.choose(random.permutation(len(cast))))
    assert ((found.error >= 0) & (found.error <= 1)).all()
    assert 1 - again.error[usages] == pytest.approx(found.error, abs=1e-6)
    assert again.specificity[judges] == pytest.approx(found.sensitivity, abs=1e-6)


@pytest.mark.wide
@given(many, classes)
def test_drawn_judges_give_the_measures_of_a_recomputed_crowd(rows, random):
    """All replicates at once are what a crowd says in which each judge counts as often as drawn."""
    cast = verdicts(*rows)
    present = np.unique(cast.judge[cast.value != U])
    systems = np.where(random.random((2, len(rows))) < 0.2, np.nan, random.random((2, len(rows))))
    decided = np.isfinite(crowd_of(cast).majority)
    if len(present) < 2 or not (np.isfinite(systems) & decided).any(axis=1).all():
        return
    found = drawn_measures(systems, cast, 5, 3)
    for number, drawn in enumerate(draw(len(present), 5, 3).T):
        weights = np.zeros(cast.judges)
        weights[present] = drawn
        crowd = crowd_of(cast.choose(np.repeat(np.arange(len(cast)), weights[cast.judge].astype(int))))
        assert found[..., number] == pytest.approx(measures_of(systems, crowd)[:, :, 3:], nan_ok=True)


def test_gold_replaces_missing_experts_who_are_compared_among_themselves():
    crowd, nobody = crowd_of(verdicts("e", "k")), verdicts("e").choose(np.zeros(1, dtype=bool))
    experts = answers(np.array([0]), np.array([1]), np.array([1]), 2, 2)
    none = replace(nobody, units=2, judges=2)
    gold = np.array([np.nan, 0.0])
    assert authority(experts, gold, crowd, each=False)[0] == "majority of experts"
    assert authority(experts, gold, crowd, each=True)[0] == "each expert"
    assert authority(none, gold, crowd, each=True)[0] == "gold"
    with pytest.raises(StatisticsError, match="Mark some judges as experts"):
        authority(none, np.full(2, np.nan), crowd, each=True)
    ((_, _, common, same, found),) = kappas_of_judges(verdicts("ee", "kk", "ek", "e.", ".k"))
    assert (common, same) == (3, pytest.approx(2 / 3))
    assert found == pytest.approx((2 / 3 - 4 / 9) / (5 / 9))


def test_a_stratum_has_intervals_and_takes_probabilities_for_the_classes_they_say():
    found = stratum_of([1.0, 1.0, 1.0, 0.0], [1.0, 1.0, 0.0, 0.0])
    assert (found["usages"], found["errors"], found["precision"]) == (4, 2, pytest.approx(2 / 3))
    assert found["precision_low"] < 2 / 3 < found["precision_high"]
    assert found["kappa_low"] <= found["kappa"] <= found["kappa_high"]
    alike = stratum_of([1.0, 0.0, 1.0], [1.0, 0.0, 1.0])
    assert (alike["kappa"], alike["kappa_low"]) == (1, None), "three answers that are alike are not certain for that"
    # Precision, recall, their intervals and kappa are of the same decisions.
    right = [1.0, 0.0, 1.0, 1.0, 0.0]
    found = stratum_of([0.9, 0.6, 0.4, 0.5, 0.1], right)
    assert found == stratum_of([1.0, 1.0, 0.0, 1.0, 0.0], right)
    assert (found["precision"], found["recall"]) == (2 / 3, 2 / 3)
