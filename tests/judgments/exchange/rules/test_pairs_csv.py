"""Pairwise tables: rows of one ranking are joined, contradictions are reported."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgments.exchange.importers.rules.rankings import read_pairs_csv
from judgments.exchange.importers.rules.recorded import RecordedGroup, RecordedJudgment
from tests.judgments.rules.refusals import complaints

HEADER = "segmentId,judgeId,system1Id,system1rank,system2Id,system2rank"


def read(*rows: str, header: str = HEADER) -> list[RecordedJudgment]:
    return read_pairs_csv("pairs.csv", "\n".join([header, *rows]).encode())


def problems(*rows: str, header: str = HEADER) -> list[str]:
    return complaints(read, *rows, header=header)


def groups(**ranks: int) -> tuple[RecordedGroup, ...]:
    return tuple(RecordedGroup(*rank) for rank in ranks.items())


def test_rows_with_one_ranking_id_of_a_judge_and_a_sentence_are_one_ranking():
    rows = ["7,ada,A,1,B,2,r1", "7,ada,A,1,C,2,r1", "7,ada,B,2,C,2,r1", "7,ben,A,2,B,1,r1", "8,ada,A,3,B,4,r1"]
    assert read(*rows, "7,ada,A,1,B,2,", "7,ada,A,2,B,1,", header=f"{HEADER},rankingID") == [
        RecordedJudgment(2, "ada", 7, groups(A=1, B=2, C=2), None, "r1"),
        RecordedJudgment(5, "ben", 7, groups(A=2, B=1), None, "r1"),
        RecordedJudgment(6, "ada", 8, groups(A=3, B=4), None, "r1"),
        RecordedJudgment(7, "ada", 7, groups(A=1, B=2), None, ""),
        RecordedJudgment(8, "ada", 7, groups(A=2, B=1), None, ""),
    ]
    assert read("7,ada,B,2,A,1", "7,ada,A,1,C,2") == [
        RecordedJudgment(2, "ada", 7, groups(A=1, B=2), None, ""),
        RecordedJudgment(3, "ada", 7, groups(A=1, C=2), None, ""),
    ]
    header = (
        "system2rank,segmentId,system1Id,system2Number,system1Number,trglang,"
        "system1rank,srcIndex,judgeID,srclang,system2Id,documentId"
    )
    assert read("3,62,AMU,-1,-1,-1,4,62,annot2,-1,RAC,-1", header=header) == [
        RecordedJudgment(2, "annot2", 62, groups(AMU=4, RAC=3), None, "")
    ]


NO_JUDGE = "needs a judge and a whole number as segmentId"
NO_SYSTEM = "system {} needs a name and a rank of 1 or more"


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        *[(f"{start},A,1,B,2", NO_JUDGE) for start in ("x,ada", ",ada", "-1,ada", "7,", "7.0,ada")],
        *[(f"7,ada,{system},B,2", NO_SYSTEM.format(1)) for system in (",1", "A,0", "A,x")],
        *[(f"7,ada,A,1,{system}", NO_SYSTEM.format(2)) for system in (",2", "B,-1")],
        ("7,ada,C,3,B,4", "B has rank 4 here and rank 2 in an earlier row of the same ranking"),
        ("7,ada,A,1,A,1", "names one system twice"),
        ("7,ada,A,1,A,2", "names one system twice"),
    ],
)
def test_a_row_that_cannot_be_is_reported_with_its_line(row, fault):
    assert problems("7,ada,A,1,B,2,r", f"{row},r", header=f"{HEADER},rankingID") == [f"pairs.csv, line 3: {fault}"]


def test_every_problem_is_reported_and_many_in_eleven_sentences():
    assert len(problems("x,ada,A,1,B,2", "7,ada,A,1,B,0")) == 2
    sentences = problems(*["x,ada,A,1,B,2"] * 30)
    assert len(sentences) == 11
    assert sentences[-1] == "pairs.csv: and 20 more like these"
    assert problems() == ["pairs.csv: contains no pair below its header"]
    assert problems("7,ada", header="segmentId,judgeId") == [
        "pairs.csv, line 1: lacks the columns system1Id, system1rank, system2Id, system2rank"
    ]


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
    assert {ranking.about: dict(ranking.groups) for ranking in read_again} == dict(enumerate(rankings))
