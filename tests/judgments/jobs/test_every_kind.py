"""Every kind of job is claimed, kept alive, overtaken, cancelled, swept, given up and queued again alike."""

import pytest
from django.db import IntegrityError, OperationalError, transaction
from django.urls import reverse
from django.utils import timezone
from rest_framework.test import APIClient

from judgments.jobs.attempts import Attempt, StaleAttempt, run_now
from judgments.jobs.control import cancel, give_back, queue_again
from judgments.jobs.tasks import sweep_jobs
from judgments.models import Job
from judgments.models.jobs import MOST_ATTEMPTS, job_models
from judgments.rules.errors import Refused
from tests.judgments.jobs.queued import REQUESTS, lose_files, make_stale
from tests.judgments.jobs.running import run_job

State = Job.State


@pytest.fixture(params=REQUESTS)
def job(request, campaign, olga, no_worker) -> Job:
    return REQUESTS[request.param](campaign, olga)


def state_of(job: Job) -> tuple[str, int]:
    job.refresh_from_db()
    return job.state, job.attempt


def test_every_kind_has_a_function_and_there_is_no_other_kind(olga, browser_of):
    assert job_models().keys() == REQUESTS.keys()
    assert all(map(callable, (model.handler() for model in job_models().values())))
    long = {name for name, model in job_models().items() if model.queue == "long"}
    assert long == {"report", "scoring", "import", "prediction", "program"}
    assert browser_of(olga).get(reverse("job_state", args=["coffee", 1])).status_code == 404


def test_one_job_from_its_request_to_the_end(job, no_worker, django_capture_on_commit_callbacks):
    queue = job.queue
    assert job.progress_now()["step"].startswith("waiting for a worker since ")
    # Of two workers one claims it.
    first, second = Attempt.claim(job), Attempt.claim(job)
    assert (second, state_of(job)) == (None, (State.RUNNING, 1))
    # It shows how far it is, and a live job is not swept.
    first.step("counting", 0.5)
    assert Job.objects.get(pk=job.pk).status.startswith("counting, 50% done, running since ")
    sweep_jobs()
    assert (job.progress_now()["over"], no_worker) == (False, [])
    # A silent one is queued again, once, and its attempt is overtaken.
    make_stale(job)
    seen = Job.objects.get(pk=job.pk).heartbeat
    sweep_jobs()
    assert (no_worker, state_of(job)) == ([queue], (State.QUEUED, 1))
    assert not Job.objects.requeue(job.pk, seen)
    again = Attempt.claim(job)
    for write in (lambda: first.step("late", 0.9), first.finish, first.wait_for_others):
        with pytest.raises(StaleAttempt):
            write()
    first.fail("Nobody reads this.")
    assert state_of(job) == (State.RUNNING, 2)
    # A message that was lost is sent again.
    assert Job.objects.give_back(job.pk)
    no_worker.clear()
    make_stale(job)
    sweep_jobs()
    assert no_worker == [queue]
    # What stops its workers several times is given up.
    with pytest.raises(StaleAttempt):
        again.step("late", 0.9)
    make_stale(job, state=State.RUNNING, attempt=MOST_ATTEMPTS)
    no_worker.clear()
    sweep_jobs()
    assert (no_worker, state_of(job)) == ([], (State.FAILED, MOST_ATTEMPTS))
    assert "may need more memory" in job.error
    # Somebody may queue it again all the same.
    with django_capture_on_commit_callbacks(execute=True):
        queue_again(job)
    assert (no_worker, state_of(job), job.error) == ([queue], (State.QUEUED, MOST_ATTEMPTS), "")
    # Cancelled, it is over: no attempt, no sweep, no second cancelling.
    last = Attempt.claim(job)
    assert cancel(job)
    with pytest.raises(StaleAttempt):
        last.finish()
    no_worker.clear()
    make_stale(job)
    sweep_jobs()
    run_job(job.kind, job.pk)
    run_now(job)
    assert (cancel(job), no_worker, state_of(job)[0]) == (False, [], State.CANCELLED)


def test_a_job_that_is_gone_does_nothing(job):
    attempt = Attempt.claim(job)
    Job.objects.filter(pk=job.pk).delete()
    with pytest.raises(StaleAttempt):
        attempt.step("late", 0.5)
    run_job(job.kind, job.pk)


def test_it_is_given_back_any_number_of_times(job, no_worker):
    for _ in range(MOST_ATTEMPTS + 1):
        Job.objects.claim(job.pk, "task-7")
        assert give_back(["task-6"]) == []
        assert give_back(["task-6", "task-7"]) == [f"{job.kind} {job.pk}"]
    assert no_worker == [job.queue] * (MOST_ATTEMPTS + 1)
    make_stale(job)
    sweep_jobs()
    assert state_of(job) == (State.QUEUED, MOST_ATTEMPTS + 1)
    Job.objects.filter(pk=job.pk).update(state=State.DONE)
    assert not give_back(["task-7"]), "what is over stays over"


def test_running_jobs_and_jobs_without_files_are_not_queued_again(job):
    Attempt.claim(job)
    with pytest.raises(Refused, match="continued in the meantime"):
        queue_again(job)
    Job.objects.filter(pk=job.pk).update(state=State.FAILED, finished_at=timezone.now())
    lose_files()
    if job.kind in ("upload", "import"):
        with pytest.raises(Refused, match="not kept"):
            queue_again(job)
    else:
        queue_again(job)


def test_a_campaign_has_one_unfinished_job_of_some_kinds(job, campaign, olga):
    if not job.is_single:
        return
    Job.objects.update(state=State.FAILED, finished_at=timezone.now())
    REQUESTS[job.kind](campaign, olga)
    with pytest.raises(Refused, match="another unfinished job of this kind"):
        queue_again(job)
    with transaction.atomic(), pytest.raises((Refused, IntegrityError)):
        REQUESTS[job.kind](campaign, olga)


def test_a_busy_database_is_reported_in_a_sentence(job, monkeypatch):
    def locked(*given, **changes):
        raise OperationalError("database is locked")

    monkeypatch.setattr("django.db.models.query.QuerySet.update", locked)
    with pytest.raises(Refused, match="database is busy"):
        cancel(job)


def test_its_page_follows_and_cancels_it(job, olga, browser_of):
    client = browser_of(olga)
    state, end = (reverse(name, args=[job.kind, job.pk]) for name in ("job_state", "cancel_job"))
    queued = {"state": "queued", "progress": 0, "step": job.status, "over": False}
    assert client.get(state).json().items() >= queued.items()
    if job.kind not in ("mail", "scoring"):  # their pages show several jobs as one
        page = client.get(job.get_absolute_url()).content.decode()
        assert f'data-job="{state}"' in page
        assert f'action="{end}"' in page
    assert client.post(end).url == job.get_absolute_url()
    assert client.get(state).json()["over"]
    assert "This had already finished." in client.post(end, follow=True).content.decode()


def test_a_program_follows_and_cancels_it(job, olga):
    client = APIClient()
    client.force_authenticate(olga)
    address = reverse("api_job", args=[job.kind, job.pk])
    found = client.get(address).json()
    assert (found["id"], found["state"], found["progress"]) == (job.pk, "queued", 0)
    assert client.get(found["url"]).json() == found
    assert client.post(f"{address}cancel/").json()["state"] == "cancelled"
    assert client.post(f"{address}cancel/").status_code == 409
