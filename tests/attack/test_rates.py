"""Too many API requests: counted across processes, refused with a time, and never in a judge's way."""

from collections import Counter
from datetime import timedelta
from pathlib import Path
from threading import Event, Lock

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.urls import reverse
from django.utils import timezone

from judgments.api.base.rates import Rate
from judgments.assignment import claiming
from judgments.judges import programs
from judgments.models import Judgment, RequestCount
from judgments.models import requests as rates
from judgments.privacy import retention
from tests.judgments.at_once import at_once
from tests.judgments.web.test_pages import filled, ranks
from tests.program import Program

STATIC = Path(__file__).parents[2] / "static"


@pytest.fixture
def two_a_day(monkeypatch):
    monkeypatch.setitem(Rate.THROTTLE_RATES, "user", "2/day")


@pytest.mark.postgresql
def test_too_many_requests_are_refused_with_a_time_to_retry_and_others_need_not_wait(two_a_day, campaign, olga):
    program = Program(programs.token_of("olga"))
    answers = [program.get("/api/campaigns/") for _ in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 429, 429]
    assert answers[-1]["Content-Type"] == "application/problem+json"
    assert 0 < int(answers[-1]["Retry-After"]) <= 24 * 3600
    assert answers[-1].json()["title"] == "Too Many Requests"
    assert RequestCount.objects.get().count == 2, "what is refused writes nothing"
    User.objects.create_user("greta")
    assert Program(programs.token_of("greta")).get("/api/campaigns/").status_code == 200


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("stretches_before", [0, 1])
def test_requests_at_the_same_moment_are_all_counted(stretches_before):
    """Each has a connection of its own to the database, as processes have; nothing is counted in their memory."""
    until = timezone.now()
    if stretches_before:
        rates.use("user 1", until - timedelta(minutes=1), 5)
    let: list[bool] = []
    lock = Lock()

    def ask() -> None:
        was_let = rates.use("user 1", until, 5)
        with lock:
            let.append(was_let)

    at_once(*[ask] * 12)
    assert Counter(let) == {True: 5, False: 7}
    assert RequestCount.objects.get().count == 5


@pytest.mark.django_db(transaction=True)
def test_requests_need_not_wait_while_a_worker_stores():
    """A worker stores for long; a program that asks how far it is gets its answer, and is counted again afterwards."""
    until = timezone.now() + timedelta(minutes=1)
    rates.use("user 1", until, 1)
    is_storing, has_answer = Event(), Event()
    let: list[bool] = []

    def store() -> None:
        with transaction.atomic():
            RequestCount.objects.filter(key="another").delete()
            is_storing.set()
            has_answer.wait(30)

    def ask() -> None:
        is_storing.wait(30)
        let.append(rates.use("user 2", until, 1))
        has_answer.set()

    at_once(store, ask)
    assert let == [True]
    assert not rates.use("user 1", until, 1)
    if connection.vendor == "sqlite":  # patient again
        assert connection.connection.execute("PRAGMA busy_timeout").fetchone() == (10_000,)


@pytest.mark.wide
def test_anonymous_requests_are_counted_by_an_unreadable_address(two_a_day, client, db):
    statuses = [client.get(reverse("api_schema"), REMOTE_ADDR="192.0.2.1").status_code for _ in range(3)]
    assert statuses == [200, 200, 429]
    assert client.get(reverse("api_schema"), REMOTE_ADDR="192.0.2.2").status_code == 200
    assert not [row for row in RequestCount.objects.values_list() if "192.0.2" in str(row)]


def test_a_new_interval_starts_from_zero_and_counts_are_forgotten(db):
    rates.use("user 1", timezone.now() - timedelta(minutes=1), 5)
    rates.use("user 2", timezone.now() + timedelta(minutes=1), 5)
    retention.forget_old()
    assert [used.key for used in RequestCount.objects.all()] == ["user 2"]
    now = timezone.now()
    assert [rates.use("user 1", now, 1) for _ in range(2)] == [True, False]
    later = now + timedelta(minutes=1)
    assert [rates.use("user 1", later, 1) for _ in range(2)] == [True, False]


@pytest.mark.wide
def test_a_judge_is_never_throttled(monkeypatch, campaign, ada, browser_of):
    """Not even when the API is shut altogether: nothing on a judge's way asks it."""
    monkeypatch.setattr(Rate, "allow_request", lambda *_: False)
    client = browser_of(ada.user)
    assert client.get("/api/campaigns/").status_code == 429
    assignment = claiming.claim_next(ada)
    for _ in range(50):
        assert client.get(reverse("assignment", args=[assignment.pk])).status_code == 200
    page = client.get(reverse("assignment", args=[assignment.pk])).content.decode()
    answer = client.post(reverse("assignment", args=[assignment.pk]), filled(page, **ranks(page)))
    assert answer.status_code == 302
    assert Judgment.objects.count() == 1


def test_no_script_of_a_page_asks_the_api():
    scripts = [path for path in STATIC.rglob("*.js") if "vendor" not in path.parts]
    assert scripts
    assert not [path.name for path in scripts if "/api/" in path.read_text()]
