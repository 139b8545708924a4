"""Mail personal links to the judges who were invited by e-mail address and have not been sent theirs yet.

FILE holds the text, with {link} in place of the personal link. The settings must name a mail server. Example:

  python manage.py mail_links mytask --subject "Your link for judging" --text invitation.txt
"""

from pathlib import Path

from django.contrib.auth.models import AnonymousUser

from judgments.jobs.attempts import run_now
from judgments.judges import mailing
from judgments.management.base import CAMPAIGN, PlatformCommand, argument
from judgments.models import Campaign
from judgments.rules.errors import Refused


class Command(PlatformCommand):
    arguments = (
        CAMPAIGN,
        argument("--subject", required=True),
        argument("--text", required=True, type=Path, metavar="FILE"),
    )

    def run(self, campaign: Campaign, subject: str, text: Path) -> str:
        body = text.read_text(encoding="utf-8")
        if fault := mailing.fault_of_text(body):
            raise Refused(fault)
        job = mailing.create(campaign, AnonymousUser(), subject, body)
        run_now(job)
        job.refresh_from_db()
        unreached = [f"{each['address']}: {each['why']}" for each in job.problems]
        return "\n".join([f"Mails sent: {job.outcome['sent']}, not reached: {len(unreached)}.", *unreached])
