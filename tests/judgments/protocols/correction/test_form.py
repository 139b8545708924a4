"""Corrections as a form takes them, as they are stored, taught, and sent by programs; their pages."""

import json
import re
from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils.html import escape

from judgments.assignment import claiming
from judgments.campaigns import settings
from judgments.judges import programs
from judgments.judging import submission
from judgments.models import Assignment, Campaign, Draft, Edit, Judgment, Membership
from judgments.protocols import PROTOCOLS
from judgments.protocols.correction.form import CorrectionForm
from judgments.protocols.form import FormSpecification
from judgments.rules.authored.categories import CONLL2014
from judgments.rules.files.problems import Problems
from judgments.rules.texts.edits import MOST_ADDED, MOST_EDITS
from judgments.rules.texts.edits import Edit as Made
from tests import factory
from tests.judgments.exchange.corrections import bring, correction_campaign
from tests.program import Program, refused

KEY = str(uuid4())
SOURCE = "He go school ."
TUTORIAL = """
> She have two dog .
as: She has two dogs .
as: She has got two dogs .
! The verb and the noun.

> All is well .
as: All is well .
"""


def filled_in(categories=(), source=SOURCE, **data) -> CorrectionForm:
    return CorrectionForm({"key": KEY, **data}, specification=FormSpecification(1, source, categories))


def as_json(*edits: dict) -> str:
    return json.dumps(edits)


def edit(start: int, end: int, replacement: str, **more) -> dict:
    return {"start": start, "end": end, "replacement": replacement, **more}


@pytest.fixture
def correcting(db) -> Campaign:
    return factory.open_correction()


@pytest.fixture
def ada(correcting) -> Membership:
    return factory.judge(correcting, "ada")


@pytest.fixture
def assignment(ada) -> Assignment:
    """Her first one, at `He go to school .`"""
    return claiming.claim_next(ada)


def test_a_separator_within_a_sentence_ends_no_line():
    source = "He went\u2028home ."
    assert filled_in(source=source, text_1=source, fine_1="on").is_valid()
    form = filled_in(source=source, text_1=f"{source.replace('home', 'out')}\r\n")
    assert form.is_valid(), form.errors
    assert form.tutorial_answers() == ["He went\u2028out ."]


def test_edits_are_taken_in_their_order_and_no_error_is_an_answer_without_edits():
    for data, answers in (
        ({"edits_1": as_json(edit(5, 5, " to"), edit(3, 5, "goes"))}, [Made(3, 5, "goes"), Made(5, 5, " to")]),
        ({"edits_1": "[]", "fine_1": "on"}, []),
        ({"edits_1": as_json(edit(0, 2, "She")), "text_1": "It"}, [Made(0, 2, "She")]),  # the script's before the text
    ):
        form = filled_in(**data)
        assert form.is_valid(), form.errors
        assert form.submission()["answers"] == answers


def test_nothing_is_no_answer_and_edits_and_no_error_cannot_both_be():
    for data in ({}, {"edits_1": "[]"}, {"text_1": SOURCE}, {"text_1": ""}, {"text_1": f"  {SOURCE}\r\n"}):
        assert filled_in(**data).errors == {"edits_1": ["Correct the sentence, or state that there is no error."]}, data
    nothing = ["Nothing is left of the sentence. If it cannot be corrected, skip it."]
    assert filled_in(edits_1=as_json(edit(0, len(SOURCE), " "))).errors == {"edits_1": nothing}
    both = ["There are edits, so there are errors; remove the edits or untick “No error”."]
    assert filled_in(edits_1=as_json(edit(3, 5, "goes")), fine_1="on").errors == {"fine_1": both}
    assert filled_in(text_1="He goes .", fine_1="on").errors == {"fine_1": both}


@pytest.mark.parametrize(
    "unreadable",
    [
        "{", "3", '"x"', "{}x", "[3]", '[{"start": 1}]', '[{"start": "1", "end": 2, "replacement": ""}]',
        '[{"start": 1.5, "end": 2, "replacement": ""}]', '[{"start": true, "end": 2, "replacement": ""}]',
        '[{"start": 1, "end": 2, "replacement": null}]', '[{"start": 1, "end": 2, "replacement": "", "category": 3}]',
        "[" * 100_000, '[{"start": NaN, "end": 2, "replacement": ""}]', '{"a": 1}', "null",
    ],
)  # fmt: skip
def test_unreadable_edits_are_refused_with_a_sentence(unreadable):
    assert "edits_1" in filled_in(edits_1=unreadable).errors


