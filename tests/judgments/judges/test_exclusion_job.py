"""The rule of exclusion on very many judgments: by a worker, one at a time, watched and cancelled."""

import pytest
from django.urls import reverse
from rest_framework.test import APIClient

from judgments.jobs.attempts import run_now
from judgments.jobs.control import cancel
from judgments.judges import exclusion
from judgments.models import ExclusionJob, Job, JournalEntry, Membership
from judgments.rules.errors import Refused
from tests import factory
from tests.judgments.jobs.running import run_job
from tests.judgments.judges.test_exclusion import controlled, judge_batch


@pytest.fixture(autouse=True)
def _few_are_many(monkeypatch):
    monkeypatch.setattr(exclusion, "MOST_JUDGMENTS_AT_ONCE", 4)


@pytest.fixture
def strict(db):
    """Ada judged five screens and passed no control, but counts still."""
    campaign = controlled("rating", control_pass_share=0.7)
    judge_batch(factory.judge(campaign, "ada"), careful=0)
    Membership.objects.filter(pseudonym="ada").update(excluded_at=None, excluded_by_rule=False)
    return campaign


@pytest.fixture
def olga(strict):
    return factory.organiser(strict, "olga")


@pytest.fixture
def client(olga, browser_of, no_worker):
    return browser_of(olga)


def page(client, campaign) -> str:
    return client.get(reverse("judges", args=[campaign.slug])).content.decode()


@pytest.mark.postgresql
def test_a_worker_applies_it_and_the_page_shows_how_far_it_is(
    client, strict, no_worker, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        client.post(reverse("apply_rule", args=[strict.slug]))
    job = ExclusionJob.objects.get()
    assert no_worker == ["short"]
    assert "The rule is being applied" in page(client, strict)
    run_job("exclusion", job.pk)
    run_job("exclusion", job.pk)
    job.refresh_from_db()
    assert (job.state, job.excluded, job.included) == (Job.State.DONE, 1, 0)
    assert "1 excluded, 0 included again" in page(client, strict)
    assert client.get(reverse("job_state", args=["exclusion", job.pk])).json()["over"]
    assert JournalEntry.objects.filter(what__startswith="applied the rule").count() == 1


def test_few_judgments_are_looked_at_at_once(client, strict, monkeypatch):
    monkeypatch.setattr(exclusion, "MOST_JUDGMENTS_AT_ONCE", 5)
    content = client.post(reverse("apply_rule", args=[strict.slug]), follow=True).content.decode()
    assert "The rule was applied: 1 excluded" in content
    assert not ExclusionJob.objects.exists()


@pytest.mark.postgresql
def test_it_is_applied_by_one_at_a_time(strict, olga):
    exclusion.request(strict, olga)
    with pytest.raises(Refused, match="already being applied"):
        exclusion.request(strict, olga)


def test_cancelled_it_leaves_judges_as_they_are(client, strict, olga):
    job = exclusion.request(strict, olga)
    client.post(reverse("cancel_job", args=["exclusion", job.pk]))
    run_job("exclusion", job.pk)
    assert not Membership.objects.filter(excluded_by_rule=True).exists()


def test_decisions_made_before_cancelling_are_kept(strict, olga, monkeypatch):
    job = exclusion.request(strict, olga)
    look = exclusion._decide_about

    def look_and_cancel(pk):
        found = look(pk)
        cancel(job)
        return found

    monkeypatch.setattr(exclusion, "_decide_about", look_and_cancel)
    run_now(job)
    job.refresh_from_db()
    assert job.state == Job.State.CANCELLED
    assert Membership.objects.get(pseudonym="ada").excluded_by_rule


@pytest.mark.postgresql
def test_a_program_follows_it(strict, olga, no_worker):
    client = APIClient()
    client.force_authenticate(olga)
    answer = client.post(reverse("api_apply_rule", args=[strict.slug]))
    assert (answer.status_code, answer.json()["state"]) == (202, "queued")
    run_job("exclusion", answer.json()["id"])
    assert client.get(answer["Location"]).json()["excluded"] == 1
