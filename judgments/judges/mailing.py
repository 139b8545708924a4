"""Sending personal links by mail, where the settings name a mail server: asked for, then sent by a worker."""

from smtplib import SMTPException, SMTPRecipientsRefused

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db import IntegrityError, transaction
from django.db.models import F
from django.urls import reverse
from django.utils import timezone

from judgments.jobs.attempts import Attempt
from judgments.judges.people import links_to_mail
from judgments.models import Campaign, Invitation, Mailing
from judgments.models.journal import acting, note
from judgments.models.members import Visitor
from judgments.rules.errors import Refused

LINK = "{link}"
SENDING = "sending"
MISFIT = "Nothing more was sent."
LONGEST_FAILURE = 200


def is_possible() -> bool:
    """Whether there is a mail server to send by."""
    return bool(settings.EMAIL_HOST)


def fault_of_text(text: str) -> str | None:
    """Why this cannot be sent, or None: a mail without the link is a slip."""
    return None if LINK in text else f"The text has no {LINK} in it; say where the link goes."


def ask(campaign: Campaign, user: Visitor, subject: str, text: str, site: str) -> Mailing:
    """Have those who were invited by an address sent their link, each once."""
    if not is_possible():
        raise Refused("No mail server is set; take the links as CSV, or ask whoever runs this site to set EMAIL_HOST.")
    if not links_to_mail(campaign).exists():
        raise Refused("Everybody with a mail address has been sent a link already.")
    try:
        with transaction.atomic():
            return Mailing.objects.create(campaign=campaign, asked_by_id=user.pk, subject=subject, text=text, site=site)
    except IntegrityError as error:
        raise Refused("The links are being sent already. Look at this page again in a moment.") from error


def run(mailing_id: int) -> None:
    """Send what waits; whoever was sent a link is never sent it again, however often this is called."""
    attempt = Attempt.begun(Mailing.objects.all(), mailing_id, MISFIT)
    if attempt is None:
        return
    with attempt.going_on():
        attempt.step(SENDING, 0.0)
        mailing = Mailing.objects.select_related("campaign", "asked_by").get(pk=mailing_id)
        unreached = _send_all(mailing, attempt)
        sent = Mailing.objects.values_list("sent", flat=True).get(pk=mailing_id)
        with acting(lambda: mailing.asked_by.get_username() if mailing.asked_by else ""), transaction.atomic():
            if sent:
                note(mailing.campaign, f"sent {sent} links by mail")
            attempt.finish(unreached=unreached)


def _send_all(mailing: Mailing, attempt: Attempt) -> list[dict[str, str]]:
    """Mail everybody; who was not reached, and why. A server that is gone is not asked again for each."""
    waiting = list(links_to_mail(mailing.campaign))
    connection = get_connection()
    progress = attempt.progress(0.0, 1.0)
    unreached = []
    gone = ""
    try:
        for number, invitation in enumerate(waiting):
            progress(number, len(waiting))
            why = gone
            try:
                if not gone and _send(mailing, invitation, connection):
                    attempt.mine.update(sent=F("sent") + 1)
            except (SMTPRecipientsRefused, ValueError) as error:
                why = f"The mail server does not take this address: {_reason(error)}"
            except (OSError, SMTPException) as error:
                why = gone = f"The mail server could not be reached, or refused: {_reason(error)}"
            if why:
                unreached.append({"address": invitation.address, "why": why})
    finally:
        connection.close()
    return unreached


def _reason(error: Exception) -> str:
    return str(error)[:LONGEST_FAILURE] or type(error).__name__


def _send(mailing: Mailing, invitation: Invitation, connection: BaseEmailBackend) -> bool:
    """Send to one judge, unless somebody did.

    It is marked before it is sent, so that a worker that is killed in between sends no mail twice.
    """
    waiting = Invitation.objects.filter(pk=invitation.pk, mailed_at=None)
    if not waiting.update(mailed_at=timezone.now()):
        return False
    link = f"{mailing.site}{reverse('join', args=[invitation.token])}"
    mail = EmailMessage(mailing.subject, mailing.text.replace(LINK, link), to=[invitation.address])
    try:
        connection.open()
        connection.send_messages([mail])
    except BaseException:
        Invitation.objects.filter(pk=invitation.pk).update(mailed_at=None)
        raise
    return True
