"""Campaigns whose reports rank no systems."""

from typing import Any

import pytest

from judgments.jobs.attempts import run_now
from judgments.models import Campaign
from ranking.models import Report
from ranking.reports import building
from tests.judgments.exchange.corrections import bring, correction_campaign
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


def made(campaign: Campaign, parameters: Any) -> Report:
    report = building.request_report(campaign, parameters=parameters)
    run_now(report)
    report.refresh_from_db()
    assert report.error == ""
    return report
