"""The form of a ranking: a rank for each candidate shown."""

from django import forms
from django.utils.translation import gettext

from judgments.protocols.form import AnswerForm


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
