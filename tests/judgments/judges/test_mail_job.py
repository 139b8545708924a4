"""Links by mail: only with a mail server, to everyone invited by address, each once."""

from smtplib import SMTPRecipientsRefused, SMTPServerDisconnected

import pytest
from django.core.mail.backends.locmem import EmailBackend
from django.urls import reverse

from judgments.jobs.tasks import sweep_jobs
from judgments.judges import invitations, mailing
from judgments.models import Invitation, Job, JournalEntry, MailJob
from judgments.rules.errors import Refused
from tests.judgments.jobs.queued import make_stale
from tests.judgments.jobs.running import run_job

MAIL = {"subject": "Come\nand judge", "text": "Here, {name}: {link}", "step": "send"}


@pytest.fixture
def server(settings):
    settings.EMAIL_HOST = "mail.example.org"
    settings.DEFAULT_FROM_EMAIL = "olga@example.org"


@pytest.fixture
def press(campaign, olga, browser_of, no_worker):
    """The button, and what the page says then."""
    invitations.invite(campaign, ["dan", "eve@example.org", "fay@example.org"])
    client = browser_of(olga)

    def press(**changed: str) -> str:
        address = reverse("mail_links", args=[campaign.slug])
        page = client.post(address, MAIL | changed, follow=True).content.decode()
        for job in MailJob.objects.filter(state=Job.State.QUEUED):
            run_job("mail", job.pk)
            page += client.get(address).content.decode()
        return page

    return press


def outcome() -> tuple[int, int]:
    """How many the last mailing reached, and how many it did not."""
    job = MailJob.objects.latest("pk")
    return job.outcome["sent"], len(job.problems)


def test_without_a_server_there_is_no_button_and_nothing_goes_out(campaign, press, mailoutbox):
    page = press()
    assert "No mail server is configured" in page
    assert '<button name="step"' not in page
    assert not mailoutbox


@pytest.mark.postgresql
def test_everybody_with_an_address_gets_their_own_link_once(campaign, press, server, mailoutbox):
    page = press()
    assert "The links are being sent" in page
    assert outcome() == (2, 0)
    assert "All links have already been sent to the mail addresses given." in press()
    assert [(mail.to, mail.subject, mail.from_email) for mail in mailoutbox] == [
        (["eve@example.org"], "Come and judge", "olga@example.org"),
        (["fay@example.org"], "Come and judge", "olga@example.org"),
    ]
    token = Invitation.objects.get(pseudonym="eve").token
    assert mailoutbox[0].body == f"Here, eve: http://127.0.0.1:8000{reverse('join', args=[token])}"
    assert JournalEntry.objects.filter(what="sent 2 links by mail").count() == 1
    Invitation.objects.get(pseudonym="eve").revoke()
    invitations.invite(campaign, ["eve@example.org"])  # a new link
    press()
    assert outcome() == (1, 0)
    assert mailoutbox[2].to == ["eve@example.org"]


def raising(error: Exception, *addresses: str):
    """Fails to send, if not to all then to these addresses."""
    sound = EmailBackend.send_messages

    def send(self, mails):
        if not addresses or mails[0].to[0] in addresses:
            raise error
        return sound(self, mails)

    return send


def test_refusals_by_the_server_are_reported_and_retried(campaign, press, server, mailoutbox, monkeypatch):
    with monkeypatch.context() as patch:
        gone = SMTPServerDisconnected("gone away")
        patch.setattr(EmailBackend, "send_messages", raising(gone, "fay@example.org"))
        page = press()
    assert outcome() == (1, 1)
    assert "<strong>fay@example.org</strong>: The mail server could not be reached or rejected the mail: gone" in page
    assert "1 of those invited by a mail address has not been sent a link yet." in page
    press()
    assert outcome() == (1, 0)
    assert [mail.to for mail in mailoutbox] == [["eve@example.org"], ["fay@example.org"]]


def test_a_refused_address_delays_no_other_mail(press, server, mailoutbox, monkeypatch):
    unknown = SMTPRecipientsRefused({"eve@example.org": (550, b"<no such user>")})
    monkeypatch.setattr(EmailBackend, "send_messages", raising(unknown, "eve@example.org"))
    page = press()
    assert "<strong>eve@example.org</strong>: The mail server rejected this address: 550 &lt;no such user&gt;<" in page
    assert [mail.to for mail in mailoutbox] == [["fay@example.org"]]


def test_an_address_that_mail_cannot_reach_is_named_and_not_counted_as_sent(campaign, press, server, mailoutbox):
    invitations.invite(campaign, ["żaba@example.org", "gil@żaba.example.org"])
    page = press()
    assert outcome() == (3, 1)
    assert f"<strong>żaba@example.org</strong>: {mailing.NOT_ASCII}" in page
    assert mailoutbox[-1].to == ["gil@żaba.example.org"]
    assert Invitation.objects.get(mailed_at=None, address__contains="@").address == "żaba@example.org"


def test_a_server_that_is_gone_is_tried_once(campaign, press, server, monkeypatch):
    attempts = []

    def gone(self):
        attempts.append(self)
        raise OSError("no route to host")

    monkeypatch.setattr(EmailBackend, "open", gone)
    assert press().count("no route to host") == 2
    assert len(attempts) == 1
    assert not Invitation.objects.exclude(mailed_at=None).exists()


def test_a_worker_that_was_killed_sends_no_mail_twice(campaign, olga, server, press, mailoutbox, monkeypatch):
    job = mailing.request(campaign, olga, "Come", "{link}")

    class Killed(BaseException):
        pass

    def killed(attempt, **found):
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(mailing.Attempt, "finish", killed)
        with pytest.raises(Killed):
            run_job("mail", job.pk)
    make_stale(job)
    sweep_jobs()
    run_job("mail", job.pk)
    assert len(mailoutbox) == 2
    job.refresh_from_db()
    assert (job.state, job.outcome["sent"]) == (Job.State.DONE, 2)


def test_a_preview_and_a_test_send_nothing_to_judges(campaign, press, server, mailoutbox, monkeypatch):
    assert "Here, eve: http://127.0.0.1:8000/join/example/" in press(step="preview")
    assert "where the link should go" in press(text="Come!")
    assert not mailoutbox
    assert "Enter the address" in press(step="test")
    assert "A test was sent to olga@example.org" in press(step="test", test_to="olga@example.org")
    assert [(mail.to, mail.body) for mail in mailoutbox] == [
        (["olga@example.org"], "Here, eve: http://127.0.0.1:8000/join/example/")
    ]
    assert not Invitation.objects.exclude(mailed_at=None).exists()
    monkeypatch.setattr(EmailBackend, "send_messages", raising(OSError("no route to host")))
    assert "no route to host" in press(step="test", test_to="olga@example.org")


@pytest.mark.postgresql
def test_a_button_pressed_twice_asks_once(campaign, olga, server, press):
    mailing.request(campaign, olga, "Come", "{link}")
    with pytest.raises(Refused, match="already being sent"):
        mailing.request(campaign, olga, "Come", "{link}")
