"""Create one link with which several judges can join, for a mailing list or a crowd platform.

Judges who join with it are numbered. Prolific (PROLIFIC_PID, STUDY_ID, SESSION_ID) and Mechanical Turk (workerId,
assignmentId, hitId) may add their parameters, by which a returning worker is recognised. Example:

  python manage.py share_link mytask --judges 40 --days 14
"""

from judgments.judges import invitations
from judgments.management.base import CAMPAIGN, PlatformCommand, argument
from judgments.models import Campaign


class Command(PlatformCommand):
    arguments = (
        CAMPAIGN,
        argument("--judges", type=int, required=True, metavar="N", help="how many judges can join"),
        argument("--days", type=int, metavar="N", help="how long the link is valid (default: until revoked)"),
    )

    def run(self, campaign: Campaign, judges: int, days: int | None) -> str:
        return invitations.share(campaign, judges, days).url
