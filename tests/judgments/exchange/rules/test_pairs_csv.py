"""Pairwise tables: rows of one ranking are joined, contradictions are reported."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgments.exchange.importers.rules.matching.reconcile import reconcile_with_texts
from judgments.exchange.importers.rules.pairs_csv import read_pairs_csv
from judgments.exchange.importers.rules.recorded import Group, Recorded
from tests.judgments.rules.refusals import answer_or_problems, complaints

HEADER = "segmentId,judgeId,system1Id,system1rank,system2Id,system2rank"


def read(*rows: str, header: str = HEADER) -> list[Recorded]:
    return read_pairs_csv("pairs.csv", "\n".join([header, *rows]).encode())


def problems(*rows: str, header: str = HEADER) -> list[str]:
    return complaints(read, *rows, header=header)


def groups(**ranks: int) -> tuple[Group, ...]:
    return tuple(Group(*rank) for rank in ranks.items())


def test_rows_with_one_ranking_id_are_one_ranking():
    rows = ["7,ada,A,1,B,2,r1", "7,ada,A,1,C,2,r1", "7,ada,B,2,C,2,r1"]
    assert read(*rows, header=f"{HEADER},rankingID") == [Recorded(2, "ada", 7, groups(A=1, B=2, C=2), None, "r1")]


def test_without_a_ranking_id_each_row_is_a_ranking():
    assert read("7,ada,B,2,A,1", "7,ada,A,1,C,2") == [
        Recorded(2, "ada", 7, groups(A=1, B=2), None, ""),
        Recorded(3, "ada", 7, groups(A=1, C=2), None, ""),
    ]


def test_an_empty_ranking_id_is_none():
    assert len(read("7,ada,A,1,B,2,", "7,ada,A,2,B,1,", header=f"{HEADER},rankingID")) == 2


def test_a_ranking_id_counts_within_a_judge_and_a_sentence():
    rows = ["7,ada,A,1,B,2,r1", "7,ben,A,2,B,1,r1", "8,ada,A,3,B,4,r1"]
    rankings = read(*rows, header=f"{HEADER},rankingID")
    assert [(ranking.judge, ranking.segment, ranking.groups) for ranking in rankings] == [
        ("ada", 7, groups(A=1, B=2)),
        ("ben", 7, groups(A=2, B=1)),
        ("ada", 8, groups(A=3, B=4)),
    ]


def test_columns_may_stand_in_any_order_beside_others():
    header = (
        "system2rank,segmentId,system1Id,system2Number,system1Number,trglang,"
        "system1rank,srcIndex,judgeID,srclang,system2Id,documentId"
    )
    assert read("3,62,AMU,-1,-1,-1,4,62,annot2,-1,RAC,-1", header=header) == [
        Recorded(2, "annot2", 62, groups(AMU=4, RAC=3), None, "")
    ]


def test_names_are_understood_without_what_all_of_them_share():
    rows = read("135,ada,conll14st-test.AMU.src-trg,4,conll14st-test.CAMB.src-trg,3")
    outputs = {135: {"AMU": "One .", "CAMB": "Two ."}}
    (ranking,) = reconcile_with_texts("pairs.csv", rows, outputs, ["AMU", "CAMB"]).judgments
    assert ranking.groups == ((("AMU",), 4), (("CAMB",), 3))


@pytest.mark.parametrize("systems", [("gpt.v1", "gpt.v2"), ("v1.gpt", "v2.gpt")])
def test_dotted_names_that_the_campaign_has_are_understood(systems):
    one, other = systems
    outputs = {7: {one: "One .", other: "Two ."}}
    (ranking,) = reconcile_with_texts("pairs.csv", read(f"7,ada,{one},1,{other},2"), outputs, systems).judgments
    assert ranking.groups == (((one,), 1), ((other,), 2))


@pytest.mark.parametrize("row", ["x,ada,A,1,B,2", ",ada,A,1,B,2", "-1,ada,A,1,B,2", "7,,A,1,B,2", "7.0,ada,A,1,B,2"])
def test_a_row_without_judge_or_sentence_is_reported_with_its_line(row):
    assert problems("7,ada,A,1,B,2", row) == ["pairs.csv, line 3: needs a judge and a whole number as segmentId"]


@pytest.mark.parametrize(
    ("row", "side"),
    [("7,ada,,1,B,2", 1), ("7,ada,A,0,B,2", 1), ("7,ada,A,x,B,2", 1), ("7,ada,A,1,,2", 2), ("7,ada,A,1,B,-1", 2)],
)
def test_a_system_without_name_or_rank_is_reported_with_its_line(row, side):
    assert problems("7,ada,A,1,B,2", row) == [f"pairs.csv, line 3: system {side} needs a name and a rank of 1 or more"]


def test_two_ranks_of_a_system_in_one_ranking_are_reported_with_their_line():
    assert problems("7,ada,A,1,B,2,r1", "7,ada,C,3,B,4,r1", header=f"{HEADER},rankingID") == [
        "pairs.csv, line 3: B has rank 4 here and rank 2 in an earlier row of the same ranking"
    ]


@pytest.mark.parametrize("rank", [1, 2])
def test_a_system_beside_itself_is_reported_with_its_line(rank):
    assert problems("7,ada,A,1,B,2", f"7,ada,A,1,A,{rank}") == ["pairs.csv, line 3: names one system twice"]


def test_every_problem_is_reported_and_many_in_eleven_sentences():
    assert len(problems("x,ada,A,1,B,2", "7,ada,A,1,B,0")) == 2
    sentences = problems(*["x,ada,A,1,B,2"] * 30)
    assert len(sentences) == 11
    assert sentences[-1] == "pairs.csv: and 20 more like these"


def test_a_table_without_pairs_is_reported():
    assert problems() == ["pairs.csv: contains no pair below its header"]


def test_missing_columns_are_reported():
    assert problems("7,ada", header="segmentId,judgeId") == [
        "pairs.csv, line 1: lacks the columns system1Id, system1rank, system2Id, system2rank"
    ]


cell = st.sampled_from(["", "0", "1", "-1", "x", "A", "wmt.A", "wmt.B", '"', "9" * 5000]) | st.text(max_size=3)
row = st.lists(cell, min_size=6, max_size=7).map(",".join)


@pytest.mark.wide
@given(st.lists(row, max_size=5), st.booleans())
def test_any_rows_give_rankings_or_problems(rows, with_id):
    rankings = answer_or_problems(
        lambda: read(*(r for r in rows if r.isprintable()), header=HEADER + ",rankingID" * with_id)
    )
    for ranking in rankings or []:
        assert ranking.judge
        assert ranking.segment >= 0
        assert all(group.value >= 1 for group in ranking.groups)


ranks = st.dictionaries(st.sampled_from("ABCDEFG"), st.integers(1, 5), min_size=2)


@pytest.mark.wide
@given(st.lists(ranks, min_size=1, max_size=4), st.randoms(use_true_random=False))
def test_a_ranking_taken_apart_into_pairs_is_put_together_again(rankings, rng):
    rows = [
        f"{number},ada,{one},{of[one]},{other},{of[other]},r{number}"
        for number, of in enumerate(rankings)
        for one, other in combinations(of, 2)
    ]
    rng.shuffle(rows)
    read_again = read(*rows, header=f"{HEADER},rankingID")
    assert {ranking.segment: dict(ranking.groups) for ranking in read_again} == dict(enumerate(rankings))
