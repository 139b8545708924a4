"""Make a personal link for each judge, by which they join and return without a password.

Answers are exported under these names, so pseudonyms are best. A name invited before keeps its link; if that was
revoked or is too old, there is a new one. Example:

  python manage.py invite_judges mytask judge-1 judge-2 judge-3
"""

from judgments.judges import invitations
from judgments.management.base import CAMPAIGN, PlatformCommand, argument, site_link
from judgments.models import Campaign


class Command(PlatformCommand):
    help = __doc__
    arguments = (
        CAMPAIGN,
        argument("names", nargs="+", metavar="NAME"),
        argument("--days", type=int, metavar="N", help="how long links are good (default: until revoked)"),
    )

    def run(self, campaign: Campaign, names: list[str], days: int | None) -> str:
        made = invitations.invite(campaign, names, days)
        return "\n".join(f"{invitation.pseudonym}\t{site_link('join', invitation.token)}" for invitation in made)
