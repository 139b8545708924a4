"""Prolific's webhook frees the places of participants who return, and workers approve finished submissions."""

import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from django.test import Client, override_settings
from django.urls import reverse

from judgments.assignment import claiming
from judgments.judges import invitations
from judgments.judges.prolific import approve_submissions
from judgments.models import Assignment, Completion, JournalEntry, Membership, SharedLink
from judgments.rules.crowd_platforms import AWAITING, MOST_SESSIONS, STAGES, event_of, follows, is_signed, signature_of
from judgments.rules.errors import Refused

SECRET, TOKEN = "cGNqFPb6y0RT3XO9XVSe", "a-token-of-prolific"


def worker(number: int = 1, session: str = "") -> dict[str, str]:
    return {"PROLIFIC_PID": f"pid{number}", "STUDY_ID": "study", "SESSION_ID": session or f"session{number}"}


@pytest.fixture
def link(campaign, settings) -> SharedLink:
    settings.PROLIFIC_SECRET = SECRET
    return invitations.share(campaign, 1)


@pytest.fixture
def pat(link) -> Membership:
    return Membership.objects.get(user=invitations.join(link, worker()))


class Prolific(HTTPServer):
    """A local stand-in: it gives the answers that it is told to give, at last 200, and keeps what it was sent."""

    def __init__(self) -> None:
        self.answers: list[int] = []
        self.sent: list[tuple[str, str, dict]] = []
        super().__init__(("127.0.0.1", 0), Approving)


class Approving(BaseHTTPRequestHandler):
    server: Prolific

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.sent.append((self.path, self.headers["Authorization"], body))
        self.send_response(self.server.answers.pop(0) if self.server.answers else 200)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def prolific(settings) -> Iterator[Prolific]:
    server = Prolific()
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    settings.PROLIFIC_TOKEN, settings.PROLIFIC_API = TOKEN, f"http://127.0.0.1:{server.server_port}"
    yield server
    server.shutdown()
    server.server_close()


def body_of(status: str, number: int = 1, **changed: object) -> bytes:
    event = {"event_type": "submission.status.change", "participant_id": f"pid{number}", "status": status}
    return json.dumps(event | {"resource_id": f"session{number}"} | changed).encode()


def send(link: SharedLink, body: bytes, secret: str = SECRET, age: float = 0, **changed: str) -> int:
    """Post an event as Prolific does, and return the status of the answer."""
    timestamp = str(int(time.time() - age))
    headers = {
        "X-Prolific-Request-Timestamp": timestamp,
        "X-Prolific-Request-Signature": signature_of(secret, timestamp, body).decode(),
    } | changed
    client = Client(enforce_csrf_checks=True)
    address = reverse("prolific", args=[link.token])
    return client.post(address, body, content_type="application/json", headers=headers).status_code


def learned() -> list[str]:
    return list(JournalEntry.objects.filter(what__contains="Prolific").order_by("pk").values_list("what", flat=True))


def finish(judge: Membership, **more: object) -> None:
    batch = Assignment.objects.planned().filter(campaign=judge.campaign).first().batch
    Completion.objects.create(judge=judge, batch=batch, screens=3, **{"earns_code": True, "passed": True} | more)


# The signature


def test_a_signature_is_base64_of_an_hmac_over_time_and_body_and_counts_while_it_is_fresh():
    """Checked with: printf '1717331262{}' | openssl dgst -sha256 -hmac secret -binary | base64."""
    assert signature_of("secret", "1717331262", b"{}") == b"dQPBWYh/5XlBkS13zVjjy/UYlkRjAqDX1lFHsHOxjxY="
    signature = signature_of("secret", "1000", b"{}").decode()
    assert is_signed("secret", "1000", b"{}", signature, 1299.0)
    assert not is_signed("secret", "1000", b"{}", signature, 1301.0)
    assert not is_signed("secret", "1000", b"{}", signature, 699.0)
    assert not is_signed("secret", "1001", b"{}", signature, 1000.0)
    assert not is_signed("secret", "1000", b"[]", signature, 1000.0)
    assert not is_signed("", "1000", b"{}", signature_of("", "1000", b"{}").decode(), 1000.0)
    assert not is_signed("secret", "now", b"{}", signature_of("secret", "now", b"{}").decode(), 1000.0)


@pytest.mark.parametrize(
    "changed",
    [
        {"secret": "another"},
        {"age": 400},
        *({"X-Prolific-Request-Signature": signature} for signature in ("", "é")),
        {"X-Prolific-Request-Timestamp": "soon"},
    ],
)
def test_an_event_without_a_right_signature_changes_nothing(link, pat, changed):
    assert send(link, body_of("RETURNED"), **changed) == 403
    assert learned() == []


def test_no_event_is_taken_without_a_secret_or_that_is_large(link, settings):
    assert send(link, b" " * (64 * 2**10 + 1)) == 413, "it is refused before it is read"
    settings.PROLIFIC_SECRET = ""
    assert send(link, body_of("RETURNED"), secret="") == 403


@pytest.mark.postgresql
@pytest.mark.parametrize(
    "body",
    [
        b"", b"\xff", b"[]", b"{}", body_of("RETURNED", event_type="study.status.change"),
        body_of("RETURNED", resource_id=7), body_of("RETURNED", participant_id="pid1\0"), body_of("BORED"),
        body_of("RETURNED", participant_id="pid1\ud800"),
        body_of("RETURNED", 2), body_of("RETURNED", resource_id="session-of-another-study"),
    ],
)  # fmt: skip
def test_what_is_not_about_a_submission_here_is_accepted_and_ignored(link, pat, body):
    assert send(link, body) == 204
    assert learned() == []


# Places


