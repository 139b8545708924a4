"""The form of a rating: a score for each candidate shown, and whether it changed the meaning."""

from typing import NamedTuple

from django import forms
from django.utils.translation import gettext, gettext_lazy

from judgments.models.answers import BEST_SCORE
from judgments.protocols.form import AnswerForm


class Score(NamedTuple):
    """One candidate's score and whether it says something else than the source."""

    score: int
    meaning_changed: bool = False


class RatingForm(AnswerForm):
    """A score and a box for each candidate shown."""

    def add_fields(self, place: int) -> None:
        required = gettext("Give sentence %(place)s a score from 0 to %(best)s.")
        self.fields[f"score_{place}"] = forms.IntegerField(
            label=gettext("Score of sentence %(place)s") % {"place": place},
            min_value=0,
            max_value=BEST_SCORE,
            error_messages={"required": required % {"place": place, "best": BEST_SCORE}},
        )
        self.fields[f"changed_{place}"] = forms.BooleanField(label=gettext_lazy("Meaning changed"), required=False)

    def answers(self) -> list[Score]:
        return [
            Score(self.cleaned_data[f"score_{place}"], self.cleaned_data[f"changed_{place}"])
            for place in range(1, self.specification.places + 1)
        ]
