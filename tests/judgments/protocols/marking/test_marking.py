"""Marking: the form, what is stored, controls, exports, and the way of a campaign to its bundle."""

import csv
import io
import json
from uuid import uuid4

import pytest
from django.urls import reverse

from judgments.archive.importing import import_campaign
from judgments.assignment import claiming
from judgments.campaigns import settings
from judgments.exchange.exporters import EXPORTS
from judgments.judges import programs
from judgments.judging.submission import described_answers, submit
from judgments.material.rules.reading import Roles
from judgments.models import Assignment, Campaign, EditVerdicts, Judgment, SystemOutput
from judgments.protocols import protocol_of
from judgments.protocols.form import FormSpecification, letter
from judgments.protocols.marking.form import MarkingForm
from judgments.protocols.registry import examples_of
from judgments.protocols.rows import shown_slots
from judgments.rules.errors import Refused
from judgments.rules.files.problems import Problems
from tests import factory
from tests.program import Program

SOURCE = ["He go school yesterday ."]
SYSTEMS = {
    "Heron": ["He goes to school yesterday ."],
    "Wren": ["He goes school yesterday ."],
    "Magpie": ["He go school today ."],
}
ROLES = Roles()
GOES, TO, TODAY = [3, 5, "goes"], [5, 5, " to"], [13, 22, "today"]
GOES_TO = [3, 5, "goes to"]


def specification_of(assignment: Assignment) -> FormSpecification:
    return protocol_of(assignment.campaign).specification(assignment)


@pytest.fixture
def campaign(db) -> Campaign:
    return opened({"source": SOURCE, **SYSTEMS})


@pytest.fixture
def assignment(ada) -> Assignment:
    return claiming.claim_next(ada)


def opened(texts: dict[str, list[str]], roles: Roles = ROLES, **settings: object) -> Campaign:
    return factory.open_campaign(texts, roles, protocol="marking", redundancy=1, **settings)


def rows(*edits: tuple) -> str:
    names = ("start", "end", "replacement", "verdict")
    return json.dumps([dict(zip(names, edit, strict=True)) for edit in edits])


def versions(assignment: Assignment) -> dict[str, int]:
    """The place of each version on the screen, by its text."""
    return {slot.candidate.text: place for place, slot in enumerate(shown_slots(assignment), 1)}


def form(assignment: Assignment, **changed: object) -> MarkingForm:
    """The form with everything right, and the ranks 1; fields may differ, by the name of their system."""
    place, given = versions(assignment), {"key": str(uuid4())}
    edits = {"Heron": (GOES, TO), "Wren": (GOES,), "Magpie": (TODAY,)}
    for name, (text,) in SYSTEMS.items():
        given[f"verdicts_{place[text]}"] = rows(*([*edit, "right"] for edit in edits[name]))
        given[f"rank_{place[text]}"] = "1"
    for name, value in changed.items():
        field, system = name.split("_")
        given[f"{field}_{place[SYSTEMS[system][0]]}"] = value
    return MarkingForm(given, specification=specification_of(assignment))


def faults(answered: MarkingForm) -> list[str]:
    assert not answered.is_valid()
    return [message for messages in answered.errors.values() for message in messages]


