"""What an organiser sets for a single judge: whether they are an expert, and how many batches they may do."""

from django.db import transaction

from judgments.models import Membership
from judgments.models.campaign import MOST_BATCHES
from judgments.models.journal import note
from judgments.rules.errors import Refused


@transaction.atomic
def mark(judge: Membership, is_expert: bool) -> None:
    """Say whether a judge is an expert; what was judged stays as it is."""
    if Membership.objects.filter(pk=judge.pk, is_expert=not is_expert).update(is_expert=is_expert):
        note(judge.campaign, f"says that {judge.pseudonym} is {'an' if is_expert else 'no'} expert")


@transaction.atomic
def set_quota(judge: Membership, batches: int | None) -> None:
    """Let a judge do so many batches at most; None goes back to what the campaign allows everybody."""
    if batches is not None and not 0 <= batches <= MOST_BATCHES:
        raise Refused(f"A judge does from 0 to {MOST_BATCHES} batches; nothing was changed.")
    Membership.objects.filter(pk=judge.pk).update(quota=batches)
    told = "as many batches as everybody" if batches is None else f"at most {batches} batches"
    note(judge.campaign, f"lets {judge.pseudonym} do {told}")
