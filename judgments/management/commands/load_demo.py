"""Load a demonstration campaign for each protocol, partly judged by simulated judges.

Existing campaigns stay as they are. The command prints the organiser's login and links for a judge.
"""

from judgments.management.base import PlatformCommand
from judgments.management.demo import loading


class Command(PlatformCommand):
    def run(self) -> str:
        guests = loading.load(self.bar)
        links = "\n".join(f"  judge's link:      {i.url}  ({i.campaign}, short name {i.campaign.slug})" for i in guests)
        return f"  organiser's login: {loading.ORGANISER}, password {loading.organiser_password()}\n{links}"
