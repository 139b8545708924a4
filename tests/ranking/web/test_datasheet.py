"""The page of a datasheet: what is known as text, a form for the rest, files; answers travel with the campaign."""

import json

import pytest
from django.urls import reverse

from judgments.models import JournalEntry
from judgments.rules.datasheet.sheet import QUESTIONS
from judgments.rules.files.problems import Problems
from ranking.models import Publication, Report
from ranking.reports import building
from tests import factory
from tests.judgments.archive.test_bundles import bundle, packed, restored, unpacked
from tests.judgments.web.test_hostile_texts import HOSTILE, SCRIPT, harm
from tests.judgments.web.test_new_campaign import fields_of

ANSWERS = {
    "words_1.1.2": "Table 3",
    "chosen_3.3.6": ["before", "feedback"],
    "words_3.3.6": "By mail.",
    "chosen_3.3.7": "own",
    "words_4.2.3": "A remark.",
}
STORED = {
    "1.1.2": {"words": "Table 3"},
    "3.3.6": {"words": "By mail.", "chosen": ["before", "feedback"]},
    "3.3.7": {"chosen": ["own"]},
    "4.2.3": {"words": "A remark."},
}


@pytest.fixture
def client(olga, browser_of):
    return browser_of(olga)


def address(campaign) -> str:
    return reverse("datasheet", args=[campaign.slug])


def page(client, campaign) -> str:
    return " ".join(client.get(address(campaign)).content.decode().split())


def file(client, campaign, kind: str) -> str:
    return client.get(reverse("datasheet_file", args=[campaign.slug, kind])).content.decode()


@pytest.mark.wide
def test_answers_are_saved_counted_and_shown_again(client, campaign):
    assert "17 of 67 questions are answered." in page(client, campaign)
    answer = client.post(address(campaign), ANSWERS, follow=True)
    assert "The datasheet is saved." in answer.content.decode()
    campaign.refresh_from_db()
    assert campaign.datasheet == STORED
    assert JournalEntry.objects.first().what == "changed datasheet"
    shown = page(client, campaign)
    assert "20 of 67 questions are answered." in shown
    assert "By mail.</textarea>" in shown
    assert '<input type="radio" name="chosen_3.3.7" value="own" id="id_chosen_3.3.7_1" checked>' in shown
    missing = shown.split('<ul class="unanswered"')[1].split("</ul>")[0]
    assert '<a href="#q1.2">1.2 Resources</a>' in missing
    assert "#q1.1.2" not in missing
    assert '<fieldset class="question" id="q1.2">' in shown
    assert "<details> <summary><h2>Mode of evaluation</h2> complete</summary>" in shown
    assert "<details open> <summary><h2>Paper and resources</h2> 8 missing</summary>" in shown


def test_the_other_edition_has_its_numbers_and_the_same_answers(client, campaign):
    older = f"{address(campaign)}?edition=2.0"
    assert client.post(older, ANSWERS)["Location"] == older
    campaign.refresh_from_db()
    assert campaign.datasheet == STORED
    shown = " ".join(client.get(older).content.decode().split())
    assert "of 50 questions are answered." in shown
    assert "<legend>1.1 The experiment</legend>" in shown
    assert 'datasheet.json?edition=2.0">Download as JSON</a>' in shown
    assert '<option value="2.0" selected>HEDS 2.0</option>' in shown
    assert "Table 3" in shown
    assert client.get(address(campaign), {"edition": "1.0"}).status_code == 404


def test_answers_to_questions_that_are_no_longer_asked_go_when_others_are_saved(client, campaign):
    campaign.datasheet = {"1.3": {"words": "Olga"}}
    campaign.save()
    client.post(address(campaign), ANSWERS)
    campaign.refresh_from_db()
    assert campaign.datasheet == STORED


def test_what_another_organiser_answered_meanwhile_stays(client, campaign):
    shown = fields_of(client.get(address(campaign)).context["form"])
    shown = {name: value for name, value in shown.items() if value or "chosen" not in name}
    client.post(address(campaign), ANSWERS)
    client.post(address(campaign), shown | {"words_1.3.1.1": "Olga"})
    campaign.refresh_from_db()
    assert campaign.datasheet == STORED | {"1.3.1.1": {"words": "Olga"}}
    refused = client.post(address(campaign), shown | {"chosen_3.3.6": ["during"], "words_1.1.2": "Ours."})
    said = " ".join(refused.content.decode().split())
    assert "keep theirs, which is: Table 3" in said
    assert said.count("keep theirs") == 2
    campaign.refresh_from_db()
    assert "Ours." not in str(campaign.datasheet)


def test_a_known_answer_has_its_origin_and_every_field_a_name(client, campaign):
    shown = page(client, campaign).split('id="q4.2.3"')[1].split("</fieldset>")[0]
    assert "<p>intrinsic: the output itself</p>" in shown
    assert "From the protocol." in shown
    assert 'aria-label="Remark on 4.2.3 Intrinsic or extrinsic"' in shown
    assert "chosen_4.2.3" not in shown
    client.post(address(campaign), {"chosen_4.2.3": "extrinsic"})
    campaign.refresh_from_db()
    assert campaign.datasheet == {}
    shown = page(client, campaign)
    assert shown.count("<textarea") == shown.count('aria-label="') - shown.count("<nav") == len(QUESTIONS)
    for number in ("1.1.2", "3.3.6"):
        assert f'aria-describedby="id_words_{number}_helptext"' in shown
        assert f'id="id_words_{number}_helptext"' in shown


