"""Ranking, Appraise style: a rank for each candidate, 1 is best, ties allowed."""

import re
from collections.abc import Iterator, Sequence

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext, gettext_lazy

from judgments.models import Judgment, Placement, Slot
from judgments.models.campaign import LARGEST_SCREEN
from judgments.protocols.base import AnswerForm, JudgingProtocol, Merit, Teaching
from judgments.protocols.controls import below_their_source
from judgments.rules.authored.tutorials import Kind


class RankingForm(AnswerForm):
    """A rank for each candidate shown."""

    def add_fields(self, place: int) -> None:
        ranks = [(str(rank), str(rank)) for rank in range(1, self.specification.places + 1)]
        self.fields[f"rank_{place}"] = forms.TypedChoiceField(
            label=gettext("Rank of sentence %(place)s") % {"place": place},
            choices=ranks,
            coerce=int,
            widget=forms.RadioSelect,
            error_messages={"required": gettext("Give sentence %(place)s a rank.") % {"place": place}},
        )

    def answers(self) -> list[int]:
        return [self.cleaned_data[f"rank_{place}"] for place in range(1, self.specification.places + 1)]


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


def merits(judgments: QuerySet[Judgment]) -> Iterator[Merit]:
    """Better ranks are smaller numbers."""
    placements = Placement.objects.filter(judgment__in=judgments)
    for judgment, candidate, rank in placements.values_list("judgment", "candidate", "rank"):
        yield Merit(judgment, candidate, -rank)


def fault(expected: str) -> str | None:
    """Why this is no rank to expect, or None."""
    if re.fullmatch("[1-9][0-9]?", expected) and int(expected) <= LARGEST_SCREEN:
        return None
    return f"{expected!r} is no rank; write 1: for the best version"


def agree(expected: Sequence[str], given: Sequence[int]) -> list[bool]:
    """For each version whether it stands to all others as expected; the numbers themselves mean nothing."""
    wanted = [int(rank) for rank in expected]
    return [
        all(_sign(wanted[here] - wanted[there]) == _sign(given[here] - given[there]) for there in range(len(given)))
        for here in range(len(given))
    ]


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


PROTOCOL = JudgingProtocol(
    form=RankingForm,
    name="ranking",
    asks=gettext_lazy("Rank the sentences from best to worst"),
    store=store,
    load=load,
    teaching=Teaching(Kind(fault, fewest=2), agree, tell=str, tell_expected=str),
    passed=lambda judgments: below_their_source(merits(judgments)),
    merits=merits,
    alone=False,
)
