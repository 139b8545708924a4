"""Load the demonstration campaigns."""

from typing import Any

from judgments.management.base import PlatformCommand
from judgments.management.demo import loading
from judgments.management.links import join_link


class Command(PlatformCommand):
    """load_demo"""

    help = """Load a demonstration campaign for each way of judging, partly judged by simulated judges.

What is there already is left as it is. The organiser's login and a judge's links are printed.
"""

    def handle(self, **options: Any) -> str:
        invitations = loading.load(self.bar)
        links = "\n".join(f"  judge's link:      {join_link(i)}  ({i.campaign})" for i in invitations)
        return f"  organiser's login: {loading.ORGANISER}, password {loading.organiser_password()}\n{links}"
