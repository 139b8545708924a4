"""Answers of Pearmut: which count, how they find their sentences, and what is wrong with one."""

import json
from typing import Any

import pytest

from judgments.exchange.importers.rules.pearmut import read_pearmut
from judgments.exchange.importers.rules.ratings import CampaignTexts, KnownLine, Ratings
from judgments.exchange.importers.rules.recorded import ImportOptions
from tests.judgments.exchange.rules.test_ratings import scores_of
from tests.judgments.rules.refusals import complaints

# The sentence "Thank you ." occurs on the lines 0 and 2 with other outputs.
LINES = {
    "Thank you .": [KnownLine(0, {"Heron": "Thanks .", "Wren": "Thank you ."}), KnownLine(2, {"Heron": "Thank you ."})],
    "He go .": [KnownLine(1, {"Heron": "He goes .", "Wren": "He went ."})],
}
GO = {"src": "He go .", "tgt": {"Heron": "He goes .", "Wren": "He went ."}}
THANKS = {"src": "Thank you\n.", "tgt": {"Heron": "Thank  you ."}}


def scored(score: object, **more: object) -> dict:
    return {"score": score, "error_spans": [], "textfield": None} | more


def answer(*items: tuple[dict, Any], user: object = "ada", place: object = 0, **more: object) -> dict:
    shown, given = [item for item, _ in items], [one for _, one in items]
    return {"user_id": user, "item_i": place, "item": shown, "annotation": given, "actions": []} | more


KNOWN = CampaignTexts({"Heron", "Wren"}, lambda: LINES)


def read(*answers: object, known: CampaignTexts = KNOWN, **options: Any) -> Ratings:
    content = "\n".join(one if isinstance(one, str) else json.dumps(one) for one in answers).encode()
    return read_pearmut("a.jsonl", content, ImportOptions("pearmut", **options), known)


def test_a_document_is_a_rating_of_each_of_its_sentences_on_our_scale():
    actions = [{"time": 100.5, "action": "load"}, {"time": 112.5, "action": "submit"}]
    both = {"Heron": scored(87), "Wren": scored(12.5)}
    ratings = read(answer((GO, both), (THANKS, {"Heron": scored(0)}), actions=actions))
    assert scores_of(ratings) == [("ada", 1, {"Heron": 87, "Wren": 12.5}), ("ada", 2, {"Heron": 0})]
    assert [(one.line, one.seconds) for one in ratings.recorded] == [(1, 6), (1, 6)]
    assert (ratings.numbered_from, ratings.notes) == (0, ())
    assert scores_of(read(answer((GO, {"Heron": scored(3)})), scale=(1.0, 5.0))) == [("ada", 1, {"Heron": 50})]


def test_the_outputs_or_the_line_in_our_export_tell_equal_sentences_apart():
    first = {"src": "Thank you .", "tgt": {"Heron": "Thanks ."}}
    ratings = read(answer((first, {"Heron": scored(5)})), answer((THANKS, {"Heron": scored(6)}), place=1))
    assert scores_of(ratings) == [("ada", 0, {"Heron": 5}), ("ada", 2, {"Heron": 6})]
    lines = {"Hi .": [KnownLine(4, {"Heron": "Hi !"}), KnownLine(6, {"Heron": "Hi !"})]}
    given = ({"src": "Hi .", "tgt": {"Heron": "Hi !"}, "item_id": item_id} for item_id in ("c_#_d_#_7", "c_#_d_#_0"))
    answers = [answer((item, {"Heron": scored(5)}), place=place) for place, item in enumerate(given)]
    assert [one.about for one in read(*answers, known=CampaignTexts({"Heron"}, lambda: lines)).recorded] == [6, 4]


def test_answers_are_replaced_or_left_out_and_counted():
    one, two = (answer((GO, {"Heron": scored(score)})) for score in (1, 2))
    ratings = read(one, answer((GO, {"Heron": scored(3)}), user="ben"), two)
    assert scores_of(ratings) == [("ada", 1, {"Heron": 2}), ("ben", 1, {"Heron": 3})]
    assert ratings.notes == ("a.jsonl: 1 answer was replaced by a later one",)
    reset = answer() | {"annotation": "__RESET__"}
    assert scores_of(read(one, answer((GO, {"Heron": scored(3)}), user="ben"), reset)) == [("ben", 1, {"Heron": 3})]
    spans = [{"start_i": 0, "end_i": 2, "severity": "minor", "category": None}] * 3
    check = GO | {"validation": {"Heron": {"score": [0, 10]}}}
    ratings = read(
        answer((GO, {"Heron": scored(1, error_spans=spans, textfield="Good."), "Wren": scored(None)})),
        answer((GO, {"Heron": scored(None)}), place="welcome_0"),
        answer((check, {"Heron": scored(9)}), place=1),
    )
    assert scores_of(ratings) == [("ada", 1, {"Heron": 1})]
    assert ratings.notes == (
        "a.jsonl: 2 items of tutorials and attention checks left out",
        "a.jsonl: 1 output without a score left out",
        "a.jsonl: 3 error spans not stored",
        "a.jsonl: 1 comment or post-edit not stored",
    )


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "is not JSON"),
        ("[]", "is not a JSON object"),
        (answer((GO, {"Heron": scored(1)}), user=""), "needs a text as user_id and a number or a text as item_i"),
        (answer((GO, {"Heron": scored(1)}), place=None), "needs a text as user_id and a number or a text as item_i"),
        (answer() | {"annotation": {"Heron": scored(1)}}, "needs item, a list of the sentences shown"),
        (answer((GO, {})) | {"annotation": []}, "needs item, a list of the sentences shown"),
        (answer((GO, {"Heron": scored(101)})), "item 1 has '101' as score"),
        (answer((GO, {"Heron": scored(True)})), "item 1 has 'True' as score"),
        (answer((GO, {"Heron": scored({"Fluency": 3})})), "item 1 has 'no number' as score"),
        (answer((GO, {"Heron": 5})), "item 1 needs a name and an object for each system, not 'Heron'"),
        (answer((GO, {"\ud800": scored(5)})), "item 1 needs a name and an object for each system, not '\\ud800'"),
        (answer((GO | {"src": None}, {"Heron": scored(1)})), "item 1 needs a text as src"),
        (answer((GO | {"src": "No ."}, {"Heron": scored(1)})), "item 1 is about 'No .', which is no sentence"),
        (
            answer((GO, {"Heron": scored(1)}), (GO | {"tgt": {"Wren": "He gone ."}}, {"Wren": scored(1)})),
            "item 2 shows another output of 'Wren' than the campaign has for 'He go .'",
        ),
    ],
)
def test_an_answer_that_cannot_be_is_reported_with_its_line(line, message):
    (complaint,) = complaints(read, answer((GO, {"Heron": scored(1)})), line)
    assert complaint.startswith(f"a.jsonl, line 2: {message}")


def test_a_file_needs_scores_and_a_campaign_with_texts():
    assert complaints(read, answer((GO, {"Heron": scored(None)}))) == ["a.jsonl: contains no score of an output"]
    (complaint,) = complaints(read, answer((GO, {"Heron": scored(1)})), known=CampaignTexts())
    assert complaint.endswith("upload the file of Pearmut's campaign on Material first")
