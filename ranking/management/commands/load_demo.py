"""Load a demonstration campaign for each protocol, partly judged by simulated judges.

Existing campaigns stay as they are. The command prints the organiser's login and links for a judge.
"""

from judgments.management.base import PlatformCommand, argument
from judgments.management.demo import loading
from judgments.models import Campaign
from judgments.models.addresses import site_address
from ranking.models import Report
from ranking.reports import building

# The campaigns that show what a ranking looks like, of ranks and of scores.
REPORTED = ("demo", "demo-rating")


class Command(PlatformCommand):
    arguments = (argument("--reports", action="store_true", help="also ask for a report where there is none"),)

    def run(self, reports: bool) -> str:
        guests = loading.load(self.bar)
        lines = [f"  judge's link:      {i.url}  ({i.campaign}, short name {i.campaign.slug})" for i in guests]
        for campaign in Campaign.objects.filter(slug__in=REPORTED) if reports else ():
            report = Report.objects.of(campaign).first() or building.request_report(campaign)
            lines.append(f"  report:            {site_address('report', report.pk)}  ({campaign}; ready soon)")
        return "\n".join([f"  organiser's login: {loading.ORGANISER}, password {loading.organiser_password()}", *lines])
