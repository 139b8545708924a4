"""What reports that rank no systems share: choices they refuse, and a board that leads to them."""

import pytest
from django.urls import reverse

from judgments.jobs.attempts import run_now
from judgments.models import Membership, System
from ranking.models import Report
from ranking.reports import building, downloads
from tests import factory


@pytest.mark.parametrize(
    ("kind", "chosen", "message"),
    [
        ("corrections", {"preset": "madnani2011"}, "Select a valid choice"),
        ("corrections", {"beta": "0"}, "Beta must lie between"),
        ("corrections", {"least_share": "2"}, "at most 1"),
        ("corrections", {"unit": "judge"}, "Select a valid choice"),
        ("verdicts", {"preset": "grundkiewicz2015"}, "Select a valid choice"),
        ("verdicts", {"cuts": "low, high"}, "Write numbers separated by commas"),
        ("verdicts", {"cuts": "0.9, 0.5"}, "must rise"),
        ("verdicts", {"experts": "some"}, "Select a valid choice"),
    ],
)
def test_impossible_choices_are_refused_with_a_message(request, browser_of, kind, chosen, message):
    campaign = request.getfixturevalue(kind)
    client = browser_of(factory.organiser(campaign, "olga"))
    assert message in client.post(reverse("new_report", args=[campaign.slug]), chosen).content.decode()
    assert not Report.objects.exists()


@pytest.mark.wide
@pytest.mark.parametrize(("kind", "file"), [("corrections", "edits_by_judge.csv"), ("verdicts", "verdict_judges.csv")])
def test_names_of_strangers_are_only_text(request, browser_of, kind, file):
    campaign = request.getfixturevalue(kind)
    Membership.objects.filter(pseudonym="ada").update(pseudonym="=<script>x</script>")
    System.objects.filter(pk=campaign.system_set.first().pk).update(name="<script>x</script>")
    report = building.request_report(campaign)
    run_now(report)
    page = browser_of(factory.organiser(campaign, "olga")).get(reverse("report", args=[report.pk])).content.decode()
    assert "<script>x" not in page
    assert "'=<script>" in downloads.report_file(report, file), "a spreadsheet would run it"


@pytest.mark.parametrize("kind", ["corrections", "verdicts"])
def test_the_board_leads_to_reports(request, browser_of, kind):
    campaign = request.getfixturevalue(kind)
    client = browser_of(factory.organiser(campaign, "olga"))
    board = client.get(reverse("board", args=[campaign.slug])).content.decode()
    assert "The ranking so far" not in board
    assert "to see the judges' findings so far" in board
