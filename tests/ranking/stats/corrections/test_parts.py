"""People and systems against people, who is compared, counting, agreement, categories: by hand and as published."""

from collections import Counter
from dataclasses import replace
from itertools import combinations as subsets_of

import numpy as np
import pytest

from ranking.metrics.material import Candidates, Material
from ranking.metrics.maxmatch import MaxMatch
from ranking.numbers.tables import StatisticsError
from ranking.stats.corrections import SECTIONS
from ranking.stats.corrections.judges import edits_by_kind, pairs_of_judges, same_as_others
from ranking.stats.corrections.people import combinations, edits_of_kind, one_by_one
from ranking.stats.corrections.scoring import Corrections, DrawnBy, F, Rows, Units
from ranking.stats.corrections.study import CorrectionParameters, CorrectionStudy
from tests.ranking.metrics import published
from tests.ranking.stats.corrections import toy

# Bryant and Ng (2015), Table 3, the column of A7, who is the first annotator of the shared task.
TABLE_3 = {
    "ArtOrDet": 331, "Mec": 228, "Nn": 215, "Npos": 19, "Others": 44, "Pform": 47, "Pref": 96, "Prep": 211,
    "Rloc-": 94, "Sfrag": 13, "Spar": 3, "Srun": 7, "Ssub": 68, "SVA": 105, "Trans": 93, "Um": 12, "V0": 31,
    "Vform": 132, "Vm": 49, "Vt": 133, "Wci": 340, "Wform": 77, "WOadv": 12, "WOinc": 22, "Wtone": 9,
}  # fmt: skip


def shared_task() -> Corrections:
    """The first annotator of the shared task, and the system that was best there."""
    gold = published.gjg15_gold()
    output = tuple(published.lines("data/gjg15/outputs/CAMB"))
    return Corrections(gold.source, (0,) * len(gold.source), ("A7",), gold.edits[:1], ("CAMB",), (output,))


def lines(corrections: Corrections, section: str, table: str, **chosen) -> list[dict]:
    """Of a report that compares all judges who saw nine of ten sentences, and requires no number of edits."""
    parameters = CorrectionParameters(replicates=200, **{"least_share": 0.9, "least_edits": 1} | chosen)
    found = {part.name: part for part in SECTIONS[section](CorrectionStudy(corrections, parameters, 1))}
    return found[table].dicts()


@pytest.mark.wide
def test_edits_by_category_and_a_system_against_one_judge_as_published():
    assert {kind: counts[0] for kind, counts in edits_by_kind(shared_task()).items()} == TABLE_3
    (judge,) = lines(shared_task(), "edits by judge", "edits_by_judge")
    assert judge["edits"] == sum(TABLE_3.values()) == 2391
    # Table 4, in which CAMB has P 24.96, R 19.62 and F 23.67 by A7.
    (found,) = one_by_one(Rows.of(shared_task(), 0.5))
    assert [round(100 * value, 2) for value in found[-3:]] == [24.96, 19.62, 23.67]


def test_how_much_each_judge_does_and_how_often_two_do_the_same():
    ada, ben, eve = (list(line.values())[1:] for line in lines(toy.toy(), "edits by judge", "edits_by_judge"))
    # Sentences, changed ones, edits, these per sentence and per hundred words; inserted, deleted, replaced; compared.
    assert ada == [3, 2, 2, pytest.approx(2 / 3), pytest.approx(200 / 7), 0, 0, 2, True]
    assert ben == [3, 2, 3, 1, pytest.approx(300 / 7), 1, 1, 1, True]
    assert eve == [2, 1, 1, 0.5, pytest.approx(100 / 6), 0, 0, 1, False]
    assert edits_by_kind(toy.toy()) == {"Nn": [1, 2, 1], "Vt": [1, 1, 0]}
    ada_ben, ada_eve, ben_eve = pairs_of_judges(toy.toy())
    assert ada_ben == (0, 1, 3, 0.0, pytest.approx(1 / 3), pytest.approx(-0.5), pytest.approx(2 / 5))
    assert ada_eve == (0, 2, 2, 1.0, 1.0, 1.0, 1.0)
    assert ben_eve[-2:] == (0, pytest.approx(2 / 4))
    alike = Corrections(("a",), (0,), ("ada", "ben"), (((),), ((),)))
    (found,) = lines(alike, "agreement", "correction_pairs")
    assert list(found.values()) == ["ada", "ben", 1, 1.0, 1.0, None, None]


