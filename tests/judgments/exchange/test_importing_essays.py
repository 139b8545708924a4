"""Ratings of whole texts that others collected: matched by id, stored once, with or without the texts."""

import pytest

from judgments.exchange.importers.importing import import_judgments
from judgments.exchange.importers.joining import ImportedJudgments
from judgments.exchange.importers.rules.recorded import ImportOptions
from judgments.jobs.attempts import run_now
from judgments.models import Campaign, Document, EssayRating, Judgment, Segment, System
from judgments.rules.errors import Refused
from judgments.rules.files.problems import Problems
from judgments.rules.files.text_files import UploadedFile
from ranking.models import Report
from ranking.reports import building
from tests import factory
from tests.shared_data import shared

HEADER = "essay,system,annotator,scale,value\n"
ROWS = (
    "e1,Heron,ada,Grammaticality,4\ne1,Heron,ada,Fluency,Other\ne1,Wren,ada,Grammaticality,2\n"
    "e2,Heron,ada,Grammaticality,Other\ne2,Wren,ada,Grammaticality,3\ne1,Heron,ben,Fluency,1\n"
)


def imported(campaign: Campaign, rows: str = ROWS, **options) -> ImportedJudgments:
    return import_judgments(
        campaign, UploadedFile("ratings.csv", (HEADER + rows).encode()), ImportOptions("essay-ratings-csv", **options)
    )


def stored(campaign: Campaign) -> list[tuple]:
    rows = EssayRating.objects.filter(judgment__assignment__campaign=campaign).order_by("pk")
    return [(one.judgment.assignment.judge.pseudonym, one.scores, one.reasons, one.score) for one in rows]


def test_what_an_annotator_says_of_a_text_is_one_judgment_and_other_is_missing_with_its_reason(db):
    campaign = factory.make_essays()
    found = imported(campaign)
    assert (found.added, found.skipped, found.subjects, found.details) == (4, 1, 2, 4)
    assert stored(campaign) == [
        ("ada", {"Grammaticality": 4, "Fluency": None}, {"Fluency": "Other"}, 100),
        ("ada", {"Grammaticality": 2}, {}, pytest.approx(100 / 3)),
        ("ada", {"Grammaticality": 3}, {}, pytest.approx(200 / 3)),
        ("ben", {"Fluency": 1}, {}, 0),
    ]
    assert Judgment.objects.get(skipped=True).skip_reason == "Heron: Grammaticality: Other"
    assert imported(campaign).added == 0


def test_systems_with_the_same_text_are_rated_apart_and_what_a_campaign_lacks_is_named(db):
    texts = {name: {"e1": "It rains."} for name in ("source", "Heron", "Wren")}
    campaign = factory.make_essays(texts)
    imported(campaign, "e1,Heron,ada,Fluency,4\ne1,Wren,ada,Fluency,1\n")
    assert [said["Fluency"] for _, said, _, _ in stored(campaign)] == [4, 1]
    assert Judgment.objects.count() == 2
    campaign = factory.make_essays()
    with pytest.raises(Problems, match="line 2: names the text 'e9', which the campaign does not have"):
        imported(campaign, "e9,Heron,ada,Fluency,1\n")
    with pytest.raises(Problems, match="line 2: names the system Plover, which the campaign does not have"):
        imported(campaign, "e1,Plover,ada,Fluency,1\n")


def test_a_campaign_can_know_its_texts_by_their_names_alone(db):
    campaign = factory.campaign_settings.configure(Campaign(slug="bare", name="Bare"), protocol="essays")
    with pytest.raises(Refused, match="has no texts yet"):
        imported(campaign)
    imported(campaign, without_texts=True)
    assert list(Document.objects.values_list("name", flat=True)) == ["e1", "e2"]
    imported(campaign, "e3,Wren,ada,Fluency,2\n", without_texts=True)
    assert list(Segment.objects.values_list("document__name", "position")) == [("e1", 0), ("e2", 1), ("e3", 2)]
    assert len(stored(campaign)) == 5


@pytest.mark.wide
def test_the_ratings_of_multigec_have_the_known_means(db):
    campaign = factory.campaign_settings.configure(
        Campaign(slug="swe", name="Swedish"), **factory.campaign_settings.preset("multigec2025")
    )
    file = UploadedFile("swe_eval", shared("data/multigec-ratings/swe_eval").read_bytes())
    found = import_judgments(campaign, file, ImportOptions("multigec-ratings", without_texts=True))
    assert [note.split(" names ")[0] for note in found.notes] == ["swe_eval: line 109", "swe_eval: line 167"]
    for name, means in {"REFERENCE": (3.78, 3.38), "UAM-CSI-FLU": (3.28, 3.08), "RUMCULL-MIN": (2.02, 2.27)}.items():
        rows = EssayRating.objects.filter(candidate__systemoutput__system__name=name)
        for scale, mean in zip(("Grammaticality", "Fluency"), means, strict=True):
            numbers = [one.scores[scale] for one in rows]
            assert sum(numbers) / len(numbers) == pytest.approx(mean, abs=0.006)
    assert System.objects.filter(campaign=campaign).count() == 7
    report = building.request_report(campaign, preset="recommended")
    run_now(report)
    report.refresh_from_db()
    assert report.state == Report.State.DONE, report.error
