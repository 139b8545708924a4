"""What those who run the platform see, and what they can do."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils import timezone
from judgments.tasks import forget_old, note_beat, sweep_deals
from kombu.exceptions import OperationalError

from judgments.archive import import_job
from judgments.assignment import assignment_job
from judgments.jobs import heartbeats, queues
from judgments.material import uploads
from judgments.material.rules.reading import Roles
from judgments.models import Deal, Import, Sign, Upload, UploadFiles, Work
from judgments.models.heartbeats import BEAT, FORGOTTEN_AFTER, SILENT_AFTER
from judgments.models.jobs import MOST_ATTEMPTS
from ranking import operations, tasks
from ranking.models import Report
from ranking.reports.building import request_report
from tests import factory

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


def make_stuck(work: Work, **fields: object) -> None:
    old = timezone.now() - LONG_AGO
    type(work)._default_manager.filter(pk=work.pk).update(queued_at=old, heartbeat=old, **fields)


class TestPage:
    """Everything at a glance."""

    def test_nothing_is_going_on(self, page):
        told = page()
        assert "No worker was heard of." in told
        assert "Nothing waits and nothing is being made." in told
        assert "Nothing failed." in told
        assert "No worker takes work from the queue “long”" in told
        assert "<dd>never</dd>" in told

    def test_workers_that_live_and_one_that_is_silent(self, page):
        heartbeats.give("worker@one", "long, short")
        heartbeats.give("worker@two", "long")
        note_beat()
        Sign.objects.exclude(name="worker@one").update(seen_at=timezone.now() - SILENT_AFTER * 2)
        told = page()
        assert told.count("<strong>silent</strong>") == 1
        assert told.count("<td>lives</td>") == 1
        assert "No worker takes" not in told
        assert "The clock has not been heard since" in told

    def test_queues_that_cannot_be_reached(self, page, monkeypatch):
        def refuse() -> None:
            raise queues.Unreachable

        monkeypatch.setattr(operations, "lengths", refuse)
        assert "The queues cannot be reached. Nothing is lost" in page()

    def test_every_kind_of_work_is_told_with_a_link(self, campaign, olga, no_worker, page):
        report = request_report(campaign)
        deal = assignment_job.ask(campaign, olga, {}, 1, False)
        bundle = import_job.hand_in(olga, "bundle.zip", b"", "")
        Report.objects.filter(pk=report.pk).update(state="failed", error="It was too much.", finished_at=timezone.now())
        make_stuck(deal, state="running")
        told = page()
        assert reverse("report", args=[report.pk]) in told
        assert "It was too much." in told
        assert reverse("show_deal", args=[campaign.slug, deal.pk]) in told
        assert told.count("<strong>stuck</strong>") == 1
        assert str(bundle) in told

    def test_all_kinds_of_work_are_known(self):
        assert set(operations.KINDS.values()) == set(Work.__subclasses__())

    def test_it_asks_no_more_with_more_work(self, campaign, no_worker, operator, django_assert_max_num_queries):
        for _ in range(10):
            request_report(campaign)
        with django_assert_max_num_queries(30):
            operator.get(reverse("operation"))

    def test_the_way_there_is_on_the_first_page_of_operators_alone(self, operator, olga, browser_of):
        link = f'href="{reverse("operation")}"'
        assert link in operator.get("/").content.decode()
        assert link not in browser_of(olga).get("/").content.decode()


def test_work_that_is_sent_again_waits_since_it_was_asked_for(campaign, olga, no_worker):
    report = request_report(campaign)
    upload = uploads.hand_in(campaign, olga, factory.upload({"Plover": factory.SOURCE}), Roles())
    asked = timezone.now() - LONG_AGO
    Report.objects.update(created_at=asked)
    Upload.objects.update(created_at=asked)
    assert operations.waiting_since() == {"report": asked, "upload": asked}
    Upload.objects.update(asked=2)
    since = operations.waiting_since()
    assert since == {"report": asked, "upload": Upload.objects.get(pk=upload.pk).queued_at}
    Report.objects.filter(pk=report.pk).update(state="running")
    assert "report" not in operations.waiting_since()


class TestQueueingAgain:
    """What failed, or what nobody is at."""

    @pytest.fixture
    def again(self, operator, django_capture_on_commit_callbacks):
        def ask(kind: str, work: Work) -> str:
            with django_capture_on_commit_callbacks(execute=True):
                answer = operator.post(reverse("queue_work_again", args=[kind, work.pk]), follow=True)
            return answer.content.decode()

        return ask

    def test_what_failed_is_queued(self, campaign, no_worker, again):
        report = request_report(campaign)
        Report.objects.update(state="failed", error="no", finished_at=timezone.now(), attempt=3)
        assert "in the queue again" in again("report", report)
        report.refresh_from_db()
        assert (report.state, report.error, report.attempt) == ("queued", "", 3)
        assert no_worker == [report.pk]

    def test_what_is_stuck_is_queued(self, campaign, olga, no_worker, again):
        deal = assignment_job.ask(campaign, olga, {}, 1, False)
        make_stuck(deal, state="running", attempt=1)
        assert "in the queue again" in again("deal", deal)
        assert no_worker == [deal.pk]

    def test_what_goes_on_is_left_alone(self, campaign, no_worker, again):
        report = request_report(campaign)
        Report.objects.update(state="running", heartbeat=timezone.now())
        assert "went on in the meantime" in again("report", report)
        assert no_worker == []

    def test_beside_another_of_its_kind_it_is_refused(self, campaign, olga, no_worker, again):
        failed = assignment_job.ask(campaign, olga, {}, 1, False)
        Deal.objects.update(state="failed", finished_at=timezone.now())
        assignment_job.ask(campaign, olga, {}, 1, False)
        assert "on its way in this campaign already" in again("deal", failed)
        assert no_worker == []

    def test_without_its_files_it_is_refused(self, campaign, olga, no_worker, again):
        upload = uploads.hand_in(campaign, olga, factory.upload({"Plover": factory.SOURCE}), Roles())
        bundle = import_job.hand_in(olga, "bundle.zip", b"", "")
        UploadFiles.objects.all().delete()
        bundle.file.delete()
        for kind in (Upload, Import):
            kind.objects.update(state="failed", finished_at=timezone.now())
        assert "The files were not kept" in again("upload", upload)
        assert "The bundle was not kept" in again("import", bundle)
        assert no_worker == []

    def test_of_an_unknown_kind_there_is_none(self, operator):
        assert operator.post(reverse("queue_work_again", args=["coffee", 1])).status_code == 404
        assert operator.post(reverse("give_up_work", args=["report", 404])).status_code == 404


def test_work_is_given_up(campaign, no_worker, operator):
    report = request_report(campaign)
    address = reverse("give_up_work", args=["report", report.pk])
    assert b"is given up" in operator.post(address, follow=True).content
    assert Report.objects.get().state == "cancelled"
    assert b"over already" in operator.post(address, follow=True).content


class TestGivingBack:
    """What a worker that has to end gives back."""

    def test_its_attempt_is_overtaken_and_another_worker_takes_it_up(
        self, campaign, olga, no_worker, django_capture_on_commit_callbacks
    ):
        deal = assignment_job.ask(campaign, olga, {}, 1, False)
        first = Deal.objects.begin(deal.pk)
        with django_capture_on_commit_callbacks(execute=True):
            assert tasks.give_back("judgments.assign_screens", [deal.pk])
        assert no_worker == [deal.pk]
        assert not Deal.objects.filter(attempt=first, state="running").exists()
        assert Deal.objects.begin(deal.pk) == first + 1

    def test_what_is_over_stays_over(self, campaign, olga, no_worker):
        deal = assignment_job.ask(campaign, olga, {}, 1, False)
        Deal.objects.update(state="done")
        assert not tasks.give_back("judgments.assign_screens", [deal.pk])
        assert not tasks.give_back("judgments.sweep_deals", [])
        assert no_worker == []

    def test_however_often_it_is_not_given_up_for_that(self, campaign, olga, no_worker):
        deal = assignment_job.ask(campaign, olga, {}, 1, False)
        for _ in range(MOST_ATTEMPTS + 1):
            Deal.objects.begin(deal.pk)
            tasks.give_back("judgments.assign_screens", [deal.pk])
        make_stuck(deal)
        sweep_deals()
        assert Deal.objects.get().state == "queued"


def test_signs_of_what_was_replaced_are_forgotten(db):
    heartbeats.give("worker@old", "short")
    heartbeats.give(BEAT)
    Sign.objects.filter(name="worker@old").update(seen_at=timezone.now() - FORGOTTEN_AFTER * 2)
    forget_old()
    assert [sign.name for sign in Sign.objects.all()] == [BEAT]


def test_a_worker_that_comes_again_under_its_name_is_new(db):
    heartbeats.give("worker@one", "short", timezone.now() - LONG_AGO)
    later = timezone.now()
    heartbeats.give("worker@one", "long", later)
    (sign,) = Sign.objects.all()
    assert (sign.since, sign.queues) == (later, "long")
    heartbeats.withdraw("worker@one")
    assert not Sign.objects.exists()


def test_without_its_queue_the_platform_takes_work_all_the_same(
    campaign, olga, browser_of, monkeypatch, django_capture_on_commit_callbacks
):
    def refuse(_: int) -> None:
        raise OperationalError("Error 111 connecting to redis:6379")

    noted: list[str] = []
    monkeypatch.setattr("ranking.tasks.build_report.delay", refuse)
    monkeypatch.setattr("judgments.jobs.queues._LOG.error", lambda line, *words: noted.append(line % words))
    with django_capture_on_commit_callbacks(execute=True):
        answer = browser_of(olga).post(reverse("new_report", args=[campaign.slug]))
    assert answer.status_code == 302
    assert Report.objects.get().state == "queued"
    assert ["waits in the database" in line for line in noted] == [True]
