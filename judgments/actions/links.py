"""What organisers do to the links by which judges, observers and teams come."""

from django import forms

from judgments.actions.base import Action
from judgments.actions.fields import WordsField
from judgments.campaigns import access
from judgments.jobs.attempts import run_now
from judgments.judges import invitations, mailing
from judgments.judges.invitations import LONGEST_LINK
from judgments.judges.mailing import LINK, NAME
from judgments.judges.rules.guests import guest_of
from judgments.models import Invitation, Membership
from judgments.models.jobs import LONGEST_SUBJECT
from judgments.models.members import MOST_BY_ONE_LINK
from judgments.rules.files.names import fault_of_pseudonym


def _days() -> forms.IntegerField:
    return forms.IntegerField(
        label="Valid for this many days",
        required=False,
        min_value=1,
        max_value=LONGEST_LINK,
        help_text="Leave blank for a link that is valid until you revoke it.",
    )


class InviteJudges(Action):
    """Create a personal link for each judge, by a pseudonym or a mail address; those invited before keep theirs."""

    address = "links/invite/"
    page = "judges"
    role = Membership.Role.JUDGE
    names = WordsField(
        label="Judges to invite",
        help_text="Names or mail addresses, one per line or separated by commas. Answers are exported under these "
        "names, so pseudonyms are best; an address is exported as its part before the @.",
    )
    days = _days()

    def clean_names(self) -> list[str]:
        names = self.cleaned_data["names"]
        if faults := [fault for name in names if (fault := fault_of_pseudonym(guest_of(name).name))]:
            raise forms.ValidationError(faults)
        return names

    def do(self, names: list[str], days: int | None) -> str:
        valid = set(Invitation.objects.valid().filter(campaign=self.campaign).values_list("pk", flat=True))
        made = invitations.invite(self.campaign, names, days, self.role)
        earlier = sum(one.pk in valid for one in made)
        self.outcome = {"links": {one.pseudonym: one.url for one in made}}
        also = f", {earlier} had a link already, which stays as it is" if earlier else ""
        return f"{len(made) - earlier} invited{also}. Send each of them their own link."


class InviteObservers(InviteJudges):
    """Create a personal link for each observer, who sees the pages of organisers and changes nothing."""

    address = "links/invite-observers/"
    page = "organisers"
    role = Membership.Role.OBSERVER
    names = WordsField(
        label="Observers to invite", help_text="Names or mail addresses, one per line or separated by commas."
    )


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
    days = _days()

    def do(self, most_judges: int, days: int | None) -> str:
        link = invitations.share(self.campaign, most_judges, days)
        self.undone_by(RevokeLink, token=link.token)
        self.outcome = {"link": link.url, "most_judges": most_judges, "expires_at": link.expires_at}
        return f"Up to {most_judges} judges can join by {link.url}"


class RevokeLink(Action):
    """Revoke a link, so that nobody can use it again; judgments made through it stay."""

    address = "links/revoke/"
    page = "judges"
    token = forms.CharField(max_length=64, help_text="The last part of the link.")

    def do(self, token: str) -> str:
        link = access.get_link_or_404(self.campaign, token)
        link.revoke()
        self.page = link.listed_on
        return "The link was revoked. Everything received through it stays."


class SendLinks(Action):
    """Mail personal links to the judges who were invited by mail address and have not been sent theirs yet.

    The settings of the site must name a mail server.
    """

    address = "links/mail/"
    page = "mail_links"
    has_own_page = True
    may_take_long = True
    is_atomic = False  # mails that were sent stay sent
    subject = forms.CharField(max_length=LONGEST_SUBJECT, initial="Your link for judging")
    text = forms.CharField(
        widget=forms.Textarea(attrs={"rows": 8}),
        initial=f"You are invited to judge corrections. This link is yours alone:\n\n{LINK}\n",
        help_text=f"{LINK} becomes the personal link of each recipient, and {NAME} their name.",
    )

    def clean_subject(self) -> str:
        """Join the subject into one line."""
        return " ".join(self.cleaned_data["subject"].split())

    def clean_text(self) -> str:
        text = self.cleaned_data["text"]
        if fault := mailing.fault_of_text(text):
            raise forms.ValidationError(fault)
        return text

    def do(self, subject: str, text: str) -> str:
        if self.user:
            self.job = mailing.request(self.campaign, self.user, subject, text)
            return "The links are being sent. This page shows who was reached."
        job = mailing.create(self.campaign, self.requester, subject, text)
        run_now(job)
        job.refresh_from_db()
        unreached = [f"{each['address']}: {each['why']}" for each in job.problems]
        return "\n".join([f"Mails sent: {job.outcome['sent']}, not reached: {len(unreached)}.", *unreached])


ACTIONS = (InviteJudges, InviteObservers, ShareLink, RevokeLink, SendLinks)
