"""What a crowd says, and systems against it: the toys, other ways to the same numbers, what holds for any verdicts."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ranking.numbers.tables import StatisticsError
from ranking.stats.agreement.kappa import kappa
from ranking.stats.resampling import draw
from ranking.stats.verdicts.bins import Chance, _cells, _kappas, by_agreement, histogram, stratum
from ranking.stats.verdicts.crowd import Crowd, Verdicts, crowd_of, dawid_skene
from ranking.stats.verdicts.judges import agreement_by_number, authority, pairs_of_experts, reliability, repeats_of
from ranking.stats.verdicts.measures import both, drawn_measures, measured, stability
from tests.ranking.stats.verdicts.cast import E, K, U, verdicts

QUICK = Chance(replicates=20)


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
    return Verdicts(usage.ravel(), judge.ravel(), finding.ravel(), usages, len(skills)), truth


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
    found = measured(np.array([1.0, 1.0, 0.0]), np.array([0.9, 0.56, 0.2]))
    assert (found.hits, found.misses, found.false_positives) == pytest.approx((1.46, 0.2, 0.54))
    assert (found.precision, round(found.recall, 4)) == (pytest.approx(0.73), 0.8795)
    assert measured(np.array([0.5]), np.array([1.0])).recall == 0.5
    found = measured(np.zeros(2), np.array([1.0, 0.0]))
    assert (found.precision, found.recall, found.f) == (1.0, 0.0, 0.0)
    with pytest.raises(StatisticsError, match="nothing to compare"):
        measured(np.array([np.nan]), np.array([1.0]))
    # Where the crowd is unanimous, weights change nothing.
    found = both(np.array([1.0, 0.0, 1.0]), crowd_of(verdicts("eee", "eee", "kkk")))
    assert found.weighted == found.unweighted
    assert (found.weighted.precision, found.weighted.recall) == (0.5, 0.5)


@pytest.mark.wide
@given(many, classes)
def test_the_bins_hold_every_usage_with_a_majority_once(rows, random):
    crowd, system = crowd_of(verdicts(*rows)), random.integers(0, 2, len(rows)).astype(float)
    with_majority = int(np.isfinite(crowd.majority).sum())
    if not with_majority:
        return
    bins = list(by_agreement(system, crowd, QUICK))
    assert sum(one.stratum.usages for one in bins) == with_majority
    if len(bins) == 1:
        whole = both(system, crowd).unweighted
        assert bins[0].stratum.measures == whole


def test_bins_end_at_their_cuts_which_have_to_rise():
    crowd = Crowd(np.array([3, 3, 9, 10]), np.array([1, 2, 1, 0]), np.zeros(4))
    bins = list(by_agreement(np.array([1.0, 0.0, 1.0, 1.0]), crowd, QUICK))
    ends = [(one.low, one.high, one.stratum.usages) for one in bins]
    assert ends == [(0.5, 0.75, 1), (0.75, 0.9, 1), (0.9, 1.0, 2)]
    assert [one.stratum.measures.recall for one in bins] == [0.0, 1.0, 1.0]
    with pytest.raises(StatisticsError, match="must rise"):
        list(by_agreement(np.array([1.0]), crowd_of(verdicts("e")), QUICK, (0.9, 0.5)))
    bars = histogram(crowd_of(verdicts("eeee", "eeek", "eekk", "uuuu")), bars=2)
    assert [many for *_, many in bars] == [1, 2]


def test_how_many_are_enough_by_hand():
    found = list(agreement_by_number(verdicts("ek"), np.array([[1.0]]), 3, seed=1, draws=400))
    assert [one.judges for one in found] == [1, 2]
    assert found[0].agreement == pytest.approx(0.5, abs=0.08)
    assert found[1].agreement == 0.5
    # Two of three say error: all orders of one draw error in 2 of 3 cases, and of three always.
    found = list(agreement_by_number(verdicts("eek"), np.array([[1.0]]), 3, seed=2, draws=600))
    assert found[0].agreement == pytest.approx(2 / 3, abs=0.06)
    assert found[2].agreement == 1.0
    assert found[2].agreement_range == (1.0, 1.0)
    # One expert says error of both usages, another error and OK; the crowd says error, OK.
    found = list(agreement_by_number(verdicts("e", "k"), np.array([[1.0, 1.0], [1.0, 0.0]]), 1, seed=1, draws=2))
    assert found[0].agreement == pytest.approx((1 / 2 + 1) / 2)
    assert found[0].kappa == pytest.approx((0 + 1) / 2)
    usage = np.repeat(np.arange(4), [2, 2, 2, 5])
    judge = np.concatenate([np.arange(2)] * 3 + [np.arange(5)])
    crowd = Verdicts(usage, judge, np.ones(11, dtype=int), usages=4, judges=5)
    found = list(agreement_by_number(crowd, np.ones((1, 4)), most=20, seed=1, draws=3))
    assert [one.judges for one in found] == [1, 2]
    with pytest.raises(StatisticsError, match="has a verdict of an expert or gold"):
        list(agreement_by_number(verdicts("e", "."), np.array([[np.nan, 1.0]]), 3, seed=1))


def test_judges_against_gold_and_the_others_whether_they_are_of_the_crowd_or_not():
    cast = verdicts("eek", "eeu", "kke")
    lines = reliability(cast, np.array([1.0, np.nan, 0.0]), crowd_of(cast), np.ones(len(cast), dtype=bool))
    assert [(line.gold, line.right) for line in lines] == [(2, 2), (2, 2), (2, 0)]
    assert [line.right / line.gold for line in lines] == [1.0, 1.0, 0.0]
    assert [(line.with_others, line.agreeing) for line in lines] == [(1, 1), (1, 1), (2, 0)]
    assert lines[2].unknown == 1
    # An expert's verdict is not taken out of a crowd that it is not in.
    cast = Verdicts(np.zeros(3, int), np.arange(3), np.array([E, K, E]), 1, 3)
    crowd = crowd_of(cast.choose(np.array([True, True, False])))
    lines = reliability(cast, np.array([np.nan]), crowd, np.array([True, True, False]))
    assert [(line.with_others, line.agreeing) for line in lines] == [(1, 0), (1, 0), (0, 0)]
    cast = Verdicts(np.array([0, 1, 0, 1, 1]), np.array([0, 0, 0, 0, 1]), np.array([E, K, E, E, K]), 2, 2)
    found = repeats_of(cast, np.array([False, False, True, True, False]))
    assert found == [(2, 1), (0, 0)]


def test_weighted_measures_move_less_than_unweighted_ones():
    crowd, truth = simulated(5, usages=60, skills=(0.65,) * 15)
    system = np.where(np.random.default_rng(1).random(60) < 0.8, truth, ~truth).astype(float)
    found = {(one.measure, one.weighted): one for one in stability(system[None], crowd, 200, seed=1)[0]}
    assert found["precision", True].spread < found["precision", False].spread
    assert found["recall", True].spread < found["recall", False].spread
    one = found["precision", True]
    assert one.interval.low <= one.value <= one.interval.high
    with pytest.raises(StatisticsError, match="Only one judge"):
        stability(np.ones((1, 2)), verdicts("e", "k"), 10, seed=1)


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
    known = crowd_of(cast).known
    found, among_more = dawid_skene(cast), dawid_skene(replace(cast, usages=cast.usages + more))
    assert among_more.error[: cast.usages].tolist() == found.error.tolist()
    assert (among_more.sensitivity.tolist(), among_more.rounds) == (found.sensitivity.tolist(), found.rounds)
    assert among_more.error[cast.usages :] == pytest.approx(found.error[known].mean())


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
    usages, judges = random.permutation(cast.usages), random.permutation(cast.judges)
    finding = np.where(cast.finding == U, U, 1 - cast.finding)
    turned = Verdicts(usages[cast.usage], judges[cast.judge], finding, cast.usages, cast.judges)
    found, again = dawid_skene(cast), dawid_skene(turned.choose(random.permutation(len(cast))))
    assert ((found.error >= 0) & (found.error <= 1)).all()
    assert 1 - again.error[usages] == pytest.approx(found.error, abs=1e-6)
    assert again.specificity[judges] == pytest.approx(found.sensitivity, abs=1e-6)


@pytest.mark.wide
@given(many, classes)
def test_drawn_judges_give_the_measures_of_a_recomputed_crowd(rows, random):
    """All replicates at once are what a crowd says in which each judge counts as often as drawn."""
    cast = verdicts(*rows)
    present = np.unique(cast.judge[cast.finding != U])
    systems = np.where(random.random((2, len(rows))) < 0.2, np.nan, random.random((2, len(rows))))
    decided = np.isfinite(crowd_of(cast).majority)
    if len(present) < 2 or not (np.isfinite(systems) & decided).any(axis=1).all():
        return
    found = drawn_measures(systems, cast, 5, 3)
    for number, drawn in enumerate(draw(len(present), 5, 3).T):
        weights = np.zeros(cast.judges)
        weights[present] = drawn
        crowd = crowd_of(cast, weights)
        for system, row in enumerate(systems):
            for way, right in enumerate((crowd.proportion, crowd.majority)):
                try:
                    expected = measured(row, right)[3:]
                except StatisticsError:
                    expected = (np.nan,) * 3
                assert found[system, :, way, number] == pytest.approx(expected, nan_ok=True)


def test_gold_replaces_missing_experts_who_are_compared_among_themselves():
    crowd, nobody = crowd_of(verdicts("e", "k")), verdicts("e").choose(np.zeros(1, dtype=bool))
    experts = Verdicts(np.array([0]), np.array([1]), np.array([1]), 2, 2)
    none = Verdicts(nobody.usage, nobody.judge, nobody.finding, 2, 2)
    gold = np.array([np.nan, 0.0])
    assert authority(experts, gold, crowd, each=False)[0] == "majority of experts"
    assert authority(experts, gold, crowd, each=True)[0] == "each expert"
    assert authority(none, gold, crowd, each=True)[0] == "gold"
    with pytest.raises(StatisticsError, match="Mark some judges as experts"):
        authority(none, np.full(2, np.nan), crowd, each=True)
    (found,) = pairs_of_experts(verdicts("ee", "kk", "ek", "e.", "uk"))
    assert (found.usages, found.agreement) == (3, pytest.approx(2 / 3))
    assert found.kappa == pytest.approx((2 / 3 - 4 / 9) / (5 / 9))


def test_a_stratum_has_intervals_and_takes_probabilities_for_the_classes_they_say():
    found = stratum(np.array([1.0, 1.0, 1.0, 0.0]), np.array([1.0, 1.0, 0.0, 0.0]), Chance(200))
    assert (found.usages, found.errors, found.measures.precision) == (4, 2, pytest.approx(2 / 3))
    assert found.precision_interval.low < 2 / 3 < found.precision_interval.high
    assert found.kappa_interval.low <= found.kappa <= found.kappa_interval.high
    # Precision, recall, their intervals and kappa are of the same decisions.
    right = np.array([1.0, 0.0, 1.0, 1.0, 0.0])
    found = stratum(np.array([0.9, 0.6, 0.4, 0.5, 0.1]), right, Chance(50))
    assert found == stratum(np.array([1.0, 1.0, 0.0, 1.0, 0.0]), right, Chance(50))
    assert (found.measures.hits, found.measures.false_positives, found.measures.misses) == (2, 1, 1)


@given(st.integers(0, 10_000))
def test_cells_of_a_stratum_make_the_kappa_of_its_rows(seed):
    random = np.random.default_rng(seed)
    cast, right = random.integers(0, 2, (2, 9)).astype(float)
    (found,) = _kappas(_cells(cast, right).sum(axis=0)[None])
    assert found == pytest.approx(np.nan if kappa(cast, right) is None else kappa(cast, right), nan_ok=True)
