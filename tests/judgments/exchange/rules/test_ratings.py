"""Ratings from tables of several kinds: what a row says, what is left out, and what cannot be."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgments.exchange.importers.rules import RATINGS
from judgments.exchange.importers.rules.ratings import CampaignTexts, KnownLine, Ratings, join_screens
from judgments.exchange.importers.rules.recorded import ImportOptions
from tests.judgments.rules.refusals import complaints

HEADER = "judge,segment,system,score"


def read(file_format: str, *lines: str, known: str = "", **options) -> Ratings:
    content = "\n".join(lines).encode()
    return RATINGS[file_format].read(
        "scores.csv", content, ImportOptions(file_format, **options), CampaignTexts(set(known.split()))
    )


def table(*rows: str, header: str = HEADER, **options) -> Ratings:
    return read("ratings-csv", header, *rows, **options)


def scores_of(ratings: Ratings) -> list[tuple]:
    """Judge, segment, and the outputs with their scores."""
    return [
        (one.judge, one.about, {group.systems: group.value.score for group in one.groups}) for one in ratings.recorded
    ]


# Judge, segment, system, score


def test_what_a_judge_says_about_a_sentence_is_one_rating_until_a_system_is_rated_again():
    ratings = table("ada,1,Heron,87.5", "ben,1,Heron,3", "ada,1,Wren,0", "ada,2,Wren,100")
    assert scores_of(ratings) == [
        ("ada", 1, {"Heron": 87.5, "Wren": 0}),
        ("ben", 1, {"Heron": 3}),
        ("ada", 2, {"Wren": 100}),
    ]
    assert [one.line for one in ratings.recorded] == [2, 3, 5]
    assert (ratings.numbered_from, ratings.notes) == (None, ())
    assert scores_of(table("ada,1,A,1", "ada,1,B,2", "ada,1,A,3", "ada,1,B,4", "ada,1,C,5")) == [
        ("ada", 1, {"A": 1, "B": 2}),
        ("ada", 1, {"A": 3, "B": 4, "C": 5}),
    ]
    assert join_screens([]) == []


def test_further_columns_say_what_was_meant_and_what_does_not_count():
    header = f"{HEADER},meaning_changed,seconds"
    (first, second) = table("ada,1,A,50,YES,7.5", "ada,2,A,50,,", header=header).recorded
    assert (first.groups[0].value.meaning_changed, first.seconds) == (True, 7.5)
    assert (second.groups[0].value.meaning_changed, second.seconds) == (False, None)
    header = f"{HEADER},excluded,program"
    ratings = table("ada,1,A,1,no,no", "ben,1,A,2,yes,no", "bot,1,A,3,no,yes", "ada,2,A,,no,no", header=header)
    assert scores_of(ratings) == [("ada", 1, {"A": 1})]
    assert ratings.notes == ("scores.csv: 3 rows without a score, of excluded judges or of programs were left out",)
    header = "campaign,judge,screen,segment,candidate,systems,score,skip_reason"
    rows = ["c,ada,1,1,7,A B,10,", "c,ada,1,1,8,C,20,", "c,ada,2,1,7,A B,30,", "c,ada,3,2,,,,broken"]
    ratings = table(*rows, header=header)
    assert scores_of(ratings) == [("ada", 1, {"A B": 10, "C": 20}), ("ada", 1, {"A B": 30}), ("ada", 2, {})]
    assert ratings.recorded[2].skip_reason == "broken"
    assert ratings.numbered_from == 1


def test_a_table_needs_scores_and_a_scale_is_moved_to_that_of_the_platform():
    assert complaints(read, "ratings-csv", HEADER, "ada,1,A,6", scale=(1.0, 5.0))[0].endswith("1 to 5, such as 4.5")
    ratings = table("ada,1,A,1", "ada,2,A,3", "ada,3,A,5", scale=(1.0, 5.0))
    assert [score for _, _, scores in scores_of(ratings) for score in scores.values()] == [0, 50, 100]
    assert ratings.notes == ("scores.csv: scores from 1 to 5 are converted to the scale from 0 to 100",)
    assert complaints(table) == ["scores.csv: contains no rating below its header"]
    assert complaints(table, "ada,1,A,") == ["scores.csv: contains no score of a judge who counts"]
    assert complaints(read, "ratings-csv", "judge,segment,score", "ada,1,1") == [
        "scores.csv, line 1: lacks the column system"
    ]


ITSELF = "user, system, item, type, source language, target language and score"


@pytest.mark.parametrize(
    ("file_format", "lines", "message"),
    [
        *[
            ("ratings-csv", (HEADER, "ada,1,A,1", row), f", line 3: {message}")
            for row, message in {
                "ada,1,A,101": "has '101' as score; a score is a number from 0 to 100, such as 87.5",
                "ada,1,A,-1": "has '-1' as score",
                'ada,1,A,"3,5"': "has '3,5' as score",
                "ada,1,A,nan": "has 'nan' as score",
                "ada,one,A,1": "needs a judge and a whole number as segment",
                ",1,A,1": "needs a judge and a whole number as segment",
                "ada,1,,1": "has a score, but names no system",
            }.items()
        ],
        ("gmeg-csv", ("A,A", "1,2"), ", line 1: needs a name in every column, and a different one in each"),
        ("gmeg-csv", ("A,", "1,2"), ", line 1: needs a name in every column, and a different one in each"),
        ("gmeg-csv", ("", "1"), ", line 1: needs a name in every column, and a different one in each"),
        ("gmeg-csv", ("A,B", "1,2,3"), ", line 2: has 3 cells where the header has 2"),
        ("gmeg-csv", ("A,B", "1,x"), ", line 2: has 'x' as score"),
        ("gmeg-csv", ("A,B",), ": contains no score below its header"),
        ("wmt-da-csv", ("ada,A,47,TGT,eng,deu",), f", line 1: needs {ITSELF}"),
        (
            "wmt-da-csv",
            ("ada,A,47,tgt,eng,deu,1",),
            ", line 1: has the type 'tgt'; the types are TGT, CHK, BAD and REF",
        ),
        ("wmt-da-csv", ("ada,A,x,TGT,eng,deu,1",), ", line 1: needs a user, a system and a whole number as item"),
        ("wmt-da-csv", ("ada,A,1,BAD,eng,deu,1",), ": contains no score of an output (TGT or CHK)"),
        (
            "wmt-da-csv",
            ("ada,A,1,TGT,eng,deu,1", "ada,A,1,TGT,eng,fra,1"),
            ": has several language pairs (eng-deu, eng-fra)",
        ),
    ],
)
def test_what_cannot_be_is_reported_with_its_line(file_format, lines, message):
    (complaint,) = complaints(read, file_format, *lines)
    assert complaint.startswith(f"scores.csv{message}")


# A column per system


def test_a_row_is_a_line_and_a_drawn_reference_is_left_out_unless_the_campaign_has_it():
    ratings = read("gmeg-csv", "Heron,wren-2", "91.75,", ",", "0,52.57142857142857", "")
    assert scores_of(ratings) == [
        ("scores", 0, {"Heron": 91.75}),
        ("scores", 2, {"Heron": 0, "wren-2": 52.57142857142857}),
    ]
    assert ratings.numbered_from == 0
    assert ratings.notes == ("scores.csv: has no judges, so its scores are stored as those of one judge, scores",)
    assert read("gmeg-csv", "A", "1", judges=("crowd",)).recorded[0].judge == "crowd"
    two = CampaignTexts({"A"}, lambda: {"a": [KnownLine(0, {})], "b": [KnownLine(1, {})]})
    short = RATINGS["gmeg-csv"].read("scores.csv", b"A\n1\n", ImportOptions("gmeg-csv"), two).notes[1]
    assert short.startswith("scores.csv: has 1 rows of scores, and the campaign has 2 lines; row 1 is about line 1")
    lines = ("A,ref", "1,2")
    left_out = read("gmeg-csv", *lines, known="A")
    assert scores_of(left_out) == [("scores", 0, {"A": 1})]
    assert left_out.notes[1].startswith("scores.csv: the column ref is left out")
    for known in ("A ref", ""):
        assert scores_of(read("gmeg-csv", *lines, known=known)) == [("scores", 0, {"A": 1, "ref": 2})]


# Direct assessment


def test_outputs_and_their_repetitions_come_in_and_controls_stay_out():
    ratings = read(
        "wmt-da-csv",
        "ada,A+B,47,TGT,eng,deu,86",
        "ada,A+B,47,BAD,eng,deu,3",
        "ada,C,47,TGT,eng,deu,12",
        "ada,ref,47,REF,eng,deu,99",
        "ada,A+B,47,CHK,eng,deu,88",
        "ada,C,47,TGT,eng,deu,50,essay,True",
    )
    assert scores_of(ratings) == [("ada", 47, {"A+B": 86, "C": 12}), ("ada", 47, {"A+B": 88})]
    assert ratings.notes == ("scores.csv: 3 rows (1 of type BAD, 1 of type REF, 1 of whole documents) were left out",)


# Error spans

ESA_HEADER = "login,system,itemID,is_bad,source_lang,target_lang,score,documentID,unk,error_spans,start_time,end_time"
SPANS = '"[{""start_i"":8,""end_i"":11,""severity"":""minor""},{""start_i"":""missing"",""end_i"":""missing""}]"'


def esa(kind: str = "TGT", item: int = 7, score: str = "86", spans: str = "[]", times: str = "10.5,22") -> str:
    return f"ada,wmt24.Heron,{item},{kind},eng,ces,{score},essay#Heron,False,{spans},{times}"


def test_error_span_annotations_come_in_with_their_times_and_the_rest_is_counted():
    rows = [esa(spans=SPANS), esa("BAD", score="3"), esa("CHK", 8), esa("REF"), esa(item=1_000_003), esa("BAD")]
    ratings = read("wmt-esa-csv", *rows)
    assert scores_of(ratings) == [("ada", 7, {"wmt24.Heron": 86}), ("ada", 8, {"wmt24.Heron": 86})]
    assert [one.seconds for one in ratings.recorded] == [11.5, 11.5]
    assert ratings.notes == (
        "scores.csv: 4 rows (1 of the tutorial, 2 of type BAD, 1 of type REF) were left out",
        "scores.csv: 2 error spans are not stored, only the scores",
    )
    assert scores_of(read("wmt-esa-csv", ESA_HEADER, esa())) == [("ada", 7, {"wmt24.Heron": 86})]
    assert [one.line for one in read("wmt-esa-csv", ESA_HEADER, esa()).recorded] == [2]
    (rating,) = read("wmt-esa-csv", esa(times="1717330844.936,1717330844.937")).recorded
    assert rating.seconds is None


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("ada,A,47,TGT,eng,deu,86", "needs user, system, item, type, source language, target language and score, doc"),
        (esa(spans="{}"), "needs a list in JSON as spans, and seconds"),
        (esa(spans="[1"), "needs a list in JSON as spans, and seconds"),
        (esa(times="10,noon"), "needs a list in JSON as spans, and seconds"),
        (esa("NEW"), "has the type 'NEW'"),
        (esa(score="101"), "has '101' as score"),
    ],
)
def test_an_error_span_annotation_that_cannot_be_is_reported_with_its_line(line, message):
    (complaint,) = complaints(read, "wmt-esa-csv", esa(), line)
    assert complaint.startswith(f"scores.csv, line 2: {message}")


# What always holds


names = st.sampled_from("ABC")


@given(st.lists(st.tuples(st.sampled_from(["ada", "ben"]), st.integers(0, 2), names, st.integers(0, 100)), min_size=1))
def test_no_score_is_lost_and_no_rating_names_a_system_twice(rows):
    ratings = table(*(",".join(map(str, row)) for row in rows))
    flat = [
        (one.judge, one.about, group.systems, group.value.score) for one in ratings.recorded for group in one.groups
    ]
    assert sorted(flat) == sorted(rows)
    assert all(len({group.systems for group in one.groups}) == len(one.groups) for one in ratings.recorded)