def test_a_returned_submission_frees_the_place_and_the_open_screens(link, pat):
    assert claiming.claim_next(pat)
    with pytest.raises(Refused):
        invitations.join(link, worker(2))
    assert send(link, body_of("RETURNED")) == 204
    assert not Assignment.objects.held_by(pat).exists()
    assert learned() == ["learned from Prolific that the submission of judge-1 is RETURNED; the place is free"]
    assert invitations.join(link, worker(2)).first_name == "judge-2"


def test_the_same_event_twice_does_nothing_twice_even_if_the_link_admits_nobody_any_more(link, pat):
    assert send(link, body_of("TIMED-OUT")) == 204
    assignment = claiming.claim_next(pat)
    link.revoke()
    assert send(link, body_of("TIMED-OUT")) == 204
    assert Assignment.objects.held_by(pat).get() == assignment
    assert len(learned()) == 1
    assert send(link, body_of("APPROVED")) == 204
    assert Membership.objects.get(pk=pat.pk).submission_status == "APPROVED"


def test_an_event_that_comes_too_late_changes_nothing(link, pat):
    for status in (AWAITING, "TIMED-OUT", "APPROVED", AWAITING, "RETURNED"):
        assert send(link, body_of(status)) == 204
    pat.refresh_from_db()
    assert pat.submission_status == "APPROVED"
    assert len(learned()) == 2
    assert not any(follows(status, status) for status in STAGES)
    assert event_of(body_of("RETURNED")) == ("pid1", "session1", "RETURNED")


def test_a_new_submission_of_the_same_participant_begins_anew(link, pat):
    send(link, body_of("RETURNED"))
    invitations.join(link, worker(session="session9"))
    pat.refresh_from_db()
    assert pat.submission_status == ""
    assert send(link, body_of(AWAITING, resource_id="session9")) == 204
    assert len(learned()) == 2


def test_a_stranger_with_the_link_and_a_workers_number_cannot_replace_the_submission(link, pat, prolific):
    """Nor by filling the list of later ones; only a signed event says which of them counts."""
    finish(pat)
    for number in range(3):
        invitations.join(link, worker(session=f"fake{number}"))
    send(link, body_of(AWAITING))
    invitations.join(link, worker(session="fake9"))
    approve_submissions()
    assert [address for address, *_ in prolific.sent] == ["/api/v1/submissions/session1/transition/"]
    for number in range(MOST_SESSIONS + 2):
        invitations.join(link, worker(session=f"more{number}"))
    pat.refresh_from_db()
    assert len(pat.later_sessions) == MOST_SESSIONS


def test_a_later_submission_counts_from_the_first_event_about_it_and_an_earlier_one_no_more(link, pat):
    invitations.join(link, worker(session="session2"))
    assert send(link, body_of("TIMED-OUT", resource_id="session2")) == 204
    assert send(link, body_of(AWAITING)) == 204
    pat.refresh_from_db()
    assert (pat.submission_status, pat.platform["SESSION_ID"]) == ("TIMED-OUT", "session2")


# Approving


def test_a_finished_submission_is_approved_once(link, pat, prolific):
    finish(pat)
    send(link, body_of(AWAITING))
    approve_submissions()
    approve_submissions()
    assert prolific.sent == [("/api/v1/submissions/session1/transition/", f"Token {TOKEN}", {"action": "APPROVE"})]
    assert learned()[-1] == "approved the submission of judge-1 on Prolific"
    assert send(link, body_of("APPROVED")) == 204
    assert len(learned()) == 2


@pytest.mark.postgresql
@pytest.mark.parametrize("answer", [500, 429, 401, None])
def test_what_fails_is_tried_again_in_the_next_round(link, pat, prolific, settings, answer):
    """Also a server that is not there."""
    finish(pat)
    send(link, body_of(AWAITING))
    prolific.answers = [answer] if answer else []
    with override_settings(PROLIFIC_API=settings.PROLIFIC_API if answer else "http://127.0.0.1:9"):
        approve_submissions()
    assert (Membership.objects.get(pk=pat.pk).submission_status, len(learned())) == (AWAITING, 1)
    approve_submissions()
    assert (len(prolific.sent), len(learned())) == (1 + bool(answer), 2)


def test_a_refused_approval_is_left_to_people(link, pat, prolific):
    finish(pat)
    send(link, body_of(AWAITING))
    prolific.answers = [400]
    approve_submissions()
    approve_submissions()
    assert len(prolific.sent) == 1
    assert learned()[-1] == "could not approve the submission of judge-1 (Prolific answered 400); decide there"
    assert send(link, body_of("APPROVED")) == 204
    assert Membership.objects.get(pk=pat.pk).submission_status == "APPROVED"


@pytest.mark.parametrize(
    ("more", "token"), [(None, TOKEN), ({"passed": False}, TOKEN), ({"earns_code": False}, TOKEN), ({}, "")]
)
def test_unfinished_and_failed_work_waits_for_people_and_all_without_a_token(
    link, pat, prolific, settings, more, token
):
    settings.PROLIFIC_TOKEN = token
    if more is not None:
        finish(pat, **more)
    send(link, body_of(AWAITING))
    approve_submissions()
    assert prolific.sent == []


def test_organisers_copy_the_study_link_and_the_target_of_the_webhook(campaign, link, olga, browser_of):
    page = browser_of(olga).get(reverse("judges", args=[campaign.slug])).content.decode()
    assert (
        f"/join/shared/{link.token}/?PROLIFIC_PID={{{{%PROLIFIC_PID%}}}}&amp;STUDY_ID={{{{%STUDY_ID%}}}}&amp;" in page
    )
    assert f"/prolific/{link.token}/" in page
