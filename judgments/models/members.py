"""The members of a campaign, and the links by which they join."""

import re
from secrets import randbits, token_urlsafe
from typing import Self

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import pgettext_lazy

from judgments.models.campaign import MOST_BATCHES, Campaign, between
from judgments.models.constraints import check, unique
from judgments.models.journal import note
from judgments.rules.crowd_platforms import LONGEST as LONGEST_PARAMETER
from judgments.rules.files.names import fault_of_pseudonym

# Views require a sign-in first; anonymous visitors have no role in any campaign.
Visitor = User | AnonymousUser
MOST_BY_ONE_LINK = 100_000
# Observers see what organisers see, except for links and tokens, and change nothing.
RUNNING = ("organiser", "observer")
LONGEST_MESSAGE = 500
# The pseudonyms of judges whose names were erased.
FORGOTTEN = re.compile(r"forgotten-([0-9]+)")


def new_token() -> str:
    # Commands would read a token with a leading hyphen as an option.
    return token_urlsafe(24).replace("-", "_")


def new_lot() -> int:
    return randbits(60)


def check_pseudonym(name: str) -> None:
    if fault := fault_of_pseudonym(name):
        raise ValidationError(fault)


class MembershipQuerySet(models.QuerySet["Membership"]):
    def locked(self, pk: int | None, *, with_campaign: bool = False) -> "Membership | None":
        """Lock a judge's row, so that the judge's requests run one after the other, and nobody excludes, forgets or
        removes the judge meanwhile; judges are always locked before assignments.

        A campaign that is read with it may have changed while this waited.
        """
        found = self.select_for_update(of=("self",)).filter(pk=pk).order_by("pk")
        if with_campaign:
            found = found.select_related("campaign")
        return found.first() if pk else None