class TestForm:
    def test_edits_are_proposed_by_what_differs_or_by_an_m2_file_if_they_make_the_version(self, assignment):
        wanted, place = specification_of(assignment), versions(assignment)
        proposed = {text: [list(edit[:3]) for edit in wanted.proposed[number - 1]] for text, number in place.items()}
        assert [proposed[text] for (text,) in SYSTEMS.values()] == [[GOES_TO], [GOES], [TODAY]]
        heron, number = SystemOutput.objects.filter(system__name="Heron"), place[SYSTEMS["Heron"][0]] - 1
        heron.update(edits=[[1, 2, ["goes"], "R:VERB:SVA"], [2, 2, ["to"], "M:PREP"]])
        assert [list(edit[:3]) for edit in specification_of(assignment).proposed[number]] == [GOES, [6, 6, "to "]]
        heron.update(edits=[[1, 2, ["went"], "R:OTHER"]])
        assert len(specification_of(assignment).proposed[number]) == 1

    def test_a_verdict_on_every_edit_and_a_rank_for_every_version_are_stored(self, assignment):
        answered = form(assignment, rank_Wren="2", verdicts_Magpie=rows([*TODAY, "wrong"], [3, 5, None, "missed"]))
        assert answered.is_valid(), answered.errors
        judgment = submit(assignment, **answered.submission())
        stored = {row.candidate.text: row for row in EditVerdicts.objects.select_related("candidate")}
        assert stored[SYSTEMS["Wren"][0]].rank == 2
        assert stored[SYSTEMS["Magpie"][0]].edits == [
            {"start": 3, "end": 5, "replacement": None, "verdict": "missed"},
            {"start": 13, "end": 22, "replacement": "today", "verdict": "wrong"},
        ]
        loaded = protocol_of(assignment.campaign).load(judgment, shown_slots(assignment))
        again = MarkingForm({"key": str(uuid4()), **loaded}, specification=specification_of(assignment))
        assert again.is_valid()
        assert again.answers() == answered.answers()
        assert described_answers([assignment]) == ["errors left: 1, right: 2, wrong: 1; A 1, B 1, C 2"]

    @pytest.mark.parametrize(
        ("edits", "fault"),
        [
            (rows([*TODAY, ""]), "Give every edit of version {} a verdict."),
            (rows([*TODAY, "fine"]), "Give every edit of version {} a verdict."),
            (rows(), "The edits do not make version {} of the source."),
            (rows([13, 22, "tomorrow", "right"]), "The edits do not make version {} of the source."),
            (rows([13, 99, "today", "right"]), "An edit of version {} does not fit the source."),
            (rows([*TODAY, "right"], [90, 99, None, "missed"]), "An edit of version {} does not fit the source."),
            (rows([*TODAY, "right"], [13, 15, None, "missed"]), "These edits cannot be read."),
            ("[[", "These edits cannot be read."),
            ('{"start": 1}', "These edits cannot be read."),
        ],
    )
    def test_what_is_wrong_is_said(self, assignment, edits, fault):
        place = versions(assignment)[SYSTEMS["Magpie"][0]]
        assert fault.format(letter(place)) in " ".join(faults(form(assignment, verdicts_Magpie=edits)))

    @pytest.mark.parametrize(
        "changed",
        [
            {"verdicts_Heron": rows([*GOES_TO, "right"])},  # judges may divide edits as they like
            {"verdicts_Wren": rows([*GOES, "wrong"])},  # an edit with other neighbours may have another verdict
        ],
    )
    def test_other_bounds_and_neighbours_are_fine(self, assignment, changed):
        assert form(assignment, **changed).is_valid()

    def test_a_shared_edit_has_one_verdict_and_is_asked_for_once(self, db, browser_of):
        texts = {"source": SOURCE, "A": ["He goes school today ."], "B": SYSTEMS["Wren"]}
        ben = factory.judge(opened(texts), "ben")
        assignment, home = claiming.claim_next(ben), browser_of(ben.user)
        place, given = versions(assignment), {"key": str(uuid4()), "rank_1": 1, "rank_2": 2}
        other = {
            f"verdicts_{place[texts['A'][0]]}": rows([*GOES, "right"], [*TODAY, "wrong"]),
            f"verdicts_{place[texts['B'][0]]}": rows([*GOES, "wrong"]),
        }
        answered = MarkingForm(given | other, specification=specification_of(assignment))
        assert faults(answered) == ["The same edit has another verdict in version B."]
        # The page without scripts asks once.
        page = home.get(reverse("assignment", args=[assignment.pk])).content.decode()
        assert (page.count("“go” becomes “goes”</bdi>"), page.count("“yesterday” becomes “today”</bdi>")) == (1, 1)
        chosen = {
            name: "right" if "go" in str(field.label) else "wrong"
            for name, field in MarkingForm(specification=specification_of(assignment)).fields.items()
            if name.startswith("choice")
        }
        home.post(reverse("assignment", args=[assignment.pk]), given | chosen)
        found = EditVerdicts.objects.values_list("candidate__text", "edits")
        verdicts = {text: [edit["verdict"] for edit in edits] for text, edits in found}
        assert verdicts == {texts["A"][0]: ["right", "wrong"], texts["B"][0]: ["right"]}

    def test_a_draft_keeps_edits_without_a_verdict(self, assignment):
        begun = form(assignment, verdicts_Magpie=rows([*TODAY, ""]))
        place = versions(assignment)[SYSTEMS["Magpie"][0]]
        assert begun.draft()[f"verdicts_{place}"] == rows([*TODAY, ""])
        assert begun.invalid_fields() == set()

    def test_without_ranks_none_is_asked_for(self, db):
        campaign = opened({"source": SOURCE, **SYSTEMS}, asks_for_ranks=False)
        assignment = claiming.claim_next(factory.judge(campaign, "ada"))
        assert not [name for name in form(assignment).fields if name.startswith("rank")]
        assert form(assignment).is_valid()
        submit(assignment, key=uuid4(), answers=factory.answers_for(assignment))
        assert set(EditVerdicts.objects.values_list("rank", flat=True)) == {None}
        assert list(protocol_of(campaign).merits(Judgment.objects.all())) == []


class TestVerdictsOffered:
    def test_an_organiser_may_offer_more_until_screens_are_assigned(self, db):
        more = "+ right\n- unnecessary\n- changes meaning"
        campaign = opened({"source": SOURCE, **SYSTEMS}, edit_verdicts=more)
        assignment = claiming.claim_next(factory.judge(campaign, "ada"))
        offered = [verdict.name for verdict in specification_of(assignment).verdicts]
        assert offered == ["right", "unnecessary", "changes meaning"]
        assert form(assignment, verdicts_Magpie=rows([*TODAY, "changes meaning"])).is_valid()
        with pytest.raises(Refused, match="edit_verdicts cannot be changed"):
            settings.configure(campaign, edit_verdicts="+ good\n- bad")
        with pytest.raises(Problems, match="one verdict must begin with"):
            factory.make_campaign({"source": SOURCE}, protocol="marking", edit_verdicts="+ right")


