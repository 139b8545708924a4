"""Short names of new campaigns, which are part of addresses."""

from secrets import token_hex

from django.contrib.auth.models import User
from django.db.models import Q
from django.utils.text import slugify

from judgments.models import Campaign, Membership
from judgments.rules.errors import Refused

# Addresses have these words where others have the short name.
RESERVED = {"new"}
# Leaves room for an ending.
LONGEST_STEM = 40


def from_name(name: str) -> str:
    """A short name from the letters and digits of a name."""
    stem = slugify(name)[:LONGEST_STEM].strip("-") or "campaign"
    is_taken = stem in RESERVED or Campaign.objects.filter(slug=stem).exists()
    return _with_ending(stem) if is_taken else stem


def choose(slug: str, organiser: str | None) -> str:
    """The short name that an organiser chose, with a random ending if it is that of somebody else's campaign.

    A refusal would tell organisers which campaigns others have; their own, and all those that operators see, are no
    secret. A missing organiser is an operator.
    """
    if not Campaign.objects.filter(slug=slug).exists():
        return slug
    of_campaign = Membership.objects.filter(campaign__slug=slug, role=Membership.Role.ORGANISER, removed_at=None)
    knows_it = Q(is_superuser=True) | Q(pk__in=of_campaign.values("user"))
    if organiser is None or User.objects.filter(knows_it, username=organiser).exists():
        raise Refused(f"There is a campaign {slug} already; choose another short name.")
    return _with_ending(slug[:LONGEST_STEM])


def _with_ending(stem: str) -> str:
    return f"{stem}-{token_hex(3)}"
