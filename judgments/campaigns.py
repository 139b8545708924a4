"""Making and configuring campaigns."""

from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction

from judgments.faults import Refused
from judgments.models import Batch, Campaign, Membership
from judgments.rules.presets import PRESETS

# What can be put in other words at any time, because nothing is dealt by it.
WORDS = {"name", "instructions"}


def preset(name: str) -> dict[str, Any]:
    """The settings that a preset stands for."""
    if name not in PRESETS:
        raise Refused(f"There is no preset {name!r}; the presets are {', '.join(PRESETS)}.")
    return {**PRESETS[name], "preset": name}


def find_or_prepare(slug: str) -> Campaign:
    """The campaign with this slug, or a new one that is not stored yet."""
    return Campaign.objects.filter(slug=slug).first() or Campaign(slug=slug, name=slug)


@transaction.atomic
def configure(campaign: Campaign, **settings: Any) -> Campaign:
    """Check and store settings, of a new campaign or of one that is not dealt yet."""
    protocol = settings.get("protocol", campaign.protocol)
    if campaign.pk and protocol != campaign.protocol:
        raise Refused(f"{campaign.slug} is a {campaign.protocol} campaign and stays one; make another for {protocol}.")
    changes = {name: value for name, value in settings.items() if getattr(campaign, name) != value}
    if changes.keys() - WORDS and campaign.pk and Batch.objects.filter(campaign=campaign).exists():
        raise Refused(f"Screens are dealt already, so {', '.join(changes)} cannot be changed.")
    for name, value in changes.items():
        setattr(campaign, name, value)
    try:
        campaign.full_clean()
    except ValidationError as error:
        faults = [f"{name}: {' '.join(texts)}" for name, texts in error.message_dict.items()]
        raise Refused(" ".join(faults)) from error
    campaign.save()
    return campaign


@transaction.atomic
def make_organiser(campaign: Campaign, username: str) -> Membership:
    """Let a user run the campaign."""
    user = User.objects.filter(username=username).first()
    if user is None:
        raise Refused(f"There is no user {username!r}; make one with: python manage.py createsuperuser")
    return Membership.objects.get_or_create(
        campaign=campaign,
        user=user,
        role=Membership.Role.ORGANISER,
        defaults={"pseudonym": f"organiser {username}"[:80]},
    )[0]
