"""Campaigns of a protocol without a kind of report: a sentence on the page, in the API and from the command."""

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from judgments.models import Campaign
from judgments.protocols import protocol_of
from ranking.models import Report
from tests import factory

NO_REPORT = "There is no report for campaigns of this protocol yet."


@pytest.fixture
def judged(campaign, ada, monkeypatch) -> Campaign:
    factory.answer_all(ada)
    monkeypatch.setattr(protocol_of(campaign), "report_kinds", ("songs",))
    return campaign


@pytest.fixture
def client(judged, olga, browser_of, no_worker):
    return browser_of(olga)


def test_the_page_and_the_api_say_so_and_make_none(client, judged):
    page = client.get(reverse("report_list", args=[judged.slug]))
    assert page.status_code == 200
    assert NO_REPORT in page.content.decode()
    assert reverse("new_report", args=[judged.slug]) not in page.content.decode()
    page = client.post(reverse("new_report", args=[judged.slug]), {"preset": "recommended"})
    assert NO_REPORT in page.content.decode()
    assert not Report.objects.exists()
    answer = client.post(reverse("api_reports", args=[judged.slug]), {}, content_type="application/json")
    assert answer.status_code == 409
    assert NO_REPORT in answer.content.decode()


def test_the_board_shows_no_ranking_and_the_command_says_so(client, judged):
    page = client.get(reverse("board", args=[judged.slug])).content.decode()
    assert "The ranking so far" not in page
    with pytest.raises(CommandError, match=NO_REPORT):
        call_command("build_report", judged.slug)
