"""Create personal links for judges."""

from argparse import ArgumentParser
from typing import Any

from judgments.judges import invitations
from judgments.management.base import PlatformCommand
from judgments.management.links import join_link


class Command(PlatformCommand):
    """invite_judges CAMPAIGN NAME..."""

    help = """Make a personal link for each judge, by which they join and come back without a password.

Answers are exported under these names, so pseudonyms are best. A name invited before keeps its link; where that
was revoked or is too old, there is a new one. Example:

  python manage.py invite_judges mytask judge-1 judge-2 judge-3
"""

    def add_arguments(self, parser: ArgumentParser) -> None:
        self.add_campaign(parser)
        parser.add_argument("names", nargs="+", metavar="NAME")
        parser.add_argument("--days", type=int, metavar="N", help="how long links are good (default: until revoked)")

    def handle(self, **options: Any) -> str:
        made = invitations.invite(self.campaign(options["campaign"]), options["names"], options["days"])
        return "\n".join(f"{invitation.pseudonym}\t{join_link(invitation)}" for invitation in made)
