"""An error page explains a database that is down or too slow, with the number of the request."""

import json
from contextlib import AbstractContextManager

import psycopg2
import pytest
from django.db import OperationalError, connection
from django.test import Client
from django.urls import reverse


class Cancelled(psycopg2.OperationalError):
    """As PostgreSQL says that time was up."""

    pgcode = "57014"


def away(error: Exception, cause: Exception | None = None) -> AbstractContextManager[None]:
    """Make every query fail with this error."""

    def refuse(*_: object) -> None:
        raise error from cause

    return connection.execute_wrapper(refuse)


REFUSED = "could not connect to server: Connection refused\nIs it running?"


@pytest.mark.parametrize(
    ("error", "cause", "title"),
    [
        (OperationalError(REFUSED), None, "The database is unavailable"),
        (OperationalError("database is locked"), None, "The database is unavailable"),
        (OperationalError("canceling statement"), Cancelled(), "This took too long"),
    ],
)
def test_a_person_gets_a_page_and_a_number(error, cause, title, campaign, olga, browser_of, caplog):
    client = browser_of(olga)
    with away(error, cause):
        answer = client.get(reverse("journal", args=[campaign.slug]), headers={"X-Request-ID": "quoted-by-olga"})
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert f"<h1>{title}</h1>" in answer.content.decode()
    assert "quoted-by-olga" in answer.content.decode()
    (line,) = [made.getMessage() for made in caplog.records if made.name == "appraise_gec.server.errors"]
    assert "Is it running" not in line


def test_a_program_gets_a_problem_and_a_number(olga, browser_of):
    client = browser_of(olga)
    with away(OperationalError("the server is gone")):
        answer = client.get("/api/campaigns/")
    assert answer.status_code == 503
    problem = json.loads(answer.content)
    assert problem["title"] == "Service Unavailable"
    assert "try again" in problem["detail"]
    assert problem["request"] == answer["X-Request-ID"]


def test_a_table_that_is_missing_is_a_fault_of_ours(campaign, olga):
    client = Client(raise_request_exception=False)
    client.force_login(olga)
    with away(OperationalError("no such table: judgments_entry")):
        answer = client.get(reverse("journal", args=[campaign.slug]))
    assert answer.status_code == 500
    assert answer["X-Request-ID"] in answer.content.decode()


@pytest.mark.parametrize("address", ["/sign-in/", "/nowhere/"])
def test_without_collected_static_files_every_page_says_what_to_run(address, db, settings, tmp_path):
    settings.STATIC_ROOT = tmp_path
    collected = {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"}
    settings.STORAGES = settings.STORAGES | {"staticfiles": collected}
    answer = Client(raise_request_exception=False).get(address)
    assert (answer.status_code, answer["Content-Type"]) == (500, "text/plain; charset=utf-8")
    assert "run python manage.py collectstatic --no-input" in answer.content.decode()


def test_a_request_that_is_too_large_gets_a_problem_from_the_api_and_a_page_elsewhere(olga, browser_of):
    client = browser_of(olga)
    for address, status, kind in [
        ("/api/campaigns/demo/uploads/", 413, "application/problem+json"),
        ("/sign-in/", 400, "text/html; charset=utf-8"),
    ]:
        answer = client.post(address, "a", content_type="text/plain", CONTENT_LENGTH=str(102 * 2**20))
        assert (answer.status_code, answer["Content-Type"]) == (status, kind)
        assert "too large" in answer.content.decode()
