"""Ranking, Appraise style: a rank for each candidate, 1 is best, ties allowed."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from django.utils.translation import gettext, gettext_lazy
from rest_framework import serializers

from judgments.models import Campaign, Judgment, Placement, Slot
from judgments.models.campaign import LARGEST_SCREEN
from judgments.protocols.base import AnswerTable, Instrument, Protocol, Teaching
from judgments.protocols.candidates import RANKS, candidate_columns
from judgments.protocols.form import AnswerForm, rank_field
from judgments.protocols.rows import Columns
from judgments.rules.authored.tutorials import Kind


class RankingForm(AnswerForm):
    def add_fields(self, place: int) -> None:
        self.fields[f"rank_{place}"] = rank_field(place, self.specification.places)


def fault(expected: str) -> str | None:
    if re.fullmatch("[1-9][0-9]?", expected) and int(expected) <= LARGEST_SCREEN:
        return None
    return f"{expected!r} is not a rank; write 1: for the best version"


def agree(expected: Sequence[str], given: Sequence[int]) -> list[bool]:
    """For each version, whether it is ranked among the others as expected; only the order of ranks matters."""
    wanted = [int(rank) for rank in expected]
    return [
        all(_sign(wanted[here] - wanted[there]) == _sign(given[here] - given[there]) for there in range(len(given)))
        for here in range(len(given))
    ]


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


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
    return candidate_columns(campaign, ("rank", "score", "meaning_changed"), lambda answer: f"{answer.values[0]},,")


def said(answers: Mapping[str, Any], place: int) -> str:
    return gettext("rank %(rank)s") % {"rank": answers.get(f"rank_{place}", "?")}


PROTOCOL = Protocol(
    name="ranking",
    label=gettext_lazy("Ranking (Appraise style)"),
    explanation="asks which version is better",
    task=gettext_lazy("Rank the sentences from best to worst"),
    form=RankingForm,
    answers=AnswerTable(Placement),
    store=store,
    load=load,
    inputs={"rank": serializers.IntegerField(required=False, help_text="Ranking: 1 is best.")},
    teaching=Teaching(Kind(fault, fewest=2), agree),
    guidance=Path(__file__).parent / "guidance",
    scale=RANKS,
    columns=columns,
    said=said,
    instrument=Instrument(
        "relative",
        "choice",
        size=lambda campaign: campaign.screen_size,
        values=lambda campaign: f"the ranks from 1 (best) to {campaign.screen_size}; versions may share a rank",
    ),
    words={
        "ranked": gettext_lazy("{done} of {all} ranked"),
        "no_rank_yet": gettext_lazy("Sentence {number} has no rank yet."),
        "drag": gettext_lazy("Drag to a rank"),
    },
    alone=False,
    special=frozenset({"assistance"}),
    report_kinds=("comparisons", "programs"),
    has_others_kappa=True,
)
