"""Campaigns whose reports rank no systems, and what all their reports have in common."""

import io
import zipfile
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from judgments.jobs.attempts import run_now
from judgments.models import Campaign, Job
from ranking.models import Report
from ranking.reports import building, downloads
from ranking.reports.kinds.kind import KINDS, kind_named, kind_of, parameters_of
from tests.judgments.exchange.corrections import bring, correction_campaign
from tests.judgments.jobs.running import run_job
from tests.ranking.verdict_campaign import verdict_campaign

HERON = ["He goes to school .", "She has  a cat", "I like tea .", "Fine ."]


@pytest.fixture
def corrections(db):
    campaign = correction_campaign(Heron=HERON)
    bring(campaign)
    return campaign


@pytest.fixture
def verdicts(db):
    return verdict_campaign()


def study_of(parameters: Any) -> str:
    return next(kind.name for kind in map(kind_named, KINDS) if type(parameters) is kind.parameters)


def made(campaign: Campaign, parameters: Any) -> Report:
    report = building.request_report(campaign, parameters=parameters, study=study_of(parameters))
    run_now(report)
    report.refresh_from_db()
    assert report.error == ""
    return report


def is_made_by_one_worker(campaign: Campaign, parameters: Any) -> bool:
    """Whether a report is done after one message, however many workers there are."""
    report = building.request_report(campaign, parameters=parameters, study=study_of(parameters))
    run_job("report", report.pk)
    report.refresh_from_db()
    return report.state == Job.State.DONE


def page_shows(
    client: Client, campaign: Campaign, wanted: dict[str, str], parameters: Any, charts: set[str], files: set[str],
    kind: str = "",
) -> None:  # fmt: skip
    """An organiser requests a report by its form, and finds every chart on its page and the files in its ZIP."""
    address = client.post(reverse("new_report", args=[campaign.slug]) + kind, wanted).url
    report = Report.objects.get()
    assert parameters_of(report) == parameters
    run_now(report)
    page = client.get(address).content.decode()
    drawn = kind_of(report).charts_of(downloads.tables_of(report))
    assert charts <= drawn.keys()
    assert [name for name, chart in drawn.items() if page.count(chart.svg) != 1] == []
    archive = client.get(reverse("report_zip", args=[report.pk])).content
    assert files <= set(zipfile.ZipFile(io.BytesIO(archive)).namelist())
