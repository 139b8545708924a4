"""An organiser's settings for a single judge: expert or not, and the quota of batches."""

from django.db import transaction

from judgments.models import Membership
from judgments.models.campaign import MOST_BATCHES
from judgments.models.journal import note
from judgments.rules.errors import Refused


@transaction.atomic
def mark(judge: Membership, is_expert: bool) -> None:
    if Membership.objects.filter(pk=judge.pk, is_expert=not is_expert).update(is_expert=is_expert):
        note(judge.campaign, f"marked {judge.pseudonym} as {'an' if is_expert else 'no'} expert")


@transaction.atomic
def set_quota(judge: Membership, batches: int | None) -> None:
    """Limit a judge to this many batches; None restores the campaign's limit."""
    if batches is not None and not 0 <= batches <= MOST_BATCHES:
        raise Refused(f"A quota is a number from 0 to {MOST_BATCHES}; nothing was changed.")
    Membership.objects.filter(pk=judge.pk).update(quota=batches)
    quota = "the campaign's" if batches is None else str(batches)
    note(judge.campaign, f"set the quota of batches of {judge.pseudonym} to {quota}")
