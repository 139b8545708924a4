"""Ranking, Appraise style: a rank for each candidate, 1 is best, ties allowed."""

import re
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, ClassVar

from django.utils.translation import gettext, gettext_lazy
from rest_framework import serializers

from judgments.models import Campaign, Judgment, Placement, Slot
from judgments.models.campaign import LARGEST_SCREEN
from judgments.protocols.base import Instrument, Protocol
from judgments.protocols.form import AnswerForm, letter, rank_field
from judgments.protocols.rows import RANKS, Columns, candidate_columns
from judgments.rules.authored.tutorials import Example


class RankingForm(AnswerForm):
    def add_fields(self, place: int) -> None:
        self.fields[f"rank_{place}"] = rank_field(place, self.specification.places)


class RankingProtocol(Protocol):
    name = "ranking"
    label = gettext_lazy("Ranking (best to worst)")
    explanation = "asks which version is better"
    task = gettext_lazy("Rank the sentences from best to worst")
    card = ("Rank corrections", "Judges rank up to five versions of a sentence. Tells which system is better.")
    how = gettext_lazy("Choose a rank for each version: 1 is best, ties are allowed.")
    how_by_key = gettext_lazy("Or type the ranks.")
    form = RankingForm
    answer_model = Placement
    inputs: ClassVar = {"rank": serializers.IntegerField(required=False, help_text="Ranking: 1 is best.")}
    words: ClassVar = {
        "ranked": gettext_lazy("{done} of {all} ranked"),
        "no_such_rank": gettext_lazy("The ranks are 1 to {last}."),
        "no_rank_yet": gettext_lazy("Version {letter} has no rank yet."),
        "drag": gettext_lazy("Drag to a rank"),
    }
    scale = RANKS
    allows_single = False
    special_settings = frozenset({"assistance"})
    report_kinds = ("comparisons", "programs")
    has_others_kappa = True
    fewest_versions = 2

    def store(self, judgment: Judgment, slots: Sequence[Slot], answers: Sequence[int]) -> None:
        self.store_rows(judgment, slots, [{"rank": rank} for rank in answers])

    def load(self, judgment: Judgment, slots: Sequence[Slot]) -> dict[str, int]:
        return {f"rank_{place}": row.rank for place, row in self.rows_by_place(judgment, slots)}

    def fault_of_expected(self, expected: str) -> str | None:
        if re.fullmatch("[1-9][0-9]?", expected) and int(expected) <= LARGEST_SCREEN:
            return None
        return f"{expected!r} is not a rank; write 1: for the best version"

    def differences(self, example: Example, given: Sequence[int]) -> list[str]:
        """The pairs whose order differs; other ranks in the same order do not."""
        said = []
        for one, other in combinations(range(len(given)), 2):
            yours = given[one] - given[other]
            ours = int(example.expected[one]) - int(example.expected[other])
            if (yours > 0, yours < 0) == (ours > 0, ours < 0):
                continue
            above, below = (one, other) if (yours or ours) < 0 else (other, one)
            pair = {"above": letter(above + 1), "below": letter(below + 1)}
            if not ours:
                said.append(gettext("You put %(below)s below %(above)s; we tie them.") % pair)
            elif yours:
                said.append(gettext("You put %(below)s below %(above)s; we put it above.") % pair)
            else:
                said.append(gettext("You tie %(above)s and %(below)s; we put %(below)s below %(above)s.") % pair)
        return said

    def describe_program_answer(self, answers: Mapping[str, Any], place: int) -> str:
        return gettext("rank %(rank)s") % {"rank": answers.get(f"rank_{place}", "?")}

    def columns(self, campaign: Campaign) -> Columns:
        """Use the columns of ratings, so that tables of both can be combined."""
        return candidate_columns(campaign, ("rank", "score", "meaning_changed"), lambda answer: f"{answer.values[0]},,")

    def instrument(self, campaign: Campaign) -> Instrument:
        ranks = f"the ranks from 1 (best) to {campaign.screen_size}; versions may share a rank"
        return Instrument("relative", "choice", size=campaign.screen_size, values=ranks)