class Membership(models.Model):
    """A user's role in a campaign. Judges of imported judgments have no user; observers see what organisers see.

    All organisers adjudicate as one adjudicator without a user; the journal says who did.
    """

    class Role(models.TextChoices):
        ORGANISER = "organiser", pgettext_lazy("role in a campaign", "organiser")
        JUDGE = "judge", pgettext_lazy("role in a campaign", "judge")
        PROGRAM = "program", pgettext_lazy("role in a campaign", "program")
        OBSERVER = "observer", pgettext_lazy("role in a campaign", "observer")
        ADJUDICATOR = "adjudicator", pgettext_lazy("role in a campaign", "adjudicator")

    campaign = models.ForeignKey(Campaign, models.CASCADE)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True)
    role = models.CharField(max_length=20, choices=Role)
    pseudonym = models.CharField(
        max_length=80, validators=[check_pseudonym], help_text="The name under which answers are exported."
    )
    joined_at = models.DateTimeField(auto_now_add=True)
    removed_at = models.DateTimeField(null=True, blank=True)
    came_by = models.ForeignKey("SharedLink", models.SET_NULL, null=True, blank=True)
    worker = models.CharField(
        max_length=LONGEST_PARAMETER, blank=True, help_text="The worker's id on a crowd platform."
    )
    platform = models.JSONField(
        default=dict, blank=True, help_text="The parameters of the crowd platform, for the way back."
    )
    later_sessions = models.JSONField(
        default=list, blank=True, help_text="Prolific's ids of later submissions that links named, newest last."
    )
    submission_status = models.CharField(
        max_length=20, blank=True, help_text="What Prolific last said of the judge's submission."
    )
    consented_at = models.DateTimeField(
        null=True, blank=True, help_text="When the judge agreed to the consent text as it is now."
    )
    taught_at = models.DateTimeField(null=True, blank=True, help_text="When the tutorial was finished.")
    examples_tried = models.PositiveSmallIntegerField(default=0, help_text="Examples of the tutorial tried in turn.")
    attempts = models.PositiveSmallIntegerField(default=0, help_text="Attempts at the comprehension check.")
    passed_at = models.DateTimeField(null=True, blank=True, help_text="When the comprehension check was passed.")
    excluded_at = models.DateTimeField(null=True, blank=True, help_text="When the judge was excluded.")
    exclusion_reason = models.CharField(max_length=200, blank=True)
    excluded_by_rule = models.BooleanField(
        default=False, help_text="Whether the rule excluded the judge, not an organiser."
    )
    judged_again = models.BooleanField(
        default=False, help_text="Whether others judge the screens of the excluded judge, who gets no more."
    )
    kept_at = models.DateTimeField(
        null=True, blank=True, help_text="When an organiser included the judge against the rule."
    )
    paused_at = models.DateTimeField(null=True, blank=True, help_text="Since when the judge gets no screens for now.")
    message = models.CharField(
        max_length=LONGEST_MESSAGE, blank=True, help_text="From the organiser, until the judge closes it."
    )
    lot = models.BigIntegerField(
        default=new_lot, help_text="Drawn by chance; reports order judges by it, which says nothing about who they are."
    )
    is_expert = models.BooleanField(default=False, help_text="Whether other judges are compared with this one.")
    quota = models.PositiveSmallIntegerField(
        null=True,
        blank=True,
        validators=between(0, MOST_BATCHES),
        help_text="The most batches for this judge; blank for the campaign's limit.",
    )

    objects = MembershipQuerySet.as_manager()

    class Meta:
        ordering = ["campaign", "role", "pseudonym"]
        constraints = [
            check("membership_role_known", Q(role__in=["organiser", "judge", "program", "observer", "adjudicator"])),
            unique("one_membership_per_user_and_role", "campaign", "user", "role"),
            unique("one_pseudonym_per_campaign", "campaign", "pseudonym"),
            unique("one_membership_per_worker", "campaign", "worker", where=~Q(worker="")),
            check("membership_organiser_has_user", ~Q(role="organiser") | Q(user__isnull=False)),
            check("excluded_by_rule_is_excluded", Q(excluded_by_rule=False) | Q(excluded_at__isnull=False)),
            check("judged_again_is_excluded", Q(judged_again=False) | Q(excluded_at__isnull=False)),
            check("nobody_kept_is_excluded", Q(kept_at=None) | Q(excluded_at=None)),
        ]

    def __str__(self) -> str:
        return f"{self.pseudonym} ({self.role}, {self.campaign})"

    @property
    def is_program(self) -> bool:
        return self.role == self.Role.PROGRAM

    @property
    def is_adjudicator(self) -> bool:
        return self.role == self.Role.ADJUDICATOR

    @property
    def is_excluded(self) -> bool:
        return self.excluded_at is not None

    @property
    def is_dismissed(self) -> bool:
        """Whether the judge gets no more screens, because others judge theirs again."""
        return self.is_excluded and self.judged_again

    @property
    def username(self) -> str:
        return self.user.username if self.user else ""

    @property
    def return_token(self) -> str:
        """The token of the link by which a judge without a password returns, or an empty text."""
        invitation = getattr(self, "invitation", None)
        return invitation.token if invitation and invitation.is_valid else ""

    @property
    def is_forgotten(self) -> bool:
        return self.user_id is None and FORGOTTEN.fullmatch(self.pseudonym) is not None

    @property
    def is_turned_away(self) -> bool:
        """Whether the judge failed the comprehension check in every attempt allowed."""
        return bool(self.campaign.questions) and not self.passed_at and self.attempts >= self.campaign.most_attempts

    def has_reached_quota(self) -> bool:
        """Whether the judge has reached their quota of batches, or the campaign's if they have none."""
        most = self.campaign.batches_per_judge if self.quota is None else self.quota
        return most is not None and self.completion_set.filter(earns_code=True).count() >= most

    def release_screens(self) -> int:
        """Give the judge's open assignments to whoever comes next; return their number. Drafts are kept."""
        waiting = self.assignment_set.planned().waiting()
        return waiting.update(judge=None, claimed_at=None, leased_until=None)

    def close_message(self, message: str) -> None:
        """Close the message that the judge has read, not a newer one."""
        Membership.objects.filter(pk=self.pk, message=message).update(message="")


class ConsentText(models.Model):
    """A version of a consent text to which somebody agreed."""

    campaign = models.ForeignKey(Campaign, models.CASCADE)
    number = models.PositiveIntegerField()
    text = models.TextField()

    class Meta:
        ordering = ["campaign", "number"]
        constraints = [unique("one_consent_text_per_number", "campaign", "number")]

    def __str__(self) -> str:
        return f"consent text {self.number} of {self.campaign}"

    @property
    def is_current(self) -> bool:
        return self.text == self.campaign.consent