@pytest.mark.parametrize(("wrong", "reason"), [
    ({"chosen_3.3.7": "moon"}, "Select a valid choice"),
    ({"chosen_3.3.6": ["moon"]}, "Select a valid choice"),
    ({"words_1.1.2": "x" * 5001}, "at most 5000 characters"),
])  # fmt: skip
def test_a_wrong_answer_is_named_and_nothing_is_saved(client, campaign, wrong, reason):
    shown = client.post(address(campaign), ANSWERS | wrong).content.decode()
    assert reason in shown
    assert "Nothing is saved yet" in shown
    campaign.refresh_from_db()
    assert campaign.datasheet == {}


def test_files_hold_known_and_own_answers(client, campaign):
    client.post(address(campaign), ANSWERS)
    markdown = file(client, campaign, "md")
    assert "> Table 3" in markdown
    assert "From the protocol:\n\n> - intrinsic: the output itself\n\nFrom the organiser:\n\n> A remark." in markdown
    written = json.loads(file(client, campaign, "json"))
    assert (written["questions"], len(written["missing"])) == (67, 47)
    form = json.loads(file(client, campaign, "heds.json"))
    assert form["heds-paper_and_resources-paper-experiment_identification"]["data"] == {"": "Table 3"}
    assert client.get(reverse("datasheet_file", args=[campaign.slug, "pdf"])).status_code == 404


def finished(campaign, *presets: str) -> list[Report]:
    """Reports without tables, the oldest first."""
    reports = [building.request_report(campaign, preset=preset) for preset in presets]
    Report.objects.update(state=Report.State.DONE)
    return reports


def sources(client, campaign, given: dict | None = None) -> tuple[dict, str, str]:
    """The report of which both files and the page speak."""
    written, markdown = (
        client.get(reverse("datasheet_file", args=[campaign.slug, kind]), given).content.decode()
        for kind in ("json", "md")
    )
    shown = client.get(address(campaign), given).content.decode()
    return json.loads(written)["report"], markdown.splitlines()[2], shown


@pytest.mark.wide
def test_results_are_those_of_the_newest_published_report_else_of_the_newest(client, campaign):
    assert "No report is finished yet." in page(client, campaign)
    assert json.loads(file(client, campaign, "json"))["report"] is None
    first, second, third = finished(campaign, "grundkiewicz2015", "recommended", "napoles2019")
    building.request_report(campaign)
    for published, expected in ((None, third), (first, first), (second, second)):
        if published:
            Publication.objects.create(report=published, content=b"")
        number, line, shown = sources(client, campaign)
        assert number == {"number": expected.pk, "name": expected.name}
        assert line.endswith(f"Results are those of {expected.name}.")
        assert f'Results are those of <a href="/reports/{expected.pk}/">{expected.name}</a>.' in shown
        assert f"datasheet.md?report={expected.pk}" in shown


@pytest.mark.postgresql
def test_the_organiser_chooses_another_report_and_keeps_it_when_saving(client, campaign):
    first, second = finished(campaign, "grundkiewicz2015", "recommended")
    number, line, shown = sources(client, campaign, {"report": first.pk})
    assert number["number"] == first.pk
    assert line.endswith(f"{first.name}.")
    assert f'<option value="{first.pk}" selected>{first.name}</option>' in shown
    assert f'<option value="{second.pk}">{second.name}</option>' in shown
    answer = client.post(f"{address(campaign)}?report={first.pk}", ANSWERS)
    assert answer["Location"] == f"{address(campaign)}?report={first.pk}"
    for number in ("999999", "moon"):
        assert client.get(address(campaign), {"report": number}).status_code == 404


@pytest.mark.wide
def test_words_of_others_run_nowhere(client, campaign):
    client.post(address(campaign), {f"words_{number}": HOSTILE for number in QUESTIONS})
    shown = client.get(address(campaign)).content.decode()
    assert not harm(shown)
    assert shown.count("&lt;script&gt;alert(1)") == 2 * len(QUESTIONS), "in fields, and once more as what they showed"
    assert SCRIPT not in file(client, campaign, "md")
    assert r"\<script\>alert(1)\</script\>" in file(client, campaign, "md")


@pytest.mark.parametrize(("stored", "reason"), [
    ([1], "is no JSON object"), ({"1.1.2": {"words": 1}}, "1.1.2 needs a text"), ({"0": {}}, "no such question"),
])  # fmt: skip
def test_a_bundle_with_impossible_answers_is_refused(campaign, stored, reason):
    with pytest.raises(Problems, match=reason):
        restored(with_datasheet(campaign, stored), slug="copy")


@pytest.mark.parametrize("empty", [[], ""])
def test_a_bundle_with_another_empty_value_has_no_answers(client, campaign, olga, empty):
    copy = restored(with_datasheet(campaign, empty), slug="copy", organiser=olga.username).campaign
    assert "of 67 questions are answered" in page(client, copy)
    client.post(address(copy), ANSWERS)
    copy.refresh_from_db()
    assert copy.datasheet == STORED


def with_datasheet(campaign, stored: object) -> bytes:
    files = unpacked(bundle(campaign))
    settings = json.loads(files["campaign.json"]) | {"datasheet": stored}
    return packed(files | {"campaign.json": json.dumps(settings) + "\n"})


def test_the_reports_page_leads_to_it_and_answers_are_saved_in_a_closed_campaign_and_travel_in_a_bundle(
    client, campaign
):
    assert f'href="{address(campaign)}"' in client.get(reverse("report_list", args=[campaign.slug])).content.decode()
    factory.states.close_campaign(campaign)
    client.post(address(campaign), ANSWERS)
    campaign.refresh_from_db()
    assert campaign.datasheet == STORED
    assert restored(bundle(campaign), slug="copy").campaign.datasheet == STORED
