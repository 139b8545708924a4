"""What organisers do to the links by which judges, observers and teams come."""

from django import forms

from judgments.actions.base import Action
from judgments.campaigns import access
from judgments.judges import invitations
from judgments.judges.invitations import LONGEST_LINK
from judgments.models.members import MOST_BY_ONE_LINK


class ShareLink(Action):
    """Create one link by which several judges can join, for a mailing list or a crowd platform.

    Prolific (PROLIFIC_PID, STUDY_ID, SESSION_ID) and Mechanical Turk (workerId, assignmentId, hitId) may add their
    parameters, by which a returning worker is recognised.
    """

    address = "links/share/"
    page = "judges"
    most_judges = forms.IntegerField(
        label="Places",
        min_value=1,
        max_value=MOST_BY_ONE_LINK,
        help_text="The number of judges who can join by this link, for a mailing list or a crowd platform.",
    )
    days = forms.IntegerField(
        label="Valid for this many days",
        required=False,
        min_value=1,
        max_value=LONGEST_LINK,
        help_text="Leave blank for a link that is valid until you revoke it.",
    )

    def do(self, most_judges: int, days: int | None) -> str:
        link = invitations.share(self.campaign, most_judges, days)
        self.outcome = {"link": link.url, "most_judges": most_judges, "expires_at": link.expires_at}
        return f"Up to {most_judges} judges can join by {link.url}"


class RevokeLink(Action):
    """Revoke a link, so that nobody can use it again; judgments made through it stay."""

    address = "links/revoke/"
    page = "judges"
    token = forms.CharField(max_length=64, help_text="The last part of the link.")

    def do(self, token: str) -> str:
        link = access.link_to_revoke(self.campaign, token)
        invitations.revoke(link)
        self.page = link.listed_on
        return "The link was revoked. Everything received through it stays."


ACTIONS = (ShareLink, RevokeLink)
