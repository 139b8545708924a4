"""Send personal links by mail."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser

from judgments.jobs.attempts import run_now
from judgments.judges import mailing
from judgments.management.base import PlatformCommand
from judgments.rules.errors import Refused


class Command(PlatformCommand):
    """mail_links CAMPAIGN --subject WORDS --text FILE"""

    help = """Send everybody who was invited by a mail address, and got nothing yet, the own link.

FILE holds the text, with {link} where the personal link goes. The settings have to name a mail server. Example:

  python manage.py mail_links mytask --subject "Your link for judging" --text invitation.txt
"""

    def add_arguments(self, parser: ArgumentParser) -> None:
        self.add_campaign(parser)
        parser.add_argument("--subject", required=True)
        parser.add_argument("--text", required=True, type=Path, metavar="FILE")

    def handle(self, **options: Any) -> str:
        campaign, text = self.campaign(options["campaign"]), options["text"].read_text(encoding="utf-8")
        if fault := mailing.fault_of_text(text):
            raise Refused(fault)
        job = mailing.create(campaign, AnonymousUser(), options["subject"], text, settings.SITE_URL)
        run_now(job)
        job.refresh_from_db()
        unreached = [f"{each['address']}: {each['why']}" for each in job.unreached]
        return "\n".join([f"Mails sent: {job.sent}, not reached: {len(unreached)}.", *unreached])
