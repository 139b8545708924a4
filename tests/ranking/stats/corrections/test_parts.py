"""Counting, who is compared, one by one, agreement, categories and subsets: by hand and as published."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from ranking.numbers.tables import StatisticsError
from ranking.stats.corrections.agreement import different, pairs, same_as_others
from ranking.stats.corrections.combinations import first_documents, one_by_one
from ranking.stats.corrections.corrections import Corrections
from ranking.stats.corrections.counting import by_category, categories, diligence
from ranking.stats.corrections.scoring import DrawnBy, F, Rows, Units
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


@pytest.mark.wide
def test_edits_by_category_and_a_system_against_one_judge_as_published():
    assert {kind: counts[0] for kind, counts in by_category(shared_task()).items()} == TABLE_3
    (judge,) = diligence(shared_task())
    assert judge.edits == sum(TABLE_3.values()) == 2391
    # Table 4, in which CAMB has P 24.96, R 19.62 and F 23.67 by A7.
    (found,) = one_by_one(Rows.of(shared_task(), 0.5))
    assert [round(100 * value, 2) for value in (found.precision, found.recall, found.f)] == [24.96, 19.62, 23.67]


def test_how_much_each_judge_does_and_how_often_two_do_the_same():
    ada, ben, eve = diligence(toy.toy())
    assert ada == (3, 7, 2, 2, 0, 0, 2)
    assert ben == (3, 7, 2, 3, 1, 1, 1)
    assert eve.a_sentence == 0.5
    assert eve.a_hundred_words == pytest.approx(100 / 6)
    assert by_category(toy.toy()) == {"Nn": [1, 2, 1], "Vt": [1, 1, 0]}
    ada_ben, ada_eve, ben_eve = pairs(toy.toy())
    assert ada_ben == (0, 1, 3, 0.0, pytest.approx(1 / 3), pytest.approx(-0.5), pytest.approx(2 / 5))
    assert ada_eve == (0, 2, 2, 1.0, 1.0, 1.0, 1.0)
    assert ben_eve.kappa == 0
    assert ben_eve.same_edits == pytest.approx(2 / 4)
    (found,) = pairs(Corrections(("a",), (0,), ("ada", "ben"), (((),), ((),))))
    assert found == (0, 1, 1, 1.0, 1.0, None, None)


def test_only_judges_with_enough_sentences_are_compared():
    assert toy.toy().compared(0.5).judges == ("ada", "ben", "eve")
    assert len(toy.toy().compared(0.5)) == 2
    assert toy.toy().compared(0.9).judges == ("ada", "ben")
    assert len(toy.toy().compared(0.9)) == 3
    alone = toy.toy().only([0], [0, 1, 2])
    with pytest.raises(StatisticsError, match="Only one judge saw at least 50 %"):
        alone.compared(0.5)
    apart = Corrections(("a", "b"), (0, 0), ("ada", "ben"), (((), None), (None, ())))
    with pytest.raises(StatisticsError, match="No sentence was corrected by all 2 judges"):
        apart.compared(0.5)


def test_a_skip_counts_as_seen_but_drops_the_sentence_for_all():
    skipping = replace(toy.toy(), skipped=((2, 2),))
    assert skipping.compared(1).judges == ("ada", "ben", "eve")
    assert skipping.compared(1).source == toy.toy().source[:2]
    with pytest.raises(StatisticsError, match="Only one judge saw all"):
        toy.toy().only([0, 2], [0, 1, 2]).compared(1)
    seen_by_all = Corrections(("a", "b"), (0, 0), ("ada", "ben"), (((), None), ((), None)), skipped=((0, 1), (1, 1)))
    assert len(seen_by_all.compared(1)) == 1
    edits: tuple = (((), ()), ((), ()), (None, None))
    skipping = Corrections(("a", "b"), (0, 0), ("ada", "ben", "eve"), edits, skipped=((2, 0), (2, 1)))
    assert skipping.compared(1).judges == ("ada", "ben")


@pytest.mark.wide
def test_one_by_one_takes_the_sentences_of_both():
    found = {(each.gold, each.row): each for each in one_by_one(Rows.of(toy.toy(), 0.5))}
    assert found[2, 0][2:6] == (2, 1, 1, 1)
    assert found[2, 3][2:6] == (2, 1, 2, 1)
    assert found[0, 3][2:6] == (3, 1, 2, 2)
    assert found[0, 1].sentences == 3
    assert len(found) == 3 * 3


def test_the_same_as_one_of_others_of_whom_more_are_never_less_alike():
    one, two = same_as_others(toy.toy().only([0, 1, 2], [0]))
    assert one.judges == (0.5, 0, 0.5)
    assert one.mean == pytest.approx(1 / 3)
    assert two.mean == pytest.approx(2 / 3)
    assert different(toy.toy().only([0, 1, 2], [0, 1])).tolist() == [2, 2]
    means = [each.mean for each in same_as_others(toy.essays("dev"))]
    assert means == sorted(means)


@pytest.mark.wide
def test_a_category_is_its_edits_alone_and_rare_ones_are_left_out():
    corrections = toy.random(seed=4, judges=4)
    units = Units.drawn(corrections, DrawnBy.SENTENCE, 10, 0)
    found = {each.category: each for each in categories(corrections, 0.5, 1, units, 0)}
    assert set(found) == set(toy.KINDS)
    counts = Counter(edit.kind for row in corrections.edits for edits in row for edit in edits)
    for kind, each in found.items():
        assert each.edits == counts[kind]
        assert each.judges == 3
        alone = corrections.of_kind(kind)
        one = [each.f for each in one_by_one(Rows.of(alone, 0.5))]
        assert each.by_gold[0].people[F] == pytest.approx(np.mean(one))
    corrections = toy.toy().compared(0.9)
    units = Units.drawn(corrections, DrawnBy.SENTENCE, 10, 0)
    assert [each.category for each in categories(corrections, 0.5, 3, units, 0)] == ["Nn"]


@pytest.mark.wide
def test_the_first_documents_are_scored_alone_and_all_are_what_they_are():
    corrections = toy.random(seed=6, judges=4, sentences=40)
    sentences, first, drawn = first_documents(Rows.of(corrections, 0.5), 2, 50, 0)
    alone = Rows.of(corrections.only(range(3), range(20)), 0.5)
    one = [each.f for each in one_by_one(alone) if each.row < 3]
    assert sentences == 20
    assert first[0].people[F] == pytest.approx(np.mean(one))
    assert drawn[0].people_replicates.std() > 0
    _, of_first, of_drawn = first_documents(Rows.of(corrections, 0.5), 4, 5, 0)
    for one, drawn in zip(of_first, of_drawn, strict=True):
        assert drawn.people_replicates == pytest.approx([one.people[F]] * 5, abs=1e-6)
    with pytest.raises(StatisticsError, match="There are 4 documents"):
        first_documents(Rows.of(toy.random(seed=6, sentences=40), 0.5), 5, 5, 0)
