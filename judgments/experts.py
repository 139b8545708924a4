"""Who is an expert: others are held against these judges' answers."""

from django.db import transaction

from judgments.journal import note
from judgments.models import Membership


@transaction.atomic
def mark(judge: Membership, is_expert: bool) -> None:
    """Say whether a judge is an expert; what was judged stays as it is."""
    if Membership.objects.filter(pk=judge.pk, is_expert=not is_expert).update(is_expert=is_expert):
        note(judge.campaign, f"says that {judge.pseudonym} is {'an' if is_expert else 'no'} expert")
