"""The pages from a number to its sentences."""

import re

import pytest
from django.urls import reverse

from judgments.jobs.attempts import run_now
from judgments.judges import exclusion
from judgments.models import Campaign, Membership
from judgments.privacy import erasure
from ranking.models import Report
from ranking.reports import building
from ranking.scores.stored import add_metrics
from ranking.web import sentences
from tests import factory
from tests.ranking.reports.test_reports import made

PAGES = ("report_pairs", "report_judges", "report_metrics")
HERON_AND_WREN = {"system": "Heron", "opponent": "Wren"}


@pytest.fixture(scope="module")
def made_once(lasting) -> int:
    with lasting():
        campaign = factory.open_campaign()
        add_metrics(campaign, "bleu.csv", factory.SENTENCE_SCORES.encode())
        for name in ("ada", "ben"):
            factory.answer_all(factory.judge(campaign, name))
        return made(campaign).pk


@pytest.fixture
def report(made_once, db) -> Report:
    return Report.objects.get(pk=made_once)


@pytest.fixture
def campaign(report) -> Campaign:
    return report.campaign


@pytest.fixture
def ada(campaign) -> Membership:
    return campaign.membership_set.get(pseudonym="ada")


@pytest.fixture
def client(olga, browser_of):
    return browser_of(olga)


def page(client, report: Report, name: str, **chosen: str) -> str:
    answer = client.get(reverse(name, args=[report.pk]), chosen)
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def test_a_pair_leads_to_its_sentences_and_to_its_judges(report, client, monkeypatch):
    shown = page(client, report, "report_pairs", **HERON_AND_WREN)
    assert "Heron against Wren" in shown
    assert "The judgments do not separate" in shown
    assert "1 to 3 of 3 sentences" in shown, "on two of the five both are the same"
    assert "<dt>ties of equal outputs, not listed</dt><dd>4</dd>" in shown
    assert "<del>go</del><ins>goes</ins>" in shown
    assert f'<a href="{reverse("report_judges", args=[report.pk])}?judge=ada">ada</a>' in shown
    monkeypatch.setattr(sentences, "A_PAGE", 2)
    first = page(client, report, "report_pairs", **HERON_AND_WREN)
    assert "1 to 2 of 3 sentences" in first
    assert "sort=disagreement&amp;show=all&amp;page=2" in first
    assert "3 to 3 of 3 sentences" in page(client, report, "report_pairs", **HERON_AND_WREN, page="2")


def test_a_file_follows_the_choices_of_the_page(report, client):
    address = reverse("report_pairs", args=[report.pk])
    shown = page(client, report, "report_pairs", **HERON_AND_WREN, sort="longest")
    assert "?system=Heron&amp;opponent=Wren&amp;sort=longest&amp;show=all&amp;format=csv" in shown
    answer = client.get(address, HERON_AND_WREN | {"sort": "longest", "format": "csv"})
    name = f"{report.campaign.slug}-report-{report.pk}-pairs.csv"
    assert answer["Content-Disposition"] == f'attachment; filename="{name}"'
    lines = b"".join(answer.streaming_content).decode().splitlines()
    assert lines[0].startswith("segment,document,source,system,output")
    assert len(lines) == 1 + 2 * 3


@pytest.mark.postgresql
def test_a_judge_and_a_metric_have_pages_too(report, client):
    shown = page(client, report, "report_judges", judge="ben", sort="newest")
    assert "Judgments of ben" in shown
    assert "1 to 5 of 5 judgments" in shown
    assert "from the mean of the others" in shown
    shown = page(client, report, "report_metrics", system="Magpie")
    assert "bleu against people" in shown
    assert "1 to 5 of 5 outputs" in shown


@pytest.mark.parametrize(
    ("name", "chosen", "words"),
    [
        ("report_pairs", {"system": "Heron", "opponent": "Heron"}, "Choose two different systems."),
        ("report_pairs", {"system": "Osprey"}, "Osprey is not in this list now; choose from the list."),
        ("report_judges", {"judge": "zoe"}, "zoe is not in this list now; choose from the list."),
        ("report_metrics", {"sort": "beauty"}, "beauty is not in this list now; choose from the list."),
    ],
)
def test_what_is_not_there_is_named(report, client, name, chosen, words):
    assert words in page(client, report, name, **chosen)


@pytest.mark.postgresql
@pytest.mark.parametrize("name", PAGES)
def test_a_report_that_is_not_finished_or_compares_nothing_has_no_sentences(name, campaign, client, olga, no_worker):
    assert "The report is not finished." in page(client, building.request_report(campaign), name)
    verdicts = factory.open_verdicts()
    Membership.objects.create(campaign=verdicts, user=olga, role=Membership.Role.ORGANISER, pseudonym="olga")
    report = building.request_report(verdicts)
    run_now(report)
    assert "Nothing is compared in reports of this kind" in page(client, report, name)


@pytest.mark.postgresql
def test_a_metric_page_says_how_to_get_scores_that_are_not_there(report, client, campaign):
    add_metrics(campaign, "m2.txt", b"source .1\nWren .4\nHeron .3\nMagpie .5\n")
    shown = page(client, report, "report_metrics", metric="m2")
    assert "m2 has scores of systems only." in shown
    assert f"score_outputs {campaign.slug}" in shown
    campaign.metric_set.all().delete()
    shown = page(client, made(campaign), "report_metrics")
    assert "No metric has scored the outputs of this campaign yet." in shown


@pytest.mark.postgresql
def test_a_page_says_that_judgments_changed_since_and_an_erased_judge_breaks_none(report, client, ada):
    assert "answers are those that count today" not in page(client, report, "report_pairs")
    exclusion.exclude(ada, "in a hurry")
    for name in PAGES:
        assert "answers are those that count today" in page(client, report, name)
    assert "ada is excluded, so these judgments do not count now." in page(client, report, "report_judges", judge="ada")
    erasure.forget_judge(ada, "ada")
    for name in PAGES:
        # As a word: a random token may contain the same letters.
        assert not re.search(r"\bada\b", page(client, report, name))
    assert "Judgments of forgotten-1" in page(client, report, "report_judges", judge="forgotten-1")