@pytest.mark.parametrize(
    ("edits", "message"),
    [
        ([edit(3, 99, "x")], "Edit 1 lies outside the sentence; enter it again."),
        ([edit(3, 5, "go")], "Edit 1 changes nothing; write something else, or remove it."),
        ([edit(0, 4, "x"), edit(3, 5, "y")], "Edit 2 overlaps another one; change or remove one of them."),
        ([edit(3, 3, "x"), edit(3, 3, "y")], "Edit 2 inserts at the same place as another one; combine them."),
        ([edit(3, 5, "x", category="Vt")], "Edit 1 has a category that is not offered; choose another one."),
        ([edit(3, 5, "x\u0000y")], "Edit 1 has a line break or an invisible character; remove it."),
        ([edit(3, 5, "x" * 3000)], "Edit 1 is too long; write less."),
        ([edit(0, 0, "x")] * (MOST_EDITS + 1), "There are too many edits; combine some."),
    ],
)
def test_an_edit_that_cannot_be_is_named_with_what_to_do(edits, message):
    assert filled_in(edits_1=as_json(*edits)).errors == {"edits_1": [message]}


def test_categories_are_those_of_the_campaign_and_without_scripts_none_is_needed():
    uncategorised, missing = edit(3, 5, "goes"), "Edit 1 has no category yet; choose one."
    assert filled_in(CONLL2014, edits_1=as_json(uncategorised)).errors == {"edits_1": [missing]}
    form = filled_in(CONLL2014, edits_1=as_json(uncategorised | {"category": "SVA"}))
    assert form.is_valid()
    assert form.answers() == [Made(3, 5, "goes", "SVA")]
    form = filled_in(CONLL2014, text_1="He goes to\r\nschool . ")
    assert form.is_valid()
    assert form.answers() == [Made(3, 5, "goes to")]
    assert CorrectionForm(specification=FormSpecification(1, SOURCE))["text_1"].value() == SOURCE


def test_a_skip_may_be_a_label_of_corrections_alone():
    for label in ("merge", "fragment", "not annotatable", "cannot tell"):
        form = filled_in(skip="1", skip_reason=label)
        assert form.is_valid()
        assert form.submission()["skip_reason"] == label
    assert "skip_reason" in filled_in(skip="1", skip_reason="boring").errors
    merge = {"key": KEY, "skip": "1", "skip_reason": "merge"}
    assert "skip_reason" in PROTOCOLS["ranking"].form(merge, specification=FormSpecification(2)).errors


def test_a_draft_keeps_edits_and_the_box_but_nothing_that_cannot_be():
    encoded = as_json(edit(3, 5, "goes"))
    assert filled_in(edits_1=encoded).draft() == {"edits_1": encoded}
    assert filled_in(edits_1="[]", fine_1="on").draft() == {"edits_1": "[]", "fine_1": True}
    assert filled_in(edits_1=encoded, comment="hm").draft() == {"edits_1": encoded, "comment": "hm"}
    for impossible in (
        [edit(3, 99, "goes")], [edit(5, 3, "x")], [edit(3, 5, "x" * 2001)], [edit(3, 5, "", category="x" * 41)],
        [edit(0, 0, "x")] * (MOST_EDITS + 1), ["x"],
    ):  # fmt: skip
        assert filled_in(edits_1=as_json(*impossible), comment="hm").draft() == {"comment": "hm"}


@pytest.mark.parametrize(
    "edits",
    [
        [edit(3, 5, "goes", category="gone")],
        [edit(3, 5, "goes"), edit(5, 5, " to", category="SVA")],
        [edit(3, 5, "go", category="SVA")],
        [edit(3, 5, "a\tb", category="SVA")],
        [edit(0, 4, "x"), edit(3, 5, "y")],
        [edit(0, 0, "x")] * MOST_EDITS,
    ],
    ids=["category taken away", "no category yet", "idle", "no line", "overlapping", "as many as can be"],
)
def test_a_draft_keeps_edits_that_still_have_a_fault(edits):
    encoded = as_json(*edits)
    form = filled_in(CONLL2014, edits_1=encoded)
    assert "edits_1" in form.errors
    assert form.draft() == {"edits_1": encoded}


def test_a_rewritten_sentence_is_not_compared_with_the_source_in_a_draft_or_if_it_is_far_too_long(monkeypatch):
    monkeypatch.setattr("judgments.protocols.correction.form.derive_edits", None)
    longest = SOURCE + "x" * MOST_ADDED
    assert filled_in(text_1=longest).draft() == {"text_1": longest}
    form = filled_in(text_1=longest + "x")
    assert form.errors == {"text_1": ["The sentence has become too long; write less."]}
    assert form.draft() == {}


