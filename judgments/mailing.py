"""Sending personal links by mail, where the settings name a mail server."""

from collections.abc import Callable
from smtplib import SMTPException

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.utils import timezone

from judgments.faults import Refused
from judgments.journal import note
from judgments.models import Campaign, Invitation
from judgments.overview import links_to_mail

MOST_AT_ONCE = 50
LINK = "{link}"


def is_possible() -> bool:
    """Whether there is a mail server to send by."""
    return bool(settings.EMAIL_HOST)


def send_links(campaign: Campaign, subject: str, text: str, address_of: Callable[[str], str]) -> int:
    """Mail those who were invited by an address their link, each once; how many went out this time.

    Each is marked before it is sent, so that a button pressed twice sends no mail twice.
    """
    if not is_possible():
        raise Refused("No mail server is set; take the links as CSV, or ask whoever runs this site to set EMAIL_HOST.")
    connection = get_connection()
    sent = 0
    try:
        for invitation in links_to_mail(campaign)[:MOST_AT_ONCE]:
            told = text.replace(LINK, address_of(invitation.token))
            sent += _send(invitation, EmailMessage(subject, told, to=[invitation.address]), connection)
    except (OSError, SMTPException) as error:
        raise Refused(
            f"The mail server refused: {error}. Mails sent before: {sent}. Press the button again later."
        ) from error
    finally:
        connection.close()
        if sent:
            note(campaign, f"sent {sent} links by mail")
    return sent


def _send(invitation: Invitation, mail: EmailMessage, connection: BaseEmailBackend) -> bool:
    """Send to one judge, unless somebody else is doing so."""
    waiting = Invitation.objects.filter(pk=invitation.pk, mailed_at=None)
    if not waiting.update(mailed_at=timezone.now()):
        return False
    try:
        connection.open()
        connection.send_messages([mail])
    except (OSError, SMTPException):
        Invitation.objects.filter(pk=invitation.pk).update(mailed_at=None)
        raise
    return True