class TestTutorial:
    def test_an_example_needs_a_verdict_for_each_edit_and_they_are_compared_in_their_order(self):
        text = "> He go school yesterday .\nright: He goes school today .\n"
        campaign = Campaign(protocol="marking", tutorial=text)
        with pytest.raises(Problems, match="line 2: this version has 2 edits and 1 verdicts"):
            examples_of(campaign)
        text = "> He go school yesterday .\nright, wrong: He goes school today .\nnone: He go school yesterday .\n"
        campaign = Campaign(protocol="marking", tutorial=text)
        (example,) = examples_of(campaign)
        given = {"key": str(uuid4()), "verdicts_1": rows([*GOES, "right"], [*TODAY, "right"]), "verdicts_2": "[]"}
        answered = MarkingForm(given, specification=protocol_of(campaign).specification_of_example(campaign, example))
        assert answered.is_valid(), answered.errors
        protocol = protocol_of(campaign)
        said = "A, “yesterday” becomes “today”: you said right; we say wrong."
        assert protocol.differences(example, answered.tutorial_answers()) == [said]


class TestControls:
    @pytest.fixture
    def campaign(self, db) -> Campaign:
        texts = {"source": ["He goes to school ."], "Heron": ["He went to school ."], "worse": ["He go the school ."]}
        return opened(texts, Roles(source_takes_part=True, controls=frozenset({"worse"})), control_share=1.0)

    @pytest.mark.parametrize(("verdict", "is_right"), [("wrong", True), ("right", False)])
    def test_planted_errors_must_be_rejected(self, campaign, assignment, verdict, is_right):
        submit(assignment, key=uuid4(), answers=factory.marked(assignment, [verdict] * 9))
        (found,) = protocol_of(campaign).passed_controls(Judgment.objects.all()).values()
        assert found is is_right


class TestPrograms:
    def test_a_program_judges_edits_and_an_organiser_reads_them(self, campaign, olga):
        robin = Program(programs.enrol(campaign, "robin"))
        (claimed,) = robin.post(f"/api/campaigns/{campaign.slug}/assignments/").json()["assignments"]
        assert claimed["verdicts"] == ["right", "wrong"]
        edits = {"goes to": [GOES, TO], "goes school": [GOES], "today": [TODAY]}
        answers = []
        for candidate in claimed["candidates"]:
            of_candidate = next(found for part, found in edits.items() if part in candidate["text"])
            verdicts = json.loads(rows(*([*edit, "right"] for edit in of_candidate)))
            answers.append({"rank": candidate["place"], "verdicts": verdicts})
        address = f"{claimed['url']}judgment/"
        wrong = [*answers[:2], answers[2] | {"verdicts": []}]
        assert "answers/2/verdicts" in str(robin.post(address, {"answers": wrong}).json())
        assert robin.post(address, {"answers": answers}).status_code == 201
        read = Program(programs.token_of("olga")).get(f"/api/campaigns/{campaign.slug}/judgments/").json()["results"]
        assert [(answer["rank"], answer["edits"]) for answer in read[0]["answers"]] == [
            (answer["rank"], answer["verdicts"]) for answer in answers
        ]


class TestFiles:
    @pytest.fixture
    def judged(self, campaign, ada) -> Campaign:
        factory.judge_all(ada)
        return campaign

    def test_judgments_csv_has_a_row_for_each_edit(self, judged):
        content = b"".join(EXPORTS["judgments.csv"].blocks(judged)).decode()
        found = list(csv.DictReader(content.splitlines()))
        assert len(found) == 3
        (today,) = [row for row in found if row["systems"] == "Magpie"]
        assert [today[name] for name in ("start", "end", "original", "replacement", "verdict")] == [
            "13", "22", "yesterday", "today", "right",
        ]  # fmt: skip
        assert {row["rank"] for row in found} == {"1", "2", "3"}

    def test_it_travels_in_a_bundle_and_edits_outside_their_sentence_are_refused(self, judged):
        bundle = b"".join(EXPORTS["campaign.zip"].blocks(judged))
        copy = import_campaign("campaign.zip", io.BytesIO(bundle), slug="copy").campaign
        of_copy = EditVerdicts.objects.filter(judgment__assignment__campaign=copy)
        assert of_copy.count() == 3
        assert (copy.edit_verdicts, copy.asks_for_ranks) == ("", True)
        row = EditVerdicts.objects.filter(judgment__assignment__campaign=judged).first()
        row.edits = [{"start": 90, "end": 95, "replacement": "x", "verdict": "right"}]
        row.save()
        with pytest.raises(Problems, match="has an edit that does not lie in its sentence"):
            import_campaign(
                "campaign.zip", io.BytesIO(b"".join(EXPORTS["campaign.zip"].blocks(judged))), slug="another"
            )