def test_edits_are_stored_in_order_and_come_back_until_a_revision_replaces_them(assignment):
    made = [Made(3, 5, "goes", ""), Made(9, 9, "the ", "")]
    judgment = submission.submit(assignment, key=uuid4(), answers=made)
    stored = Edit.objects.filter(judgment=judgment).values_list("position", "start", "replacement")
    assert list(stored) == [(0, 3, "goes"), (1, 9, "the ")]
    assert PROTOCOLS["correction"].load(judgment, []) == {
        "edits_1": [edit._asdict() for edit in made],
        "text_1": "He goes to the school .",
        "fine_1": False,
    }
    submission.submit(assignment, key=uuid4(), answers=[Made(0, 2, "It")])
    assert list(Edit.objects.filter(judgment__current=True).values_list("replacement", flat=True)) == ["It"]
    fine = submission.submit(assignment, key=uuid4())
    label = submission.submit(assignment, key=uuid4(), skip_reason="merge")
    assert [PROTOCOLS["correction"].load(one, [])["fine_1"] for one in (fine, label)] == [True, False]


class TestPage:
    @pytest.fixture
    def page(self, ada, browser_of):
        return browser_of(ada.user)

    def test_an_answer_and_its_faults_are_taken_and_come_back(self, page, assignment):
        address = reverse("assignment", args=[assignment.pk])
        content = page.get(address).content.decode()
        assert 'data-source="He go to school ."' in content
        assert "Correct the sentence" in content
        assert "It is a fragment, not a sentence" in content
        wrong = as_json(edit(3, 99, "goes"))
        shown = page.post(address, {"key": KEY, "edits_1": wrong}).content.decode()
        assert "Edit 1 lies outside the sentence" in shown
        assert escape(wrong) in shown
        assert not Judgment.objects.exists()
        assert page.post(address, {"key": KEY, "edits_1": as_json(edit(3, 5, "goes"))}).status_code == 302
        shown = page.get(address).content.decode()
        assert escape('[{"start": 3, "end": 5, "replacement": "goes", "category": ""}]') in shown
        assert "He goes to school ." in shown

    def test_words_of_a_sentence_do_no_harm(self, browser_of, db):
        line = """<b>"cafe\u0301" 'x' & {{ y }} 👩‍👧"""
        judge = factory.judge(factory.open_correction([line], redundancy=1), "ben")
        assignment = claiming.claim_next(judge)
        content = browser_of(judge.user).get(reverse("assignment", args=[assignment.pk])).content.decode()
        assert f'data-source="{escape(line)}"' in content
        assert "<b>" not in content

    def test_a_draft_is_kept_and_edits_that_cannot_be_saved_remove_no_saved_ones(self, page, assignment):
        address, encoded = reverse("draft", args=[assignment.pk]), as_json(edit(3, 5, "goes"))
        assert page.post(address, {"key": KEY, "edits_1": encoded, "comment": "hm"}).json() == {"saved": 2}
        assert escape(encoded) in page.get(reverse("assignment", args=[assignment.pk])).content.decode()
        too_many = as_json(*[edit(0, 0, "x")] * (MOST_EDITS + 1))
        assert page.post(address, {"edits_1": too_many}).json() == {"saved": 0}
        assert Draft.objects.get().answers == {"edits_1": encoded}
        page.post(address, {})
        assert Draft.objects.get().answers == {}

    def test_categories_are_offered_with_help_and_a_draft_outlives_a_change_of_them(self, correcting, page, assignment):
        Campaign.objects.filter(pk=correcting.pk).update(category_list="conll2014")
        address = reverse("assignment", args=[assignment.pk])
        shown = page.get(address).content.decode()
        assert len(re.findall("<option value=[^>]* title=", shown)) == 28
        assert "ArtOrDet: Article or determiner" in shown
        polish = page.get(address, headers={"accept-language": "pl"}).content.decode()
        assert "ArtOrDet: Przedimek lub określnik" in polish
        # A draft outlives a change of categories.
        settings.configure(correcting, category_list="own", categories="Verb: x\nOther: y")
        address, encoded = reverse("draft", args=[assignment.pk]), as_json(edit(3, 5, "goes", category="Verb"))
        page.post(address, {"edits_1": encoded})
        settings.configure(Campaign.objects.get(pk=correcting.pk), categories="Other: y")
        assert page.post(address, {"edits_1": encoded, "comment": "hm", "active": "3"}).json() == {"saved": 2}
        assert Draft.objects.values_list("answers", "active_seconds").get() == (
            {"edits_1": encoded, "comment": "hm"}, 3.0,
        )  # fmt: skip

    def test_an_example_takes_any_of_its_sentences(self, correcting, ada, page):
        settings.configure(correcting, tutorial=TUTORIAL)
        address = reverse("example", args=[correcting.slug, 1])
        assert 'data-source="She have two dog ."' in page.get(address).content.decode()
        for sentence, verdict in (
            ("She has two dogs .", "Just as expected"),
            ("She has got two dogs .", "Just as expected"),
            ("She has two dog .", "You have “dog”; we have “dogs”."),
        ):
            shown = page.post(address, {"key": KEY, "text_1": sentence}).content.decode()
            assert verdict in shown
            assert sentence in shown
            assert shown.count("<li>You") == shown.count("we have")
        fine = reverse("example", args=[correcting.slug, 2])
        assert "Just as expected" in page.post(fine, {"key": KEY, "fine_1": "on"}).content.decode()
        assert not Judgment.objects.exists()