def test_only_judges_with_enough_sentences_are_compared():
    assert toy.toy().comparable(0.5).judges == ("ada", "ben", "eve")
    assert len(toy.toy().comparable(0.5)) == 2
    assert toy.toy().comparable(0.9).judges == ("ada", "ben")
    assert len(toy.toy().comparable(0.9)) == 3
    alone = toy.toy().only([0], [0, 1, 2])
    with pytest.raises(StatisticsError, match="Only one judge saw at least 50%"):
        alone.comparable(0.5)
    apart = Corrections(("a", "b"), (0, 0), ("ada", "ben"), (((), None), (None, ())))
    with pytest.raises(StatisticsError, match="No sentence was corrected by all 2 judges"):
        apart.comparable(0.5)


def test_a_skip_counts_as_seen_but_drops_the_sentence_for_all():
    skipping = replace(toy.toy(), skipped=((2, 2),))
    assert skipping.comparable(1).judges == ("ada", "ben", "eve")
    assert skipping.comparable(1).source == toy.toy().source[:2]
    with pytest.raises(StatisticsError, match="Only one judge saw all"):
        toy.toy().only([0, 2], [0, 1, 2]).comparable(1)
    seen_by_all = Corrections(("a", "b"), (0, 0), ("ada", "ben"), (((), None), ((), None)), skipped=((0, 1), (1, 1)))
    assert len(seen_by_all.comparable(1)) == 1
    edits: tuple = (((), ()), ((), ()), (None, None))
    skipping = Corrections(("a", "b"), (0, 0), ("ada", "ben", "eve"), edits, skipped=((2, 0), (2, 1)))
    assert skipping.comparable(1).judges == ("ada", "ben")


@pytest.mark.wide
def test_one_by_one_takes_the_sentences_of_both():
    found = {each[:2]: each for each in one_by_one(Rows.of(toy.toy(), 0.5))}
    assert found[2, 0][2:6] == (2, 1, 1, 1)
    assert found[2, 3][2:6] == (2, 1, 2, 1)
    assert found[0, 3][2:6] == (3, 1, 2, 2)
    assert found[0, 1][2] == 3
    assert len(found) == 3 * 3


def test_the_same_as_one_of_others_of_whom_more_are_never_less_alike():
    one, two = same_as_others(toy.toy().only([0, 1, 2], [0]))
    assert one.tolist() == [0.5, 0, 0.5]
    assert one.mean() == pytest.approx(1 / 3)
    assert two.mean() == pytest.approx(2 / 3)
    found = lines(toy.toy().only([0, 1, 2], [0, 1]), "agreement", "different_corrections")
    assert [list(line.values()) for line in found] == [[1, 0, 0], [2, 2, 1]]
    means = [each.mean() for each in same_as_others(toy.essays("dev"))]
    assert means == sorted(means)


@pytest.mark.wide
def test_a_category_is_its_edits_alone_and_rare_ones_are_left_out():
    corrections = toy.random(seed=4, judges=4)
    found = {
        line["category"]: line
        for line in lines(corrections, "categories", "category_agreement") if line["gold"] == 1
    }  # fmt: skip
    assert set(found) == set(toy.KINDS)
    counts = Counter(edit.kind for row in corrections.edits for edits in row for edit in edits)
    for kind, each in found.items():
        assert (each["edits"], each["judges"]) == (counts[kind], 3)
        alone, _ = edits_of_kind(corrections, kind)
        assert each["f"] == pytest.approx(np.mean([one[-1] for one in one_by_one(Rows.of(alone, 0.5))]))
    found = lines(toy.toy(), "categories", "category_agreement", least_edits=3)
    assert [line["category"] for line in found] == ["Nn"]


@pytest.mark.wide
def test_the_first_documents_are_scored_alone_and_all_are_what_they_are():
    corrections = toy.random(seed=6, judges=4, sentences=40)
    people, *_ = lines(corrections, "fewer documents", "document_subsets", documents=2)
    alone = Rows.of(corrections.only(range(3), range(20)), 0.5)
    assert (people["who"], people["sentences"]) == ("people", 20)
    assert people["f"] == pytest.approx(np.mean([each[-1] for each in one_by_one(alone) if each[1] < 3]))
    assert people["f_low"] < people["f_high"]
    for line in lines(corrections, "fewer documents", "document_subsets", documents=4):
        assert line["f"] == pytest.approx(line["f_all"])
        assert (line["f_low"], line["f_high"]) == pytest.approx((line["f"], line["f"]), abs=1e-6)
    with pytest.raises(StatisticsError, match="There are 4 documents"):
        lines(corrections, "fewer documents", "document_subsets", documents=5)


