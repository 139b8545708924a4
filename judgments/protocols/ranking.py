"""Ranking, Appraise style: a rank for each candidate, 1 is best, ties allowed."""

from collections.abc import Sequence

from django import forms

from judgments.models import Judgment, Placement, Slot
from judgments.protocols.base import AnswerForm, JudgingProtocol


class RankingForm(AnswerForm):
    """A rank for each candidate shown."""

    def add_fields(self, place: int) -> None:
        ranks = [(str(rank), str(rank)) for rank in range(1, self.candidates + 1)]
        self.fields[f"rank_{place}"] = forms.TypedChoiceField(
            label=f"Rank of sentence {place}",
            choices=ranks,
            coerce=int,
            widget=forms.RadioSelect,
            error_messages={"required": f"Give sentence {place} a rank."},
        )

    def answers(self) -> list[int]:
        return [self.cleaned_data[f"rank_{place}"] for place in range(1, self.candidates + 1)]


def store(judgment: Judgment, slots: Sequence[Slot], ranks: Sequence[int]) -> None:
    """Write a placement for each candidate."""
    Placement.objects.bulk_create(
        Placement(judgment=judgment, screen_id=slot.screen_id, candidate_id=slot.candidate_id, rank=rank)
        for slot, rank in zip(slots, ranks, strict=True)
    )


def load(judgment: Judgment, slots: Sequence[Slot]) -> dict[str, int]:
    """The form as it was sent."""
    ranks = dict(Placement.objects.filter(judgment=judgment).values_list("candidate", "rank"))
    return {
        f"rank_{place}": ranks[slot.candidate_id] for place, slot in enumerate(slots, 1) if slot.candidate_id in ranks
    }


PROTOCOL = JudgingProtocol(form=RankingForm, name="ranking", store=store, load=load, alone=False)
