"""Predictions of what the screens of a plan would resolve, as jobs, pages and files."""

from dataclasses import asdict
from itertools import islice

import numpy as np
import pytest
from django.test import Client
from django.urls import reverse

from judgments.assignment.rules.assigning import PlannedAssignment, PlannedBatch, PlannedScreen
from judgments.jobs.attempts import run_now
from judgments.models import Campaign
from judgments.rules.errors import Refused
from ranking.models import Prediction
from ranking.power import predicting
from ranking.power.predicting import Wanted, assumptions_of, blank_ballots, predict
from ranking.reports.ballots import Collected, collect
from ranking.stats.comparisons.study import Names
from ranking.stats.power.worlds import Assumptions
from tests import factory
from tests.ranking.stats.power.screens import blank_screens


def test_rounds_go_to_judges_who_work_at_the_same_time_and_repeats_and_controls_are_left_out():
    frame = blank_screens(4, 2, shown=4, shared=0.0)
    found = Collected(
        frame, Names((), ()), segments=(70, 72), candidates=tuple(range(10, 18)), weights=np.empty(0), newest=0
    )
    # Candidate 9 is a control, which no report compares.
    screens = [PlannedScreen(70, "", (10, 11)), PlannedScreen(70, "", (13, 9)), PlannedScreen(72, "", (15, 16, 9))]
    assignments = [
        PlannedAssignment(screen, round_, position, order, repeats)
        for round_ in (0, 1)
        for position, (screen, order, repeats) in enumerate(
            [(0, (1, 0), None), (1, (0, 1), None), (2, (2, 0, 1), None), (0, (0, 1), 0)]
        )
    ]
    blank = blank_ballots([PlannedBatch("", screens, assignments)], found, judges=2)[0]
    assert (blank.systems, blank.judges, blank.segments) == (4, 2, 2)
    assert blank.judge.tolist() == [0, 1, 0, 1]
    assert blank.segment.tolist() == [0, 0, 1, 1]
    assert blank.candidate.tolist() == [1, 0, 1, 0, 5, 6, 5, 6]
    alone = blank_ballots([PlannedBatch("", screens, assignments)], found, judges=1)[0]
    assert alone.segment.tolist() == [0, 1, 0, 1], "a judge alone goes through one round after the other"


def test_impossible_assumptions_are_refused():
    with pytest.raises(Refused, match="contradict"):
        assumptions_of(Campaign(), {"spread": 0.25, "ties": 0.1, "agreement": 0.55})
    with pytest.raises(Refused, match="must lie between"):
        assumptions_of(Campaign(), {"spread": 2, "ties": 0.1, "agreement": 0.8})


@pytest.mark.long
@pytest.mark.django_db
def test_a_pilot_begins_the_curves_and_its_judgments_count():
    campaign = factory.open_campaign(batch_size=10, redundancy=4, repeat_share=0.0, control_share=0.0)
    for name in ("ada", "ben", "cleo", "dan"):
        factory.answer_all(factory.judge(campaign, name))
    judged = len(collect(campaign).ballots)
    few = Wanted({"redundancy": 1, "design": "sampled"}, 4, None, campaigns=2)
    with pytest.raises(Refused, match="A pilot needs 60 judgments"):
        predict(campaign, few)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ranking.power.predicting.FEWEST_IN_PILOT", 1)
        table = predict(campaign, few)
    assert table.dicts()[0]["judgments"] == judged
    assert table.dicts()[-1]["judgments"] == judged + 4
    assert table.dicts()[0]["hours"] == 0


@pytest.fixture
def organised(db, browser_of) -> tuple[Campaign, Client]:
    campaign = factory.make_campaign(repeat_share=0.0, control_share=0.0)
    return campaign, browser_of(factory.organiser(campaign, "olga"))


