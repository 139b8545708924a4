"""Pilots: the first screens, which count or do not, and what they showed."""

import pytest
from django.urls import reverse

from judgments.assignment import planning
from judgments.campaigns import settings
from judgments.models import Campaign, Screen
from judgments.rules.errors import Refused
from ranking.power.pilot import findings
from ranking.power.predicting import judgments_made
from ranking.reports import building
from ranking.reports.ballots import collect
from ranking.reports.rows import counted_now
from tests import factory


def piloted(pilot: str) -> Campaign:
    """Two judges have judged the pilot and one of them the other screens."""
    campaign = factory.make_campaign(repeat_share=0.0, control_share=0.0)
    planning.launch(campaign, {"redundancy": 2, "batch_size": 10, "pilot": pilot})
    ada, ben = factory.judge(campaign, "ada"), factory.judge(campaign, "ben")
    factory.answer_all(ada)
    factory.answer_all(ben)
    campaign.refresh_from_db()
    return campaign


@pytest.fixture(params=["counts", "apart"])
def campaign(db, request) -> Campaign:
    return piloted(request.param)


@pytest.mark.postgresql
def test_a_pilot_says_what_it_showed_and_counts_only_if_that_was_fixed_before(campaign, client):
    found = " ".join(findings(campaign))
    shown = Screen.objects.filter(campaign=campaign).count()
    assert f"{2 * shown} of {2 * shown} assignments of the pilot are judged, by 2 judges" in found
    assert ("do not count" in found) == (campaign.pilot == "apart")
    assert "Two judges who both preferred one of two versions agreed in" in found
    assert "Judges skipped 0 screens" in found
    client.force_login(factory.organiser(campaign, "olga"))
    assert "What the pilot showed" in client.get(reverse("power", args=[campaign.slug])).content.decode()
    report = building.create_report(campaign)
    assert report.judgments == 0, "it is not made yet"
    judged = len(collect(campaign, with_pilot=True).ballots)
    assert campaign.pilot_batches == 1
    assert judgments_made(campaign) == judged > 0
    counted = judged if campaign.pilot == "counts" else 0
    assert counted_now(campaign) == len(collect(campaign).ballots) == counted
    with pytest.raises(Refused, match="pilot"):
        settings.configure(campaign, pilot="counts" if campaign.pilot == "apart" else "apart")


def test_there_is_nothing_to_say_without_a_pilot(db):
    assert findings(piloted("")) == []
