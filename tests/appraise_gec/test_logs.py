"""What the log says of requests and tasks, and what it never says."""

import json
import logging
import re
import sys

import pytest
from django.test import Client
from django.urls import reverse

from appraise_gec import celery, logs
from judgments.judges import invitations
from judgments.rules import tracing

REQUESTS = "appraise_gec.requests"


@pytest.fixture(autouse=True)
def _about_nothing():
    yield
    tracing.request_id.set("")
    logs.running_task.set(None)


def record(message: str, *words: object, **besides: object) -> logging.LogRecord:
    made = logging.LogRecord("judgments", logging.INFO, __file__, 1, message, words, None)
    made.__dict__.update(besides)
    return made


def test_a_request_keeps_the_id_that_a_proxy_gave_it(db):
    assert Client().get("/healthz", headers={"X-Request-ID": "abc-123.DEF_4"})["X-Request-ID"] == "abc-123.DEF_4"


@pytest.mark.parametrize(
    "given", ["", "short", "x" * 65, "two words", "a\nline", "<script>alert(1)</script>", "żółw-1234"]
)
def test_an_id_that_may_not_stand_in_a_log_is_replaced(db, given):
    made = logs.request_id_of(given)
    assert made != given
    assert re.fullmatch("[0-9a-f]{16}", made)


def test_every_request_is_one_line_without_its_query_and_without_tokens(campaign, olga, browser_of, caplog):
    (invitation,) = invitations.invite(campaign, ["dan"])
    with caplog.at_level(logging.INFO, REQUESTS):
        browser_of(olga).get(reverse("join", args=[invitation.token]) + "?who=dan@example.org")
    (line,) = [made for made in caplog.records if made.name == REQUESTS]
    written = logs.JsonFormatter().format(line)
    assert invitation.token not in written
    assert "dan" not in written
    entry = json.loads(written)
    assert (entry["path"], entry["method"], entry["status"]) == ("/join/***", "GET", 200)
    assert len(entry["request"]) == 16


def test_an_answer_of_a_judge_is_in_no_line(campaign, ada, browser_of, caplog):
    with caplog.at_level(logging.DEBUG):
        client = browser_of(ada.user)
        where = client.post(reverse("begin", args=[campaign.slug])).url
        client.post(where, {"comment": "a comment of mine", "key": "no key"})
        client.post(where + "draft/", {"comment": "a comment of mine"})
    for made in caplog.records:
        assert "of mine" not in logs.JsonFormatter().format(made)


def test_json_is_always_one_line_and_nobody_writes_lines_of_their_own_into_the_log_for_people():
    written = logs.JsonFormatter().format(record("of %s", 'a "name"\nwith a line\u2028and another'))
    assert "\n" not in written
    assert json.loads(written)["message"].startswith('of a "name"\nwith')
    forged = "/x\n2026-11-22 03:00:00 INFO appraise_gec.requests: POST /sign-in/ 302\r\x1b[31m\u2028\x85"
    written = logs.Plain().format(record("GET %s 404", forged))
    assert len(written.splitlines()) == 1
    assert written.isprintable()
    tracing.request_id.set("0123456789abcdef")
    assert logs.Plain().format(record("hello")).endswith("INFO judgments: hello [request=0123456789abcdef]")


def test_neither_links_nor_the_row_that_a_database_refused_are_quoted():
    try:
        raise ValueError("not at https://judge.example.org/join/SECRET123/ nor /join/shared/SECRET456")
    except ValueError:
        fault = record("at %s", "/join/SECRET789/", exc_info=sys.exc_info())
    refused = record("no:\nDETAIL:  Failing row contains (ada@example.org, 7).\nCONTEXT: here")
    for style in logs.FORMATS.values():
        assert "SECRET" not in style().format(fault)
        assert "ada@" not in style().format(refused)


@pytest.mark.parametrize(
    "bent",
    [
        "/join//SECRET1/", "/join%2FSECRET1", "/join%252FSECRET1/", "/join/shared/ SECRET1/", "/JOIN/SECRET1",
        "/join\\SECRET1", "/prolific/SECRET1/", "/teams/SECRET1/2/",
        "/en/join/SECRET1?next=/", '/join/x"SECRET1/', "https://judge.example.org/join/shared/x'SECRET1",
    ],
)  # fmt: skip
def test_an_altered_link_is_masked_too(bent):
    for style in logs.FORMATS.values():
        assert "SECRET1" not in style().format(record("GET %s 404", bent))


class TestTasks:
    class Task:
        name = "judgments.run_next"

    def test_lines_of_a_task_have_its_id_and_that_of_the_request(self, caplog):
        with caplog.at_level(logging.INFO, "appraise_gec.tasks"):
            celery.note_task("t-1", self.Task())
            tracing.request_id.set("asked-by-olga")
            tracing.running_job.set("report 7")
            inside = json.loads(logs.JsonFormatter().format(record("reading judgments")))
            lines: list[str] = []
            caplog.handler.format = lambda made: lines.append(logs.JsonFormatter().format(made)) or ""  # type: ignore
            celery.forget_task(state="SUCCESS")
        assert (inside["request"], inside["task"], inside["task_name"], inside["job"]) == (
            "asked-by-olga", "t-1", "judgments.run_next", "report 7",
        )  # fmt: skip
        assert logs.about() == {}
        assert json.loads(lines[0])["state"] == "SUCCESS"

    def test_scheduled_tasks_are_logged_only_if_they_fail(self, caplog):
        tracing.running_job.set("report 7")  # what an earlier task of this process was at
        with caplog.at_level(logging.INFO, "appraise_gec.tasks"):
            for state in ("SUCCESS", "FAILURE"):
                celery.note_task("t-2", self.Task())
                celery.forget_task(state=state)
        assert [made.fields["state"] for made in caplog.records] == ["FAILURE"]
