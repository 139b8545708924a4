"""Campaigns whose reports rank no systems, and what all their reports have in common."""

import io
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.test import Client, override_settings
from django.urls import reverse
from django.utils.html import escape

from judgments.jobs.attempts import run_now
from judgments.models import Campaign, Job
from ranking.models import Report
from ranking.reports import building, downloads
from ranking.reports.kinds.kind import KINDS, answer_of, kind_named, kind_of, parameters_of
from tests.judgments.exchange.corrections import bring, correction_campaign
from tests.judgments.jobs.running import run_job
from tests.ranking.reports.test_bundles import run, unpacked
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


def is_made_shown_and_made_again(
    client: Client, campaign: Campaign, wanted: dict[str, str], parameters: Any, charts: set[str], files: set[str],
    folder: Path, kind: str = "",
) -> None:  # fmt: skip
    """An organiser requests a report by its form, and one message has it made, however many workers there are; its page
    shows every chart, Overview and the list say what it answers, its ZIP has the files, and its bundle makes every
    number again.
    """
    address = client.post(reverse("new_report", args=[campaign.slug]) + kind, wanted).url
    report = Report.objects.get()
    assert parameters_of(report) == parameters
    with override_settings(REPORT_WORKERS=3):
        run_job("report", report.pk)
    report.refresh_from_db()
    assert (report.state, report.error) == (Job.State.DONE, "")
    assert not building.is_stale(report)
    page = client.get(address).content.decode()
    drawn = kind_of(report).charts_of(downloads.tables_of(report))
    assert charts <= drawn.keys()
    assert [name for name, chart in drawn.items() if page.count(chart.svg) != 1] == []
    answer = answer_of(report, downloads.tables_of(report))
    for there in ("organise", "report_list"):
        assert escape(answer.sentence) in client.get(reverse(there, args=[campaign.slug])).content.decode()
    archive = client.get(reverse("report_zip", args=[report.pk])).content
    assert files <= set(zipfile.ZipFile(io.BytesIO(archive)).namelist())
    said = run(unpacked(report, folder))
    assert said == f"All {len(list((folder / 'report').iterdir()))} files are the same, byte for byte.\n"
