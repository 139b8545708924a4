"""The pages of operators, and their actions."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils import timezone
from kombu.exceptions import OperationalError

from judgments.assignment import claiming
from judgments.jobs import queues
from judgments.jobs.tasks import note_beat
from judgments.material import uploads
from judgments.material.rules.reading import Roles
from judgments.models import Heartbeat, Job, Upload, heartbeats
from judgments.models.heartbeats import BEAT, FORGOTTEN_AFTER, SILENT_AFTER
from judgments.privacy.retention import forget_old
from ranking import operations
from ranking.models import Report, ScoringJob
from ranking.reports.building import request_report
from tests import factory
from tests.judgments.jobs.queued import REQUESTS, make_stale

LONG_AGO = timedelta(hours=1)


@pytest.fixture
def operator(db, browser_of):
    return browser_of(User.objects.create_superuser("operator"))


@pytest.fixture
def page(operator):
    def read() -> str:
        answer = operator.get(reverse("operation"))
        assert answer.status_code == 200
        return " ".join(answer.content.decode().split())

    return read


class TestPage:
    def test_nothing_is_going_on_but_guessed_passwords_are_announced(self, page, monkeypatch):
        content = page()
        assert "No worker is running." in content
        assert "No job is waiting or running." in content
        assert "No job failed." in content
        assert "No worker serves the queue “long”" in content
        assert "<dd>never</dd>" in content
        monkeypatch.setattr("judgments.judges.signing_in.count_locked_out", lambda now: 3)
        assert "for 3 names" in page()

    def test_workers_that_live_and_one_that_is_silent(self, page):
        heartbeats.beat("worker@one", "long, short")
        heartbeats.beat("worker@two", "long")
        note_beat()
        Heartbeat.objects.exclude(name="worker@one").update(seen_at=timezone.now() - SILENT_AFTER * 2)
        content = page()
        assert content.count("<strong>silent</strong>") == 1
        assert content.count("<td>alive</td>") == 1
        assert "No worker serves" not in content
        assert "The scheduler last reported" in content

    def test_every_kind_of_job_is_listed_with_a_link_except_private_ones(self, campaign, olga, no_worker, page):
        jobs = {kind: request(campaign, olga) for kind, request in REQUESTS.items()}
        Report.objects.update(state="failed", error="It was too much.", finished_at=timezone.now())
        make_stale(jobs["assignment"], state="running")
        content = page()
        for kind, job in jobs.items():
            assert str(job) in content
            assert (f'<a href="{job.get_absolute_url()}">' in content) == (kind != "import")
            assert reverse("give_up_job", args=[kind, job.pk]) in content or kind == "report"
        assert "It was too much." in content
        assert content.count("<strong>stuck</strong>") == 1

    def test_it_asks_no_more_with_more_work(self, campaign, no_worker, operator, django_assert_max_num_queries):
        for number in range(10):
            request_report(campaign)
            ScoringJob.objects.create(campaign=campaign, about=f"toy{number}")
        with django_assert_max_num_queries(33):
            operator.get(reverse("operation"))

    @pytest.mark.postgresql
    def test_operators_alone_are_led_to_it_even_without_queues(self, operator, olga, browser_of, page, monkeypatch):
        link = f'href="{reverse("operation")}"'
        assert link in operator.get("/").content.decode()
        assert link not in browser_of(olga).get("/").content.decode()

        def refuse() -> None:
            raise queues.Unreachable

        monkeypatch.setattr(operations, "lengths", refuse)
        assert "The queues cannot be reached. Nothing is lost" in page()


@pytest.mark.postgresql
def test_work_that_is_sent_again_has_waited_since_its_request(campaign, olga, no_worker):
    report = request_report(campaign)
    upload = uploads.upload_files(campaign, olga, factory.upload({"Plover": factory.SOURCE}), Roles())
    requested_at = timezone.now() - LONG_AGO
    Job.objects.update(requested_at=requested_at)
    assert operations.waiting_since() == {"report": requested_at, "upload": requested_at}
    uploads.check_again(upload, Roles())
    since = operations.waiting_since()
    assert since == {"report": requested_at, "upload": Upload.objects.get(pk=upload.pk).queued_at}
    Report.objects.filter(pk=report.pk).update(state="running")
    assert "report" not in operations.waiting_since()


@pytest.mark.postgresql
def test_a_failed_job_is_queued_again(campaign, no_worker, operator, django_capture_on_commit_callbacks):
    report = request_report(campaign)
    address = reverse("queue_job_again", args=["report", report.pk])
    Report.objects.update(state="failed", error="no", finished_at=timezone.now(), attempt=3)
    with django_capture_on_commit_callbacks(execute=True):
        assert b"in the queue again" in operator.post(address, follow=True).content
    report.refresh_from_db()
    assert (report.state, report.error, report.attempt, no_worker) == ("queued", "", 3, ["long"])
    Report.objects.update(state="running", heartbeat=timezone.now())
    assert b"continued in the meantime" in operator.post(address, follow=True).content


def test_a_job_is_given_up(campaign, no_worker, operator):
    report = request_report(campaign)
    address = reverse("give_up_job", args=["report", report.pk])
    assert b"was cancelled" in operator.post(address, follow=True).content
    assert Report.objects.get().state == "cancelled"
    assert b"already finished" in operator.post(address, follow=True).content
    assert operator.post(reverse("queue_job_again", args=["coffee", 1])).status_code == 404
    assert operator.post(reverse("give_up_job", args=["report", 404])).status_code == 404


@pytest.mark.postgresql
def test_signs_of_workers_are_forgotten_or_new_where_they_come_again(db):
    heartbeats.beat("worker@old", "short")
    heartbeats.beat(BEAT)
    Heartbeat.objects.filter(name="worker@old").update(seen_at=timezone.now() - FORGOTTEN_AFTER * 2)
    forget_old()
    assert [sign.name for sign in Heartbeat.objects.all()] == [BEAT]
    heartbeats.withdraw(BEAT)
    heartbeats.beat("worker@one", "short", timezone.now() - LONG_AGO)
    later = timezone.now()
    heartbeats.beat("worker@one", "long", later)
    (sign,) = Heartbeat.objects.all()
    assert (sign.since, sign.queues) == (later, "long")
    heartbeats.withdraw("worker@one")
    assert not Heartbeat.objects.exists()


def test_without_its_queue_the_platform_takes_work_all_the_same(
    campaign, olga, ada, browser_of, monkeypatch, django_capture_on_commit_callbacks
):
    factory.answer(claiming.claim_next(ada))

    def refuse(message: object) -> None:
        raise OperationalError("Error 111 connecting to redis:6379")

    noted: list[str] = []
    monkeypatch.setattr("celery.canvas.Signature.delay", refuse)
    monkeypatch.setattr("judgments.jobs.queues._LOG.error", lambda line, *words: noted.append(line % words))
    with django_capture_on_commit_callbacks(execute=True):
        answer = browser_of(olga).post(reverse("new_report", args=[campaign.slug]))
    assert answer.status_code == 302
    assert Report.objects.get().state == "queued"
    assert ["waits in the database" in line for line in noted] == [True]
