"""The people in a campaign, and the links by which they come in."""

import re
import secrets
from typing import Self

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import pgettext_lazy

from judgments.models.campaign import MOST_BATCHES, Campaign, between
from judgments.rules.crowd_platforms import LONGEST as LONGEST_PARAMETER
from judgments.rules.files.names import fault_of_pseudonym

# Views ask for a sign-in first; a stranger who gets past them takes part in nothing.
Visitor = User | AnonymousUser
MOST_BY_ONE_LINK = 100_000
# What judges are called whose names were taken out.
FORGOTTEN = re.compile(r"forgotten-([0-9]+)")


def new_token() -> str:
    """An address part that cannot be guessed."""
    return secrets.token_urlsafe(24)


def check_pseudonym(name: str) -> None:
    """A judge can be called so."""
    if fault := fault_of_pseudonym(name):
        raise ValidationError(fault)


class Membership(models.Model):
    """Someone's role in a campaign; who judged elsewhere has no user, and a program that judges is no judge."""

    class Role(models.TextChoices):
        """What a member does."""

        ORGANISER = "organiser", pgettext_lazy("role in a campaign", "organiser")
        JUDGE = "judge", pgettext_lazy("role in a campaign", "judge")
        PROGRAM = "program", pgettext_lazy("role in a campaign", "program")

    campaign = models.ForeignKey(Campaign, models.CASCADE)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True)
    role = models.CharField(max_length=20, choices=Role)
    pseudonym = models.CharField(
        max_length=80, validators=[check_pseudonym], help_text="The name under which answers are exported."
    )
    joined_at = models.DateTimeField(auto_now_add=True)
    removed_at = models.DateTimeField(null=True, blank=True)
    came_by = models.ForeignKey("SharedLink", models.SET_NULL, null=True, blank=True)
    worker = models.CharField(max_length=LONGEST_PARAMETER, blank=True, help_text="The name a crowd platform gave.")
    platform = models.JSONField(default=dict, blank=True, help_text="What the platform said, to be given back.")
    consented_at = models.DateTimeField(null=True, blank=True)
    taught_at = models.DateTimeField(null=True, blank=True, help_text="When the tutorial was finished.")
    attempts = models.PositiveSmallIntegerField(default=0, help_text="How often the questions were answered.")
    passed_at = models.DateTimeField(null=True, blank=True, help_text="When enough of them were right.")
    excluded_at = models.DateTimeField(null=True, blank=True, help_text="Since when the answers do not count.")
    exclusion_reason = models.CharField(max_length=200, blank=True)
    excluded_by_rule = models.BooleanField(default=False, help_text="Whether the rule excluded, and not an organiser.")
    kept_at = models.DateTimeField(null=True, blank=True, help_text="Since when the rule excludes this judge no more.")
    is_expert = models.BooleanField(default=False, help_text="Whether others are held against this judge's answers.")
    quota = models.PositiveSmallIntegerField(
        null=True,
        blank=True,
        validators=between(0, MOST_BATCHES),
        help_text="The most batches for this judge; empty: as the campaign says.",
    )

    class Meta:
        ordering = ["campaign", "role", "pseudonym"]
        constraints = [
            models.CheckConstraint(
                condition=Q(role__in=["organiser", "judge", "program"]), name="membership_role_known"
            ),
            models.UniqueConstraint(fields=["campaign", "user", "role"], name="one_membership_per_user_and_role"),
            models.UniqueConstraint(fields=["campaign", "pseudonym"], name="one_pseudonym_per_campaign"),
            models.UniqueConstraint(
                fields=["campaign", "worker"], condition=~Q(worker=""), name="one_membership_per_worker"
            ),
            models.CheckConstraint(
                condition=~Q(role="organiser") | Q(user__isnull=False), name="membership_organiser_has_user"
            ),
            models.CheckConstraint(
                condition=Q(excluded_by_rule=False) | Q(excluded_at__isnull=False), name="excluded_by_rule_is_excluded"
            ),
            models.CheckConstraint(condition=Q(kept_at=None) | Q(excluded_at=None), name="nobody_kept_is_excluded"),
        ]

    def __str__(self) -> str:
        return f"{self.pseudonym} ({self.role}, {self.campaign})"

    @property
    def is_forgotten(self) -> bool:
        """Whether the name was taken out for good."""
        return self.user_id is None and FORGOTTEN.fullmatch(self.pseudonym) is not None


class LinkQuerySet(models.QuerySet):
    """Questions about links."""

    def valid(self) -> Self:
        """Those that still let someone in."""
        return self.filter(Q(expires_at=None) | Q(expires_at__gt=timezone.now()), revoked_at=None)


class Link(models.Model):
    """An address that cannot be guessed and lets judges in without a password."""

    campaign = models.ForeignKey(Campaign, models.CASCADE)
    token = models.CharField(max_length=64, unique=True, default=new_token)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    objects = LinkQuerySet.as_manager()

    class Meta:
        abstract = True

    @property
    def is_valid(self) -> bool:
        """Whether it still lets someone in."""
        return self.revoked_at is None and (self.expires_at is None or self.expires_at > timezone.now())


class Invitation(Link):
    """A personal link, by which one judge joins and comes back."""

    pseudonym = models.CharField(max_length=80)
    address = models.CharField(max_length=254, blank=True, help_text="The mail address, where one was given.")
    mailed_at = models.DateTimeField(null=True, blank=True, help_text="When the link was sent there.")
    membership = models.OneToOneField(Membership, models.CASCADE, null=True, blank=True)

    class Meta:
        ordering = ["campaign", "pseudonym"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "pseudonym"], name="one_invitation_per_pseudonym"),
        ]

    def __str__(self) -> str:
        return f"{self.pseudonym} to {self.campaign}"


class SharedLink(Link):
    """One link for many, by which judges join until its places are taken."""

    most_judges = models.PositiveIntegerField(validators=between(1, MOST_BY_ONE_LINK))

    class Meta:
        ordering = ["campaign", "created_at"]
        constraints = [
            models.CheckConstraint(condition=Q(most_judges__gte=1), name="shared_link_has_places"),
        ]

    def __str__(self) -> str:
        return f"link for {self.most_judges} to {self.campaign}"
