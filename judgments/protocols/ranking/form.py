"""The form of a ranking, and tutorial examples with the expected ranks."""

import re
from collections.abc import Sequence

from django import forms
from django.utils.translation import gettext

from judgments.models.campaign import LARGEST_SCREEN
from judgments.protocols.base import Teaching
from judgments.protocols.form import AnswerForm
from judgments.rules.authored.tutorials import Kind


class RankingForm(AnswerForm):
    def add_fields(self, place: int) -> None:
        ranks = [(str(rank), str(rank)) for rank in range(1, self.specification.places + 1)]
        self.fields[f"rank_{place}"] = forms.TypedChoiceField(
            label=gettext("Rank of sentence %(place)s") % {"place": place},
            choices=ranks,
            coerce=int,
            widget=forms.RadioSelect,
            error_messages={"required": gettext("Give sentence %(place)s a rank.") % {"place": place}},
        )


def fault(expected: str) -> str | None:
    if re.fullmatch("[1-9][0-9]?", expected) and int(expected) <= LARGEST_SCREEN:
        return None
    return f"{expected!r} is no rank; write 1: for the best version"


def agree(expected: Sequence[str], given: Sequence[int]) -> list[bool]:
    """For each version, whether it compares to all others as expected; only the order of ranks matters."""
    wanted = [int(rank) for rank in expected]
    return [
        all(_sign(wanted[here] - wanted[there]) == _sign(given[here] - given[there]) for there in range(len(given)))
        for here in range(len(given))
    ]


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


TEACHING = Teaching(Kind(fault, fewest=2), agree)
