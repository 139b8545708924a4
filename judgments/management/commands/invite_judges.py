"""Print a personal link for each judge, with which they join and return without a password.

Answers are exported under these names, so use pseudonyms. A name that was invited before keeps its link, unless the
link was revoked or has expired. Example:

  python manage.py invite_judges mytask judge-1 judge-2 judge-3
"""

from judgments.judges import invitations
from judgments.management.base import CAMPAIGN, PlatformCommand, argument
from judgments.models import Campaign


class Command(PlatformCommand):
    arguments = (
        CAMPAIGN,
        argument("names", nargs="+", metavar="NAME"),
        argument("--days", type=int, metavar="N", help="how long the links are valid (default: until revoked)"),
    )

    def run(self, campaign: Campaign, names: list[str], days: int | None) -> str:
        made = invitations.invite(campaign, names, days)
        return "\n".join(f"{invitation.pseudonym}\t{invitation.url}" for invitation in made)