@pytest.mark.wide
def test_an_organiser_predicts_reads_and_downloads(organised):
    campaign, browser = organised
    page = reverse("power", args=[campaign.slug])
    form = browser.get(page, {"screens": 6}).context["form"]
    given = {name: form[name].value() for name in form.fields} | {"campaigns": 2, "redundancy": 2}
    wrong = browser.post(page, given | {"agreement": 0.55, "spread": 0.25})
    assert b"These assumptions contradict each other" in wrong.content
    assert browser.post(page, given).status_code == 302
    run_now(Prediction.objects.get())
    job = Prediction.objects.get()
    assert (job.state, job.simulated, job.payload["screens"]) == ("done", 2, 6)
    assert job.table() == predict(campaign, Wanted.of_json(campaign, job.payload)), (
        "the same seed gives the same curves"
    )
    shown = browser.get(page).content.decode()
    assert "of judging would separate about" in shown
    assert shown.count("<svg") >= 3
    file = browser.get(reverse("power_file", args=[campaign.slug, job.pk])).content.decode()
    assert file.startswith("judgments,hours,campaigns,resolved,")
    assert browser.get(page).context["form"]["screens"].value() == 6, "the choices are kept, to change one"


@pytest.mark.wide
def test_the_page_of_a_plan_says_what_it_would_resolve_until_the_plan_changes(organised):
    campaign, browser = organised
    plan = browser.get(reverse("screens", args=[campaign.slug])).context["query"]
    address = f"{reverse('resolution', args=[campaign.slug])}?{plan}&design=sampled&judges=2&screens=6"
    assert "data-waits" not in browser.get(address).content.decode()
    assert not Prediction.objects.exists(), "reading requests nothing"
    assert "data-waits" in browser.post(address).content.decode()
    browser.post(address)
    (first,) = Prediction.objects.all()
    assert (first.payload["screens"], first.payload["judges"]) == (6, 2)
    browser.post(address.replace("screens=6", "screens=4"))
    first.refresh_from_db()
    assert first.state == "cancelled", "another plan is asked about"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ranking.power.predicting.islice", lambda worlds, _: islice(worlds, 1))
        run_now(Prediction.objects.unfinished().get())
    said = browser.get(address.replace("screens=6", "screens=4")).content.decode()
    assert "of judging would separate about" in said
    assert "data-waits" not in said
    asked = predicting.request_prediction(campaign, factory.organiser(campaign, "oscar"), Wanted({}))
    assert "Wait until it has finished" in browser.post(address).content.decode(), "nobody's own question is cancelled"
    asked.refresh_from_db()
    assert asked.state == "queued"


@pytest.mark.django_db
def test_a_prediction_is_for_campaigns_that_compare():
    campaign = factory.make_campaign({"source": factory.SOURCE}, protocol="correction")
    olga = factory.organiser(campaign, "olga")
    with pytest.raises(Refused, match="rank, rate or give verdicts"):
        predicting.request_prediction(campaign, olga, Wanted({}))
    browser = Client()
    browser.force_login(olga)
    assert b"judges of this one do neither" in browser.get(reverse("power", args=[campaign.slug])).content


def test_what_is_wanted_survives_storing():
    for wanted in (Wanted({"redundancy": 2}, 5, Assumptions(spread=0.05)), Wanted({}, None, None)):
        assert Wanted.of_json(Campaign(), asdict(wanted)) == wanted


@pytest.mark.wide
@pytest.mark.django_db
def test_a_program_predicts_too():
    campaign = factory.make_campaign(repeat_share=0.0, control_share=0.0)
    browser = Client()
    browser.force_login(factory.organiser(campaign, "olga"))
    address = reverse("api_power", args=[campaign.slug])
    assert browser.get(address).status_code == 404
    predicting = reverse("api_predict", args=[campaign.slug])
    assert b"A pilot needs 60" in browser.post(predicting, {"from_judgments": True}, "application/json").content
    answer = browser.post(predicting, {"screens": 6, "campaigns": 2, "ties": 0.1}, "application/json")
    assert (answer.status_code, answer.json()["state"], answer.json()["curves"]) == (202, "queued", [])
    run_now(Prediction.objects.get())
    lines = browser.get(address).json()["curves"]
    wanted = Wanted({}, 6, Assumptions(ties=0.1), campaigns=2)
    assert lines == predict(campaign, wanted).dicts()
