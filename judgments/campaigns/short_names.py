"""Short names of new campaigns, which are part of addresses."""

from secrets import token_hex

from django.contrib.auth.models import User
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
    if organiser is None or _knows(organiser, slug):
        raise Refused(f"There is a campaign {slug} already; choose another short name.")
    return _with_ending(slug[:LONGEST_STEM])


def _with_ending(stem: str) -> str:
    return f"{stem}-{token_hex(3)}"


def _knows(organiser: str, slug: str) -> bool:
    if User.objects.filter(username=organiser, is_superuser=True).exists():
        return True
    members = Membership.objects.filter(campaign__slug=slug, user__username=organiser, removed_at=None)
    return members.filter(role=Membership.Role.ORGANISER).exists()
