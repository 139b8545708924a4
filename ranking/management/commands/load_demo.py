"""Load the demonstration: a finished evaluation with its report, and a campaign for each protocol, partly judged.

Existing campaigns stay as they are. The command prints the organiser's login and links for a judge.
"""

from judgments.jobs.attempts import run_now
from judgments.management.base import PlatformCommand
from judgments.management.demo import loading
from judgments.models import Campaign
from ranking.models import Report
from ranking.publishing.facts import ReleaseChoices
from ranking.publishing.public_page import publish
from ranking.reports import building

CHOICES = ReleaseChoices(licence="cc0-1.0", with_texts=True, creators=("Appraise GEC",))


class Command(PlatformCommand):
    def run(self) -> str:
        guests = loading.load(self.bar)
        finished = Campaign.objects.filter(slug=loading.FINISHED).first()
        if finished and not Report.objects.of(finished).exists():
            report = building.create_report(finished)
            run_now(report)
            report.refresh_from_db()
            publish(report, CHOICES)
        lines = [f"  judge's link:      {i.url}  ({i.campaign}, short name {i.campaign.slug})" for i in guests]
        return "\n".join([f"  organiser's login: {loading.ORGANISER}, password {loading.organiser_password()}", *lines])