class Consent(models.Model):
    """A judge's agreement to a version of the consent text."""

    judge = models.ForeignKey(Membership, models.CASCADE)
    text = models.ForeignKey(ConsentText, models.CASCADE)
    agreed_at = models.DateTimeField()

    class Meta:
        ordering = ["text", "agreed_at"]
        constraints = [unique("one_consent_per_judge_and_text", "judge", "text")]

    def __str__(self) -> str:
        return f"{self.judge} to {self.text}"


class LinkQuerySet(models.QuerySet):
    def valid(self) -> Self:
        return self.filter(Q(expires_at=None) | Q(expires_at__gt=timezone.now()), revoked_at=None)


class Link(models.Model):
    """An address that cannot be guessed and admits without a password."""

    campaign = models.ForeignKey(Campaign, models.CASCADE)
    token = models.CharField(max_length=64, unique=True, default=new_token)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    objects = LinkQuerySet.as_manager()
    # The name of the page behind the link.
    page = ""
    # The page of a campaign that lists these links.
    listed_on = "judges"
    # Whose it is, in the journal.
    whose = "of {link.pseudonym}"

    class Meta:
        abstract = True

    @property
    def url(self) -> str:
        return site_address(self.page, self.token)

    @property
    def is_valid(self) -> bool:
        return self.revoked_at is None and (self.expires_at is None or self.expires_at > timezone.now())

    @transaction.atomic
    def revoke(self) -> None:
        if type(self).objects.filter(pk=self.pk, revoked_at=None).update(revoked_at=timezone.now()):
            note(self.campaign, f"revoked the link {self.whose.format(link=self)}")


class Invitation(Link):
    """A personal link, by which one judge or observer joins and returns."""

    page = "join"

    role = models.CharField(max_length=20, choices=Membership.Role, default=Membership.Role.JUDGE)
    pseudonym = models.CharField(max_length=80)
    address = models.CharField(max_length=254, blank=True, help_text="The mail address, if one was given.")
    mailed_at = models.DateTimeField(null=True, blank=True, help_text="When the link was sent to the address.")
    membership = models.OneToOneField(Membership, models.CASCADE, null=True, blank=True)

    class Meta:
        ordering = ["campaign", "pseudonym"]
        constraints = [unique("one_invitation_per_pseudonym", "campaign", "pseudonym")]

    def __str__(self) -> str:
        return f"{self.pseudonym} to {self.campaign}"

    @property
    def is_to_observe(self) -> bool:
        return self.role == Membership.Role.OBSERVER

    @property
    def listed_on(self) -> str:  # type: ignore[override] # here it depends on the role
        return "organisers" if self.is_to_observe else "judges"

    @transaction.atomic
    def revoke(self) -> None:
        """Revoke it; a judge who could sign in only by this link is signed out."""
        super().revoke()
        self.let_sign_in(False)

    def let_sign_in(self, may: bool) -> None:
        """Activate or deactivate the user of the link; deactivating ends the user's sessions at once."""
        user = self.membership.user if self.membership else None
        if user and not user.has_usable_password():
            User.objects.filter(pk=user.pk).update(is_active=may)


class SharedLink(Link):
    """A link by which judges join while it has places."""

    page = "join_shared"
    whose = "for {link.most_judges} judges"

    most_judges = models.PositiveIntegerField(validators=between(1, MOST_BY_ONE_LINK))

    class Meta:
        ordering = ["campaign", "created_at"]
        constraints = [check("shared_link_has_places", Q(most_judges__gte=1))]

    def __str__(self) -> str:
        return f"link for {self.most_judges} to {self.campaign}"

    @property
    def webhook(self) -> str:
        """Where Prolific sends its events."""
        return site_address("prolific", self.token)


def site_address(page: str, *args: object) -> str:
    """The address of a page on this site, from SITE_URL and never from the Host header of a request."""
    return settings.SITE_URL + reverse(page, args=args)
