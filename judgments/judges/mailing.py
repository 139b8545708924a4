"""Sending personal links by mail in a worker, if a mail server is configured."""

from smtplib import SMTPException, SMTPRecipientsRefused, SMTPResponseException

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.encoding import force_str

from judgments.jobs.attempts import Attempt
from judgments.jobs.control import create_single
from judgments.jobs.tasks import enqueue
from judgments.judges.people import links_to_mail
from judgments.models import Campaign, Invitation, MailJob
from judgments.models.journal import note
from judgments.models.members import Visitor, site_address
from judgments.rules.errors import Refused

# What the text of a mail stands for.
LINK, NAME = "{link}", "{name}"
SENDING = "sending"
LONGEST_FAILURE = 200
# Django would write it in a way that servers take for another mailbox.
NOT_ASCII = (
    "Nothing was sent, because mail reaches only addresses with plain letters before the @. Hand over the link, or "
    "invite another address."
)


def is_possible() -> bool:
    return bool(settings.EMAIL_HOST)


def fault_of_text(text: str) -> str | None:
    return None if LINK in text else f"The text does not contain {LINK}; write {LINK} where the link should go."


def create(campaign: Campaign, user: Visitor, subject: str, text: str) -> MailJob:
    """Create a job that sends each unsent link once."""
    if not is_possible():
        raise Refused("No mail server is configured. Download the links as CSV, or ask the operator to set EMAIL_HOST.")
    if not links_to_mail(campaign).exists():
        raise Refused("All links have already been sent to the mail addresses given.")
    return create_single(
        MailJob, "The links are already being sent. Reload this page in a moment.",
        campaign=campaign, requested_by_id=user.pk, payload={"subject": subject, "text": text},
        outcome={"sent": 0},
    )  # fmt: skip


@transaction.atomic
def request(campaign: Campaign, user: Visitor, subject: str, text: str) -> MailJob:
    return enqueue(create(campaign, user, subject, text))


def mails_of(campaign: Campaign) -> QuerySet[MailJob]:
    """All mailings of the campaign, newest first."""
    return MailJob.objects.filter(campaign=campaign).select_related("requested_by").order_by("-pk")


def fill_in(text: str, name: str, link: str) -> str:
    return text.replace(NAME, name).replace(LINK, link)


def preview(campaign: Campaign, text: str) -> str:
    """The mail that the next recipient would get, with an address that is no link."""
    first = links_to_mail(campaign).first()
    return fill_in(text, first.pseudonym if first else "Ada", site_address("join", "example"))


def send_test(campaign: Campaign, subject: str, text: str, to: str) -> None:
    """Send the preview to an organiser, within the request."""
    try:
        EmailMessage(subject, preview(campaign, text), to=[to]).send()
    except (OSError, SMTPException, ValueError) as error:
        raise Refused(f"The test was not sent. The mail server says: {_reason(error)}") from error


def send_links(job: MailJob, attempt: Attempt) -> None:
    """Send the unsent links; repeated attempts never send a link twice. Stop trying when the server is unreachable."""
    attempt.step(SENDING, 0.0)
    waiting, unreached, unavailable = list(links_to_mail(job.campaign)), [], ""
    connection, progress = get_connection(), attempt.progress(0.0, 1.0)
    try:
        for number, invitation in enumerate(waiting):
            progress(number, len(waiting))
            reason = unavailable or ("" if invitation.address.partition("@")[0].isascii() else NOT_ASCII)
            try:
                if not reason and _send(job, invitation, connection):
                    job.outcome["sent"] += 1
                    attempt.row.update(outcome=job.outcome)
            except (SMTPRecipientsRefused, ValueError) as error:
                reason = f"The mail server rejected this address: {_reason(error)}"
            except (OSError, SMTPException) as error:
                reason = unavailable = f"The mail server could not be reached or rejected the mail: {_reason(error)}"
            if reason:
                unreached.append({"address": invitation.address, "why": reason})
    finally:
        connection.close()
    with transaction.atomic():
        if sent := job.outcome["sent"]:
            note(job.campaign, f"sent {sent} links by mail")
        attempt.finish(problems=unreached)


def _reason(error: Exception) -> str:
    """What the server said, such as 550 no such user."""
    said: list[tuple[int, bytes | str]] = []
    if isinstance(error, SMTPRecipientsRefused):
        said += error.recipients.values()
    elif isinstance(error, SMTPResponseException):
        said.append((error.smtp_code, error.smtp_error))
    words = "; ".join(f"{code} {force_str(what, errors='replace')}" for code, what in said)
    return (words or str(error))[:LONGEST_FAILURE] or type(error).__name__


def _send(job: MailJob, invitation: Invitation, connection: BaseEmailBackend) -> bool:
    """Send a judge's link unless it was sent before.

    The invitation is marked before the mail is sent, so a worker killed in between sends no mail twice.
    """
    waiting = Invitation.objects.filter(pk=invitation.pk, mailed_at=None)
    if not waiting.update(mailed_at=timezone.now()):
        return False
    text = fill_in(job.payload["text"], invitation.pseudonym, invitation.url)
    mail = EmailMessage(job.payload["subject"], text, to=[invitation.address])
    try:
        connection.open()
        connection.send_messages([mail])
    except BaseException:
        Invitation.objects.filter(pk=invitation.pk).update(mailed_at=None)
        raise
    return True
