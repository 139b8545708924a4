"""Links by mail: only with a server, to whoever was invited by an address, each once."""

from smtplib import SMTPServerDisconnected

import pytest
from django.core.mail.backends.locmem import EmailBackend
from django.urls import reverse

from judgments import invitations
from judgments.models import Entry, Invitation

MAIL = {"subject": "Come\nand judge", "text": "Here: {link}"}


@pytest.fixture
def server(settings):
    settings.EMAIL_HOST = "mail.example.org"
    settings.DEFAULT_FROM_EMAIL = "olga@example.org"


@pytest.fixture
def press(campaign, olga, browser_of):
    """The button, and what the page says then."""
    invitations.invite(campaign, ["dan", "eve@example.org", "fay@example.org"])
    client = browser_of(olga)

    def press(**changed: str) -> str:
        address = reverse("mail_links", args=[campaign.slug])
        return client.post(address, MAIL | changed, follow=True).content.decode()

    return press


def test_without_a_server_there_is_no_button_and_nothing_goes_out(campaign, press, mailoutbox):
    page = press()
    assert "No mail server is set" in page
    assert "Send the links by mail" not in page
    assert not mailoutbox


def test_everybody_with_an_address_gets_the_own_link_once(campaign, press, server, mailoutbox):
    assert "Mails sent: 2, left: 0." in press()
    assert "Mails sent: 0, left: 0." in press()
    assert [(mail.to, mail.subject, mail.from_email) for mail in mailoutbox] == [
        (["eve@example.org"], "Come and judge", "olga@example.org"),
        (["fay@example.org"], "Come and judge", "olga@example.org"),
    ]
    token = Invitation.objects.get(pseudonym="eve").token
    assert mailoutbox[0].body == f"Here: http://testserver{reverse('join', args=[token])}"
    assert Entry.objects.filter(what="sent 2 links by mail").count() == 1


def test_a_new_link_is_sent_again(campaign, press, server, mailoutbox):
    press()
    invitations.revoke(Invitation.objects.get(pseudonym="eve"))
    invitations.invite(campaign, ["eve@example.org"])
    assert "Mails sent: 1" in press()
    assert mailoutbox[2].to == ["eve@example.org"]


def test_a_text_without_the_link_is_a_slip(press, server, mailoutbox):
    assert "say where the link goes" in press(text="Come!")
    assert not mailoutbox


def test_what_the_server_refuses_is_told_and_tried_again(campaign, press, server, mailoutbox, monkeypatch):
    sound = EmailBackend.send_messages

    def refuse(self, mails):
        if mails[0].to == ["fay@example.org"]:
            raise SMTPServerDisconnected("gone away")
        return sound(self, mails)

    monkeypatch.setattr(EmailBackend, "send_messages", refuse)
    page = press()
    assert "The mail server refused: gone away. Mails sent before: 1." in page
    assert "1 of those invited by a mail address has not been sent a link yet." in page
    monkeypatch.setattr(EmailBackend, "send_messages", sound)
    assert "Mails sent: 1, left: 0." in press()
    assert [mail.to for mail in mailoutbox] == [["eve@example.org"], ["fay@example.org"]]
