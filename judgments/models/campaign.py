"""A campaign and the people in it."""

import secrets

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from judgments.models.validators import RangeValidator
from judgments.rules.dealing import Design

LARGEST_SCREEN = 20
LARGEST_SEED = 2**31 - 1
MOST_JUDGES = 1000
LARGEST_BATCH = 1000


def new_seed() -> int:
    """A seed nobody chose."""
    return secrets.randbelow(LARGEST_SEED)


def new_token() -> str:
    """An address part that cannot be guessed."""
    return secrets.token_urlsafe(24)


def between(least: float, most: float) -> list[RangeValidator]:
    """What a number may be."""
    return [RangeValidator(least, most)]


class CampaignQuerySet(models.QuerySet["Campaign"]):
    """Questions about campaigns."""

    def of(self, user) -> "CampaignQuerySet":
        """Those a user takes part in; every one for a site operator."""
        if user.is_superuser:
            return self
        return self.filter(membership__user=user, membership__removed_at=None).distinct()


class Campaign(models.Model):
    """One evaluation: material, protocol, judges, settings, seed."""

    class Protocol(models.TextChoices):
        """How judges answer."""

        RANKING = "ranking", "Ranking (Appraise style)"
        RATING = "rating", "Rating (PRWS sliders)"
        VERDICT = "verdict", "Verdict (error, OK, unknown)"
        CORRECTION = "correction", "Correction (write the edits)"

    class State(models.TextChoices):
        """Where a campaign stands between its making and its archive."""

        DRAFT = "draft", "being prepared"
        OPEN = "open", "open for judging"
        CLOSED = "closed", "closed"
        ARCHIVED = "archived", "archived"

    class Design(models.TextChoices):
        """How screens are chosen."""

        SAMPLED = Design.SAMPLED.value, "sentences drawn by chance, favouring diverse outputs"
        COMPLETE = Design.COMPLETE.value, "every output of every sentence"

    slug = models.SlugField(unique=True)
    name = models.CharField(max_length=200)
    protocol = models.CharField(max_length=20, choices=Protocol, default=Protocol.RANKING)
    state = models.CharField(max_length=20, choices=State, default=State.DRAFT)
    language = models.CharField(max_length=35, default="en", help_text="The language of the sentences, as in BCP 47.")
    instructions = models.TextField(blank=True)
    preset = models.CharField(max_length=40, blank=True)

    seed = models.PositiveIntegerField(default=new_seed, validators=between(0, LARGEST_SEED))
    design = models.CharField(max_length=20, choices=Design, default=Design.SAMPLED)
    screen_size = models.PositiveSmallIntegerField(
        default=5, validators=between(2, LARGEST_SCREEN), help_text="The most candidates on one screen."
    )
    redundancy = models.PositiveSmallIntegerField(
        default=1, validators=between(1, MOST_JUDGES), help_text="How many judges see each screen."
    )
    batch_size = models.PositiveSmallIntegerField(
        default=20, validators=between(1, LARGEST_BATCH), help_text="Screens a judge does in one sitting."
    )
    repeat_share = models.FloatField(
        default=0.1, validators=between(0, 0.5), help_text="Share of a batch shown again to the same judge."
    )
    control_share = models.FloatField(
        default=0.0, validators=between(0, 1), help_text="Share of screens with a control and its source."
    )
    automatic_ties = models.BooleanField(
        default=False, help_text="Count a drawn sentence on which all outputs are equal as a tie."
    )
    one_domain_a_day = models.BooleanField(default=False, help_text="Keep a judge to one domain a day.")
    lease_minutes = models.PositiveSmallIntegerField(
        default=30, help_text="After this time without a sign of the judge a seat goes back to the others."
    )

    created_at = models.DateTimeField(auto_now_add=True)
    opened_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)

    objects = CampaignQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(protocol__in=["ranking", "rating", "verdict", "correction"]), name="campaign_protocol_known"
            ),
            models.CheckConstraint(
                condition=Q(state__in=["draft", "open", "closed", "archived"]), name="campaign_state_known"
            ),
            models.CheckConstraint(
                condition=Q(screen_size__gte=2, screen_size__lte=LARGEST_SCREEN), name="campaign_screen_size_in_range"
            ),
            models.CheckConstraint(
                condition=Q(redundancy__gte=1, redundancy__lte=MOST_JUDGES), name="campaign_redundancy_in_range"
            ),
            models.CheckConstraint(
                condition=Q(batch_size__gte=1, batch_size__lte=LARGEST_BATCH), name="campaign_batch_size_in_range"
            ),
            models.CheckConstraint(
                condition=Q(repeat_share__gte=0, repeat_share__lte=0.5), name="campaign_repeat_share_in_range"
            ),
            models.CheckConstraint(
                condition=Q(control_share__gte=0, control_share__lte=1), name="campaign_control_share_in_range"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_open(self) -> bool:
        """Whether judges may answer now."""
        return self.state == self.State.OPEN


class Membership(models.Model):
    """Someone's role in a campaign; a judge whose answers were recorded elsewhere has no user."""

    class Role(models.TextChoices):
        """What a member does."""

        ORGANISER = "organiser", "organiser"
        JUDGE = "judge", "judge"

    campaign = models.ForeignKey(Campaign, models.CASCADE)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True)
    role = models.CharField(max_length=20, choices=Role)
    pseudonym = models.CharField(max_length=80, help_text="The name under which answers are exported.")
    joined_at = models.DateTimeField(auto_now_add=True)
    removed_at = models.DateTimeField(null=True, blank=True)
    excluded_at = models.DateTimeField(null=True, blank=True, help_text="Since when the answers do not count.")
    exclusion_reason = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["campaign", "role", "pseudonym"]
        constraints = [
            models.CheckConstraint(condition=Q(role__in=["organiser", "judge"]), name="membership_role_known"),
            models.UniqueConstraint(fields=["campaign", "user", "role"], name="one_membership_per_user_and_role"),
            models.UniqueConstraint(fields=["campaign", "pseudonym"], name="one_pseudonym_per_campaign"),
            models.CheckConstraint(
                condition=Q(role="judge") | Q(user__isnull=False), name="membership_organiser_has_user"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pseudonym} ({self.role}, {self.campaign})"


class InvitationQuerySet(models.QuerySet["Invitation"]):
    """Questions about invitations."""

    def valid(self) -> "InvitationQuerySet":
        """Those that still let someone in."""
        not_expired = Q(expires_at=None) | Q(expires_at__gt=timezone.now())
        return self.filter(not_expired, revoked_at=None, membership__removed_at=None)


class Invitation(models.Model):
    """A personal link by which one judge joins, and comes back, without a password."""

    campaign = models.ForeignKey(Campaign, models.CASCADE)
    token = models.CharField(max_length=64, unique=True, default=new_token)
    pseudonym = models.CharField(max_length=80)
    membership = models.OneToOneField(Membership, models.CASCADE, null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    objects = InvitationQuerySet.as_manager()

    class Meta:
        ordering = ["campaign", "pseudonym"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "pseudonym"], name="one_invitation_per_pseudonym"),
        ]

    def __str__(self) -> str:
        return f"{self.pseudonym} to {self.campaign}"
