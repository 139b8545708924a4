"""What an attempt leaves in the row of its job, however it ends."""

import resource
import weakref
from io import BytesIO

import pytest
from django.db import transaction

from judgments.archive import importing
from judgments.jobs import attempts
from judgments.jobs.attempts import Pulse, run_now, send_heartbeats
from judgments.jobs.tasks import enqueue
from judgments.models import Job, JournalEntry
from judgments.models.journal import note
from judgments.rules.errors import Refused
from judgments.rules.files.csv_tables import read_rows
from judgments.rules.files.problems import Problem, Problems
from ranking.models import Report
from ranking.numbers.tables import StatisticsError
from ranking.reports import building
from tests import factory
from tests.judgments.jobs.queued import make_stale

State = Job.State


@pytest.fixture
def report(campaign, olga) -> Report:
    return building.request_report(campaign, olga)


def ended(job, end) -> tuple[str, str]:
    def handle(job, attempt):
        attempt.step("trying", 0.1)
        end(attempt)

    run_now(job, handle)
    job.refresh_from_db()
    return job.state, job.error


def raising(error):
    def end(attempt):
        raise error

    return end


@pytest.mark.postgresql
@pytest.mark.parametrize(
    ("error", "shown"),
    [
        (Refused("There are no texts."), "Nothing was stored. There are no texts."),
        (MemoryError(), attempts.NO_MEMORY),
        (StatisticsError("There are no judgments."), "There are no judgments."),
        (Refused("x" * 1000), f"Nothing was stored. {'x' * 480}"),
    ],
)
def test_a_failure_becomes_a_sentence_and_the_worker_lives(report, error, shown):
    assert ended(report, raising(error)) == (State.FAILED, shown)


def test_what_filled_the_memory_is_let_go_before_the_failure_is_stored(report, monkeypatch):
    class Big:
        pass

    held, limits = [], []

    def read():
        big = Big()
        held.append(weakref.ref(big))
        raise MemoryError

    def end(attempt):
        try:
            read()
        except MemoryError:
            raise MemoryError  # noqa: B904, as an exit on the way may do that needs memory itself

    def fail(*args, stored=attempts.Attempt.fail, **columns):
        limits.append((held[0](), resource.getrlimit(resource.RLIMIT_DATA)))
        return stored(*args, **columns)

    monkeypatch.setattr(attempts.Attempt, "fail", fail)
    _, most = resource.getrlimit(resource.RLIMIT_DATA)
    before = (2**40, most)
    resource.setrlimit(resource.RLIMIT_DATA, before)
    try:
        assert ended(report, end) == (State.FAILED, attempts.NO_MEMORY)
        assert resource.getrlimit(resource.RLIMIT_DATA) == before
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    assert limits == [(None, (most, most))]


def test_an_error_of_the_program_is_shown_without_details_and_raised_for_the_log(report):
    with pytest.raises(ZeroDivisionError):
        ended(report, raising(ZeroDivisionError()))
    report.refresh_from_db()
    assert (report.state, report.error) == (State.FAILED, attempts.PROGRAM_ERROR)


def test_problems_with_files_are_kept_with_their_places(olga):
    job = importing.request_import(olga, "bundle.zip", BytesIO(), "")
    state, error = ended(job, raising(Problems([Problem("a.csv", 3, "is wrong")])))
    assert (state, error) == (State.FAILED, "Nothing was stored, because this bundle cannot be imported.")
    assert job.problems == [{"file": "a.csv", "line": 3, "what": "is wrong"}]
    assert not hasattr(job, "file"), "nobody needs the bundle any more"


def test_the_journal_names_who_requested_it(campaign, report):
    ended(report, lambda attempt: note(campaign, "looked"))
    assert JournalEntry.objects.get(what="looked").actor == "olga"


def update_progress(attempt):
    attempt._pulse.is_stale = True
    attempt.progress(0.0, 1.0)(1, 2)


def read_a_file(attempt):
    assert list(read_rows("a.csv", b"a\n1\n", ["a"])) == [(2, {"a": "1"})]
    attempt._pulse.is_stale = True
    for _ in read_rows("a.csv", b"a\n1\n", ["a"]):
        pytest.fail("it was read on")


@pytest.mark.parametrize("go_on", [update_progress, read_a_file])
def test_cancelling_is_noticed_at_the_next_step(report, go_on):
    assert ended(report, go_on)[0] == State.RUNNING, "it is for others to say what becomes of it"


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("was_overtaken", [False, True])
def test_a_long_step_keeps_its_heartbeat_and_notices_that_it_was_overtaken(monkeypatch, was_overtaken):
    monkeypatch.setattr(attempts, "SECONDS_BETWEEN_BEATS", 0.01)
    report = building.create_report(factory.open_campaign())
    make_stale(report, state=State.RUNNING)
    before = Report.objects.get(pk=report.pk).heartbeat
    pulse = Pulse(progress=0.25)
    rows = Report.objects.filter(pk=report.pk, attempt=int(was_overtaken))
    with send_heartbeats(rows, pulse):
        for _ in range(1000):
            if Report.objects.get(pk=report.pk).heartbeat > before or pulse.is_stale:
                break
    report.refresh_from_db()
    assert (report.heartbeat > before, report.progress) == ((False, 0) if was_overtaken else (True, 0.25))
    assert pulse.is_stale == was_overtaken


@pytest.mark.django_db(transaction=True)
def test_a_job_is_announced_only_when_its_row_is_committed(no_worker):
    campaign = factory.open_campaign()
    with transaction.atomic():
        enqueue(building.create_report(campaign))
        assert no_worker == []
    assert no_worker == ["long"]
