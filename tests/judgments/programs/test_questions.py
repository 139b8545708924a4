"""What a model is asked, and how strictly its reply is read."""

import json

import pytest

from judgments.programs.endpoints import by_edit_distance
from judgments.programs.rules.questions import (
    ProgramQuestion,
    Reply,
    Unreadable,
    for_api,
    messages,
    question_json,
    questions,
    read_answers,
    read_reply,
)
from tests.services.model import completion

EDITS = [{"start": 3, "end": 5, "replacement": "goes"}]
TASK = {
    "id": 7, "before": [], "source": "He go home .", "after": ["It rains ."], "usage": None, "verdicts": [],
    "answer_fields": ["rank"],
    "candidates": [{"text": "He walks to home .", "edits": []}, {"text": "He goes home .", "edits": EDITS}],
}  # fmt: skip


def test_a_model_is_told_what_a_judge_sees_and_nothing_empty():
    assert json.loads(question_json(ProgramQuestion("judgment", 0, TASK))) == {
        "source": "He go home .",
        "after": ["It rains ."],
        "candidates": [
            {"version": 1, "text": "He walks to home ."},
            {"version": 2, "text": "He goes home .", "edits": [{"from": "go", "to": "goes"}]},
        ],
        "fields": ["rank"],
    }
    system, user = messages("Judge. {instructions}", "Be kind.", ProgramQuestion("judgment", 0, TASK))
    assert (system["content"], user["role"]) == ("Judge. Be kind.", "user")
    task = TASK | {"usage": {"start": 3, "end": 5}, "candidates": [], "answer_fields": ["finding"]}
    question = ProgramQuestion("judgment", 0, task)
    assert json.loads(question_json(question))["source"] == "He ⟦go⟧ home ."
    assert question.places == 1


def test_a_probed_screen_is_asked_in_several_forms_and_its_judgment_comes_last():
    asked = list(questions(TASK, share=1, samples=3, seed=1))
    assert [(one.purpose, one.sample) for one in asked] == [
        ("reversed", 0), ("identical", 0), ("sample", 1), ("sample", 2), ("judgment", 0),
    ]  # fmt: skip
    texts = [[candidate["text"] for candidate in one.task["candidates"]] for one in asked]
    assert texts[0] == texts[-1][::-1]
    assert texts[1] == [texts[-1][0]] * 2
    assert asked[0].in_order([{"rank": 1}, {"rank": 2}]) == [{"rank": 2}, {"rank": 1}]
    assert [one.purpose for one in questions(TASK, share=0, samples=3, seed=1)] == ["judgment"]
    chosen = [len(list(questions(TASK | {"id": number}, 0.1, 1, 17))) > 1 for number in range(1000)]
    assert 70 < sum(chosen) < 130


def test_verdicts_come_back_with_their_edits_in_the_order_of_the_assignment():
    task = TASK | {"answer_fields": ["verdicts"]}
    judged = [{**EDITS[0], "verdict": "right"}]
    assert for_api(ProgramQuestion("judgment", 0, task), [{"verdicts": []}, {"verdicts": ["right"]}]) == [
        {"verdicts": []}, {"verdicts": judged},
    ]  # fmt: skip
    backwards = ProgramQuestion("reversed", 0, task | {"candidates": task["candidates"][::-1]})
    assert for_api(backwards, [{"verdicts": ["right"]}, {"verdicts": []}])[1] == {"verdicts": judged}
    for wrong in ([], ["right", "right"], "right", None):
        with pytest.raises(Unreadable, match="1 edits needs as many verdicts"):
            for_api(ProgramQuestion("judgment", 0, task), [{"verdicts": []}, {"verdicts": wrong}])


def test_a_reply_is_one_json_object_perhaps_in_a_fence():
    right = '{"answers": [{"rank": 1}, {"rank": 2}]}'
    assert read_answers(right, 2) == read_answers(f"```json\n{right}\n```", 2) == [{"rank": 1}, {"rank": 2}]
    for text, why in {
        f"Here it is: {right}": "is not JSON", f"{right}\n{right}": "is not JSON", "": "is not JSON",
        "[1, 2]": "not an object with a list", '{"answers": [1, 2]}': "not an object with a list",
        '{"answers": [{"rank": 1}]}': "1 answers for 2", "[" * 100_000: "is not JSON",
    }.items():  # fmt: skip
        with pytest.raises(Unreadable, match=why):
            read_answers(text, 2)


def test_the_body_of_a_reply_names_the_model_and_its_tokens():
    assert read_reply(completion("yes")) == Reply("yes", "model-2026-01", 10, 1)
    assert read_reply(completion(None, tokens=-1)) == Reply("", "model-2026-01", None, 1)
    assert read_reply(completion("a\0b\ud800")).text == "ab?", "no database stores these"
    for body in (b"<html>", b"[]", b'{"choices": []}', b'{"choices": [{"message": 1}]}', b"[" * 100_000):
        with pytest.raises(Unreadable, match="not send a chat completion"):
            read_reply(body)


def test_the_rule_prefers_what_changes_less():
    said = by_edit_distance(question_json(ProgramQuestion("judgment", 0, TASK)))
    assert json.loads(said) == {"answers": [{"rank": 2}, {"rank": 1}]}
