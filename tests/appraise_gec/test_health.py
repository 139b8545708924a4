"""Health as monitoring sees it from outside."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest
from django.db import DEFAULT_DB_ALIAS, OperationalError, connection, connections
from django.test import Client
from django.urls import reverse
from prometheus_client.parser import text_string_to_metric_families

from appraise_gec.health import views
from judgments.jobs import queues
from judgments.models import heartbeats
from ranking.reports.building import request_report
from tests.test_settings import ROOT

TOKEN = "a-token-for-tests-0123456789"


@pytest.fixture
def shown(settings) -> dict[str, str]:
    """The token, as Prometheus shows it."""
    settings.METRICS_TOKEN = TOKEN
    return {"Authorization": f"Bearer {TOKEN}"}


def figures(headers: dict[str, str]) -> dict[tuple[str, ...], float]:
    answer = Client().get("/metrics", headers=headers)
    assert answer.status_code == 200
    return {
        (sample.name, *sorted(sample.labels.values())): sample.value
        for family in text_string_to_metric_families(answer.content.decode())
        for sample in family.samples
    }


def test_whether_it_lives_needs_no_database_and_no_tls(settings):
    assert Client().get("/healthz").content == b"ok"
    settings.SECURE_SSL_REDIRECT = True
    assert Client().get("/healthz").status_code == 200


class TestReadiness:
    def test_all_is_well(self, transactional_db):
        answer = Client().get("/readyz")
        assert answer.status_code == 200, answer.content
        assert answer.json() == {"ready": True, "parts": dict.fromkeys(views.CHECKS, "ok")}

    def test_a_database_that_is_away(self, monkeypatch):
        def refuse(*_: object) -> None:
            raise OperationalError("connection to postgresql://appraise:SECRET@db refused")

        monkeypatch.setattr(type(connections[DEFAULT_DB_ALIAS]), "ensure_connection", refuse)
        answer = Client().get("/readyz")
        assert answer.status_code == 503
        readiness = answer.json()
        assert not readiness["ready"]
        assert readiness["parts"]["database"].startswith("The database cannot be reached.")
        assert "because the database does not answer" in readiness["parts"]["migrations"]
        assert readiness["parts"]["queue"] == "ok"
        assert "SECRET" not in answer.content.decode()

    def test_parts_that_are_away(self, transactional_db, settings, tmp_path, monkeypatch):
        def refuse() -> None:
            raise queues.Unreachable

        monkeypatch.setattr(views, "_newest", lambda: frozenset({("judgments", "9999_of_tomorrow")}))
        monkeypatch.setattr(queues, "lengths", refuse)
        settings.DATA_DIR, settings.STATIC_ROOT = tmp_path / "gone", tmp_path
        collected = {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"}
        settings.STORAGES = settings.STORAGES | {"staticfiles": collected}
        answer = Client().get("/readyz")
        parts = answer.json()["parts"]
        assert (answer.status_code, parts["database"]) == (503, "ok")
        assert parts["migrations"] == (
            "The schema of the database lacks judgments 9999_of_tomorrow. Run: python manage.py migrate"
        )
        assert parts["queue"].startswith("The queue of background work cannot be reached.")
        assert "Check the owner of DATA_DIR" in parts["files"]
        assert "collectstatic" in parts["static"]

    def test_a_part_that_hangs_is_reported_and_has_one_thread_after_any_number_of_checks(self, monkeypatch):
        calls, goes_on = [], Event()
        monkeypatch.setattr(views, "SECONDS", 0.05)
        monkeypatch.setattr(views, "CHECKS", {"queue": lambda: calls.append(1) or (goes_on.wait(60) and "")})
        hanging = "The queue of background work did not answer within 3 seconds."
        for _ in range(30):
            assert Client().get("/readyz").json()["parts"] == {"queue": hanging}
        assert len(calls) == 1
        goes_on.set()
        monkeypatch.setattr(views, "SECONDS", 3)
        assert views.find_faults() == {}

    @pytest.mark.wide
    def test_many_who_ask_at_once_get_the_truth(self, transactional_db):
        with ThreadPoolExecutor(16) as pool:
            assert [faults for faults in pool.map(lambda _: views.find_faults(), range(64)) if faults] == []


class TestFigures:
    def test_without_a_token_there_are_none(self, db):
        assert Client().get("/metrics").status_code == 404

    def test_without_a_database_there_are_still_figures(self, db, shown):
        def refuse(*_: object) -> None:
            raise OperationalError("gone")

        with connection.execute_wrapper(refuse):
            metrics = figures(shown)
        assert metrics[("appraise_database_up",)] == 0
        assert ("appraise_judgments",) not in metrics
        assert [name for name, *_ in metrics if name == "appraise_request_seconds_count"]

    @pytest.mark.parametrize("given", ["", "Bearer", "Bearer wrong", f"Token {TOKEN}", "Bearer żółw"])
    def test_another_token_is_refused(self, given, db, shown):
        answer = Client().get("/metrics", headers={"Authorization": given})
        assert (answer.status_code, answer["WWW-Authenticate"]) == (401, "Bearer")
        assert b"appraise_" not in answer.content

    @pytest.mark.wide
    def test_requests_are_counted_by_the_names_of_their_addresses(self, campaign, olga, browser_of, shown):
        row = ("appraise_request_seconds_count", "2xx", "GET", "organise")
        before = figures(shown).get(row, 0)
        browser_of(olga).get(reverse("organise", args=[campaign.slug]))
        after = figures(shown)
        assert after[row] == before + 1
        assert not [labels for labels in after if campaign.slug in labels]
        for number in range(5):
            Client().get(f"/nowhere-{number}")
        now = figures(shown)
        assert len(now) - len(after) <= 14, "one row, with its buckets"
        assert ("appraise_request_seconds_count", "4xx", "GET", "none") in now

    @pytest.mark.wide
    def test_the_state_is_reported(self, campaign, no_worker, shown):
        request_report(campaign)
        heartbeats.beat("short@machine", "short")
        heartbeats.beat("beat")
        metrics = figures(shown)
        expected = {
            ("appraise_database_up",): 1, ("appraise_queues_up",): 1, ("appraise_judgments",): 0,
            ("appraise_jobs", "queued", "report"): 1, ("appraise_jobs", "failed", "report"): 0,
            ("appraise_oldest_waiting_seconds", "assignment"): 0,
        }  # fmt: skip
        assert {name: metrics[name] for name in expected} == expected
        assert 0 <= metrics["appraise_oldest_waiting_seconds", "report"] < 60
        assert metrics[("appraise_database_bytes",)] > 100_000
        assert metrics["appraise_worker_silence_seconds", "short", "short@machine"] < 60
        assert metrics[("appraise_beat_silence_seconds",)] < 60
        queues = [name for first, *rest in metrics if first == "appraise_queue_length" for name in rest]
        assert set(queues) == {"short", "long"}


@pytest.mark.long
def test_processes_of_one_server_add_up_what_they_count(tmp_path):
    """Two processes count a request each; a third one, which counted none, reports two."""
    count = (
        "import django; django.setup(); from appraise_gec.server.middleware import SECONDS;"
        "SECONDS.labels('assignment', 'POST', '3xx').observe(0.2)"
    )
    tell = (
        "import django; django.setup(); from appraise_gec.health import prometheus;"
        "from prometheus_client import generate_latest;"
        "print(generate_latest(prometheus._request_metrics()).decode())"
    )
    variables = os.environ | {
        "PROMETHEUS_MULTIPROC_DIR": str(tmp_path),
        "DJANGO_SETTINGS_MODULE": "appraise_gec.settings",
    }
    for program in (count, count, tell):
        done = subprocess.run(
            [sys.executable, "-c", program], cwd=ROOT, env=variables, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
    assert 'appraise_request_seconds_count{method="POST",route="assignment",status="3xx"} 2.0' in done.stdout