def combined(corrections: Corrections, replicates: int = 20, by: DrawnBy = DrawnBy.SENTENCE, seed: int = 1, **chosen):
    return list(combinations(Rows.of(corrections, 0.5), Units.draw(corrections, by, replicates, seed), seed, **chosen))


@pytest.mark.wide
def test_as_the_formula_says_it():
    corrections = toy.random(seed=3, judges=5)
    people = corrections.texts()
    material = Material.of_edits(corrections.source, corrections.edits)

    def score(output: list[str], subset: tuple[int, ...]) -> list[float]:
        candidates = Candidates.of([output])
        found = MaxMatch().of_systems(MaxMatch().count(material.only(subset), candidates), candidates.chosen)
        return [values[0] for values in found.values()]

    for found in combined(corrections):
        subsets = list(subsets_of(range(4), found.gold))
        human = [np.mean([score(people[one], some) for one in range(4) if one not in some], axis=0) for some in subsets]
        system = [score(list(corrections.outputs[0]), some) for some in subsets]
        assert found.subsets == len(subsets)
        assert found.scores[:, 0] == pytest.approx(np.mean(human, axis=0), abs=1e-12)
        assert found.scores[:, 1] == pytest.approx(np.mean(system, axis=0), abs=1e-12)
        assert found.ratio(1) == pytest.approx(found.scores[F, 1] / found.scores[F, 0])


@pytest.mark.wide
@pytest.mark.parametrize("part", ["dev", "test"])
def test_learners_essays(part, monkeypatch):
    """These values follow the rule of M2 alone; in one of 50,632 counts the official program finds another path."""
    monkeypatch.setattr("ranking.metrics.maxmatch.MOST_NODES", 0)
    found = combined(toy.essays(part), replicates=2)
    golden = published.golden()["ratio_scoring_m2"][f"{part}.fce"]
    assert [each.scores[F, 0] for each in found] == pytest.approx(list(golden["human"].values()), abs=1e-9)
    for place, name in enumerate(published.GMEG_SYSTEMS, 1):
        scores, ratios = list(golden["system"][name].values()), list(golden["ratio"][name].values())
        assert [each.scores[F, place] for each in found] == pytest.approx(scores[: len(found)], abs=1e-9)
        assert [each.ratio(place) for each in found] == pytest.approx(ratios, abs=1e-9)


@pytest.mark.wide
@pytest.mark.parametrize("by", DrawnBy)
def test_replicates_lie_around_the_scores_and_are_the_same_by_one_seed(by):
    corrections = toy.random(seed=5, judges=5, sentences=80)
    found, again = (combined(corrections, 200, by) for _ in range(2))
    for one, other in zip(found, again, strict=True):
        assert (one.replicates == other.replicates).all()
        assert one.replicates.mean(axis=-1) == pytest.approx(one.scores[F], abs=0.02)
        assert one.replicates.std(axis=-1).min() > 0


@pytest.mark.wide
def test_beyond_some_judges_subsets_are_drawn_and_drawn_again_for_the_interval():
    corrections = toy.random(seed=2, judges=9, sentences=40)
    exact = combined(corrections, 100)
    drawn = combined(corrections, 100, most_subsets=160)
    are_all = [each.subsets == every.subsets for each, every in zip(drawn, exact, strict=True)]
    assert are_all == [True, False, False, False, False, False, True]
    for one, other in zip(exact, drawn, strict=True):
        assert one.scores[:, 0] == pytest.approx(other.scores[:, 0], abs=0.05)
        assert other.replicates[0].std() > 0


@pytest.mark.wide
def test_people_with_nothing_in_common_have_no_ratio():
    edits = ((toy.change(0, 1, "x"),),), ((toy.change(1, 2, "y"),),)
    corrections = Corrections(("a b",), (0,), ("ada", "ben"), edits, ("heron",), (("a b",),))
    (found,) = combined(corrections)
    assert (found.ratio(1), found.ends(1, 0.95, of_ratio=True)) == (None, (None, None))
