"""How many batches one judge may do, where that differs from what the campaign allows everybody."""

from django.db import transaction

from judgments.faults import Refused
from judgments.journal import note
from judgments.models import Membership
from judgments.models.campaign import MOST_BATCHES


@transaction.atomic
def set_quota(judge: Membership, batches: int | None) -> None:
    """Let a judge do so many batches at most; None goes back to what the campaign allows everybody."""
    if batches is not None and not 0 <= batches <= MOST_BATCHES:
        raise Refused(f"A judge does from 0 to {MOST_BATCHES} batches; nothing was changed.")
    Membership.objects.filter(pk=judge.pk).update(quota=batches)
    told = "as many batches as everybody" if batches is None else f"at most {batches} batches"
    note(judge.campaign, f"lets {judge.pseudonym} do {told}")
