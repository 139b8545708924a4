"""Error span annotation of WMT: which rows count, and what is wrong with one."""

import pytest

from tests.judgments.exchange.rules.test_ratings import read, scores_of
from tests.judgments.rules.refusals import complaints

HEADER = "login,system,itemID,is_bad,source_lang,target_lang,score,documentID,unk,error_spans,start_time,end_time"
SPANS = '"[{""start_i"":8,""end_i"":11,""severity"":""minor""},{""start_i"":""missing"",""end_i"":""missing""}]"'


def row(kind: str = "TGT", item: int = 7, score: str = "86", spans: str = "[]", times: str = "10.5,22") -> str:
    return f"ada,wmt24.Heron,{item},{kind},eng,ces,{score},essay#Heron,False,{spans},{times}"


def test_outputs_come_in_with_their_times_and_the_rest_is_counted():
    rows = [row(spans=SPANS), row("BAD", score="3"), row("CHK", 8), row("REF"), row(item=1_000_003), row("BAD")]
    ratings = read("wmt-esa-csv", *rows)
    assert scores_of(ratings) == [("ada", 7, {"wmt24.Heron": 86}), ("ada", 8, {"wmt24.Heron": 86})]
    assert [one.seconds for one in ratings.recorded] == [11.5, 11.5]
    assert ratings.notes == (
        "scores.csv: 4 rows (1 of the tutorial, 2 of type BAD, 1 of type REF) were left out",
        "scores.csv: 2 error spans are not stored, only the scores",
    )
    assert scores_of(read("wmt-esa-csv", HEADER, row())) == [("ada", 7, {"wmt24.Heron": 86})]
    assert [one.line for one in read("wmt-esa-csv", HEADER, row()).recorded] == [2]
    (rating,) = read("wmt-esa-csv", row(times="1717330844.936,1717330844.937")).recorded
    assert rating.seconds is None


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("ada,A,47,TGT,eng,deu,86", "needs user, system, item, type, source language, target language and score, doc"),
        (row(spans="{}"), "needs a list in JSON as spans, and seconds"),
        (row(spans="[1"), "needs a list in JSON as spans, and seconds"),
        (row(times="10,noon"), "needs a list in JSON as spans, and seconds"),
        (row("NEW"), "has the type 'NEW'"),
        (row(score="101"), "has '101' as score"),
    ],
)
def test_a_row_that_cannot_be_is_reported_with_its_line(line, message):
    (complaint,) = complaints(read, "wmt-esa-csv", row(), line)
    assert complaint.startswith(f"scores.csv, line 2: {message}")
