"""Create a shared link."""

from argparse import ArgumentParser
from typing import Any

from judgments.judges import invitations
from judgments.management.base import PlatformCommand
from judgments.management.links import shared_link


class Command(PlatformCommand):
    """share_link CAMPAIGN --judges N"""

    help = """Make one link by which so many judges can join, for a mailing list or a crowd platform.

Judges who come by it are known by a number. Prolific (PROLIFIC_PID, STUDY_ID, SESSION_ID) and Mechanical Turk
(workerId, assignmentId, hitId) may add their parameters: the same worker is the same judge. Example:

  python manage.py share_link mytask --judges 40 --days 14
"""

    def add_arguments(self, parser: ArgumentParser) -> None:
        self.add_campaign(parser)
        parser.add_argument("--judges", type=int, required=True, metavar="N", help="how many can join by it")
        parser.add_argument("--days", type=int, metavar="N", help="how long it is good (default: until revoked)")

    def handle(self, **options: Any) -> str:
        return shared_link(invitations.share(self.campaign(options["campaign"]), options["judges"], options["days"]))
