"""Predictions of what verdicts would resolve, from assumptions and from verdicts so far."""

import numpy as np
import pytest
from django.test import Client
from django.urls import reverse

from judgments.assignment.rules.assigning import PlannedAssignment, PlannedBatch, PlannedScreen
from judgments.jobs.attempts import run_now
from judgments.models import Screen, Usage
from judgments.rules.errors import Refused
from ranking.models import Prediction
from ranking.power.predicting import Wanted, assumptions_of, blank_verdicts, predict
from ranking.stats.power.verdicts import VerdictAssumptions
from tests import factory
from tests.ranking.verdict_campaign import verdict_campaign

FEW = VerdictAssumptions(errors=0.4)


@pytest.fixture
def unjudged(db):
    """A campaign with five usages classified by two systems, of which no screen is assigned."""
    campaign = verdict_campaign({})
    Screen.objects.filter(campaign=campaign).delete()
    return campaign


def test_repeats_and_controls_are_no_verdicts_on_systems():
    screens = [PlannedScreen(1, "", (), usage=7), PlannedScreen(1, "", (), True, usage=8)]
    screens.append(PlannedScreen(2, "", (), usage=9))
    assignments = [
        PlannedAssignment(screen, round_, position, (), repeats)
        for round_ in (0, 1) for position, (screen, repeats) in enumerate([(2, None), (1, None), (0, None), (2, 0)])
    ]  # fmt: skip
    usage, judge = blank_verdicts([PlannedBatch("", screens, assignments)], judges=2)
    assert (usage.tolist(), judge.tolist()) == ([0, 0, 1, 1], [0, 1, 0, 1])


@pytest.mark.wide
def test_an_organiser_predicts_verdicts(unjudged):
    browser = Client()
    browser.force_login(factory.organiser(unjudged, "olga"))
    page = reverse("power", args=[unjudged.slug])
    form = browser.get(page).context["form"]
    given = {name: form[name].value() for name in form.fields if form[name].value() is not None}
    wrong = browser.post(page, given | {"errors": 0.9, "precision": 0.1, "redundancy": 3})
    assert b"These assumptions contradict each other" in wrong.content
    assert browser.post(page, given | {"errors": 0.4, "campaigns": 2, "redundancy": 3}).status_code == 302
    run_now(Prediction.objects.get())
    job = Prediction.objects.get()
    assert (job.state, job.simulated) == ("done", 2)
    assert job.table() == predict(unjudged, Wanted({"redundancy": 3}, None, FEW, campaigns=2))
    assert job.table().dicts()[-1]["usages"] <= Usage.objects.filter(campaign=unjudged).count()
    shown = browser.get(page).content.decode()
    assert "of judging would separate about" in shown
    assert "so few usages with many verdicts separate pairs the wrong way" in shown
    address = reverse("api_predict", args=[unjudged.slug])
    assert browser.post(address, {"errors": 2}, "application/json").status_code == 409


def test_verdicts_so_far_say_what_usages_and_judges_are_like(db, monkeypatch):
    campaign = verdict_campaign()
    with pytest.raises(Refused, match="A pilot needs 60 judgments"):
        predict(campaign, Wanted({}, None, None))
    monkeypatch.setattr("ranking.power.predicting.FEWEST_IN_PILOT", 1)
    Screen.objects.filter(campaign=campaign, judgment=None).delete()
    usage = Usage.objects.filter(campaign=campaign)[0]
    for number in range(8):
        Usage.objects.create(campaign=campaign, name=f"new {number}", segment=usage.segment, start=0, end=4)
    table = predict(campaign, Wanted({"redundancy": 2}, None, None, campaigns=2))
    assert table.dicts()[-1]["judgments"] == 16
    assert np.isfinite([line["resolved"] for line in table.dicts()]).all()


def test_assumptions_are_those_of_the_protocol(unjudged):
    assert assumptions_of(unjudged, {"errors": 0.4, "ties": 0.1, "recall": None}) == FEW
