"""Ranks as rows: stored, loaded into the form, and exported."""

from collections.abc import Sequence

from judgments.models import Campaign, Judgment, Placement, Slot
from judgments.protocols.base import AnswerTable
from judgments.protocols.candidates import candidate_columns
from judgments.protocols.rows import Columns

ANSWERS = AnswerTable(Placement)


def store(judgment: Judgment, slots: Sequence[Slot], ranks: Sequence[int]) -> None:
    Placement.objects.bulk_create(
        Placement(judgment=judgment, screen_id=slot.screen_id, candidate_id=slot.candidate_id, rank=rank)
        for slot, rank in zip(slots, ranks, strict=True)
    )


def load(judgment: Judgment, slots: Sequence[Slot]) -> dict[str, int]:
    ranks = dict(Placement.objects.filter(judgment=judgment).values_list("candidate", "rank"))
    return {
        f"rank_{place}": ranks[slot.candidate_id] for place, slot in enumerate(slots, 1) if slot.candidate_id in ranks
    }


def columns(campaign: Campaign) -> Columns:
    """Use the columns of ratings, so that tables of both can be combined."""
    return candidate_columns(campaign, ("rank", "score", "meaning_changed"), lambda answer: f"{answer.said[0]},,")
