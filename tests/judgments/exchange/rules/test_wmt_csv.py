"""WMT tables: as many systems a row as the header has, -1 for a skipped ranking."""

import pytest

from judgments.exchange.importers.rules.rankings import read_wmt_csv
from judgments.exchange.importers.rules.recorded import RecordedGroup, RecordedJudgment
from tests.judgments.rules.refusals import answer_or_problems, complaints


def header(systems: int) -> str:
    columns = [f"system{number}Number,system{number}Id" for number in range(1, systems + 1)]
    return ",".join(
        ["srclang,trglang,srcIndex,documentId,segmentId,judgeId", *columns]
        + [f"system{number}rank" for number in range(1, systems + 1)]
    )


def row(segment: object, judge: str, ranks: dict[str, object], document: str = "-1") -> str:
    systems = ",".join(f"-1,{name}" for name in ranks)
    return f"src,trg,1,{document},{segment},{judge},{systems},{','.join(map(str, ranks.values()))}"


def read(*rows: str, systems: int = 3) -> list[RecordedJudgment]:
    return read_wmt_csv("wmt.csv", "\n".join([header(systems), *rows]).encode())


def problems(*rows: str, systems: int = 3) -> list[str]:
    return complaints(read, *rows, systems=systems)


def test_a_row_is_a_ranking_in_the_order_of_its_columns():
    assert read(row(2484, "ada", {"B": 2, "A": 1, "C": 2}, "essay")) == [
        RecordedJudgment(
            2, "ada", 2484, (RecordedGroup("B", 2), RecordedGroup("A", 1), RecordedGroup("C", 2)), None, "essay"
        )
    ]


@pytest.mark.parametrize("ranks", [{"A": -1, "B": -1, "C": -1}, {"A": 1, "B": -1, "C": 2}])
def test_a_rank_of_minus_one_skips_the_ranking(ranks):
    (ranking,) = read(row(1, "ada", ranks))
    assert (ranking.is_skipped, ranking.groups) == (True, ())


@pytest.mark.parametrize("number", [1, 2, 5, 10])
def test_the_header_says_how_many_systems_a_row_has(number):
    ranks = {f"S{place}": place for place in range(1, number + 1)}
    assert [group.value for group in read(row(1, "ada", ranks), systems=number)[0].groups] == list(ranks.values())


ABC = {"A": 1, "B": 2, "C": 3}
NO_JUDGE = "needs a judge and a whole number as segmentId"
NO_SYSTEM = "every system needs a name and a rank of 1 or more, or -1 for skipped"


@pytest.mark.parametrize(
    ("bad", "fault"),
    [
        *[(row(*start, ABC), NO_JUDGE) for start in (("x", "ada"), ("", "ada"), (-1, "ada"), (1, ""))],
        (row(1, "ada", {"A": 1, "": 2, "C": 3}), NO_SYSTEM),
        (row(1, "ada", ABC | {"B": ""}), NO_SYSTEM),
        (row(1, "ada", ABC | {"A": 0}), NO_SYSTEM),
        (row(1, "ada", ABC).replace(",B,", ",A,"), "names one system twice"),
    ],
)
def test_a_row_that_cannot_be_is_reported_with_its_line(bad, fault):
    assert problems(row(1, "ada", ABC), bad) == [f"wmt.csv, line 3: {fault}"]


@pytest.mark.parametrize(
    ("table", "complaint"),
    [
        ("segmentId,judgeId,system1Id,system1rank,system2Id\n1,ada,A,1,B\n", f"wmt.csv, line 2: {NO_SYSTEM}"),
        ("judgeID\nada\n", "wmt.csv, line 1: lacks the columns segmentId, system1Id, system1rank"),
        (header(3), "wmt.csv: contains no ranking below its header"),
        (
            "segmentId,judgeId,system1Id,system1rank,system02Id,system02rank\n1,ada,A,1,B,2\n",
            "wmt.csv, line 1: has a column system02Id; systems are numbered system1Id, system2Id and so on",
        ),
    ],
)
def test_a_table_without_rankings_or_with_other_columns_is_reported(table, complaint):
    assert complaints(read_wmt_csv, "wmt.csv", table.encode()) == [complaint]


@pytest.mark.parametrize("number", ["02", "٢", "9" * 5000])
def test_a_system_numbered_in_an_odd_way_gives_rankings_or_problems(number):
    columns = f"segmentId,judgeId,system1Id,system1rank,system{number}Id,system{number}rank"
    rankings = answer_or_problems(read_wmt_csv, "wmt.csv", f"{columns}\n1,ada,A,1,B,2\n".encode())
    assert rankings is None or rankings[0].groups == (RecordedGroup("A", 1), RecordedGroup("B", 2))