def test_a_tutorial_without_corrected_sentences_and_categories_that_cannot_be_are_refused(correcting):
    with pytest.raises(Problems) as raised:
        settings.configure(correcting, tutorial="> He go .\n1: He goes .\n\n> He go .\nas:\n")
    assert [str(problem) for problem in raised.value.problems] == [
        "tutorial, line 2: '1' is not allowed here; write as: and the corrected sentence",
        "tutorial, line 1: an example needs 1 to 20 lines as: with the corrected sentence",
        "tutorial, line 5: has no sentence after as:",
        "tutorial, line 4: an example needs 1 to 20 lines as: with the corrected sentence",
    ]
    with pytest.raises(Problems, match="line 2: names 'A' a second time"):
        factory.make_campaign({"source": ["A ."]}, protocol="correction", category_list="own", categories="A: x\nA: y")


class TestProgram:
    @pytest.fixture
    def robin(self, correcting) -> Program:
        return Program(programs.enrol(correcting, "robin"))

    @pytest.fixture
    def shown(self, correcting, robin) -> dict:
        return robin.post(f"/api/campaigns/{correcting.slug}/assignments/").json()["assignments"][0]

    def test_it_sees_the_sentence_and_sends_edits_a_corrected_sentence_no_error_or_a_label(self, robin, shown):
        assert (shown["protocol"], shown["candidates"], shown["categories"]) == ("correction", [], [])
        assert shown["source"] == "He go to school ."
        current = Edit.objects.filter(judgment__current=True).values_list("start", "end", "replacement")
        for answer, stored in (
            ({"edits": [edit(3, 5, "goes"), edit(9, 9, "the ")], "fine": False}, [(3, 5, "goes"), (9, 9, "the ")]),
            ({"text": "He goes to school ."}, [(3, 5, "goes")]),
            ({"edits": [], "fine": True}, []),
        ):
            assert robin.post(f"{shown['url']}judgment/", {"answers": [answer]}).status_code == 201
            assert list(current.all()) == stored
        assert robin.post(f"{shown['url']}judgment/", {"skip_reason": "fragment"}).status_code == 201
        assert Judgment.objects.current().get().skip_reason == "fragment"

    @pytest.mark.wide
    def test_it_learns_what_is_wrong_and_where(self, robin, shown):
        address = f"{shown['url']}judgment/"
        problem = refused(robin.post(address, {"answers": [{"edits": [edit(3, 99, "x")]}]}), 400)
        assert "Edit 1 lies outside the sentence" in json.dumps(problem)
        for bad in ({"edits": "x"}, {"edits": [3]}, {"edits": [{"start": -1}]}, {"rank": 1}, {}, {"fine": False}):
            refused(robin.post(address, {"answers": [bad]}), 400)
        assert not Judgment.objects.exists()


OUTPUTS = ["He goes to school .", "She has  a cat", "I like tea .", "Fine ."]


def test_pages_say_nothing_of_what_only_campaigns_with_candidates_have(db, browser_of):
    campaign = correction_campaign(Heron=OUTPUTS)
    bring(campaign)
    client = browser_of(factory.organiser(campaign, "olga"))
    material, judges, exports = (
        client.get(reverse(name, args=[campaign.slug])).content.decode() for name in ("material", "judges", "exports")
    )
    assert "Heron" in material
    for words in ("Judges compare the unchanged source", "How often outputs differ", "nothing to judge", "Judged</th>"):
        assert words not in material
    assert "ben" in judges
    assert "κ" not in judges, "no column waits for what never comes"
    assert 'corrections.m2">corrections.m2</a>' in exports
    assert "Not for correction campaigns: pairs-expanded.csv, pairs-unexpanded.csv, appraise.xml" in exports
    assert exports.count("gmeg-corpus.csv") == 1
