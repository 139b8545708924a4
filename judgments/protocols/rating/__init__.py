"""Rating, PRWS style: a score from 0 to 100 for each candidate, and whether it changed the meaning."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from django import forms
from django.utils.translation import gettext, gettext_lazy
from rest_framework import serializers

from judgments.models import Campaign, Judgment, Rating, Slot
from judgments.models.answers import BEST_SCORE
from judgments.protocols.base import Instrument, Protocol
from judgments.protocols.form import AnswerForm, differences_from, letter, read_range
from judgments.protocols.rows import AnswerRow, AnswerScale, Columns, Point, candidate_columns
from judgments.rules.authored.tutorials import Example

# What follows the score in a tutorial if the box is to be ticked.
CHANGED = " meaning changed"
# The ends have the words of Napoles et al. (2019), whose slider had none between them; the others are ours.
POINTS = (
    Point(0, gettext_lazy("Completely ungrammatical / Garbled")),
    Point(25, gettext_lazy("Hard to understand")),
    Point(50, gettext_lazy("Clear errors")),
    Point(75, gettext_lazy("Small errors")),
    Point(BEST_SCORE, gettext_lazy("Perfect")),
)


class Score(NamedTuple):
    """One candidate's score, and whether it changes the meaning of the source."""

    score: int
    meaning_changed: bool = False


class RatingForm(AnswerForm):
    def add_fields(self, place: int) -> None:
        required = gettext("Give version %(letter)s a score from 0 to %(best)s.")
        self.fields[f"score_{place}"] = forms.IntegerField(
            label=gettext("Score of version %(letter)s") % {"letter": letter(place)},
            min_value=0,
            max_value=BEST_SCORE,
            error_messages={"required": required % {"letter": letter(place), "best": BEST_SCORE}},
        )
        self.fields[f"changed_{place}"] = forms.BooleanField(label=gettext_lazy("Meaning changed"), required=False)

    def answers(self) -> list[Score]:
        return [Score(self.cleaned_data[score.name], self.cleaned_data[changed.name]) for score, changed in self.rows()]


class RatingProtocol(Protocol):
    name = "rating"
    label = gettext_lazy("Rating (0 to 100)")
    explanation = "asks how good each version is, from 0 to 100"
    task = gettext_lazy("How good is each sentence?")
    card = ("Rate corrections", "Judges give each version a score from 0 to 100. Tells how good each system is, too.")
    how = gettext_lazy("Move the slider, or enter a score from 0 to 100.")
    how_by_key = gettext_lazy("Two digits lead on; m: meaning changed.")
    form = RatingForm
    answer_model = Rating
    inputs: ClassVar = {
        "score": serializers.IntegerField(required=False, help_text="Rating: from 0 to 100."),
        "changed": serializers.BooleanField(required=False, help_text="Rating: whether the meaning changed."),
    }
    words: ClassVar = {
        "rated": gettext_lazy("{done} of {all} rated"),
        "no_score_yet": gettext_lazy("Version {letter} has no score from 0 to 100 yet."),
        "slider": gettext_lazy("{label}, slider"),
        "not_rated": gettext_lazy("not rated yet"),
    }
    scale = AnswerScale("score", ends=(0.0, float(BEST_SCORE)), points=POINTS)
    special_settings = frozenset({"assistance"})
    report_kinds = ("comparisons", "programs")
    has_others_kappa = True

    def store(self, judgment: Judgment, slots: Sequence[Slot], answers: Sequence[Score]) -> None:
        self.store_rows(judgment, slots, [score._asdict() for score in answers])

    def load(self, judgment: Judgment, slots: Sequence[Slot]) -> dict[str, Any]:
        given = self.rows_by_place(judgment, slots)
        scores: dict[str, Any] = {f"score_{place}": rating.score for place, rating in given}
        return scores | {f"changed_{place}": rating.meaning_changed for place, rating in given}

    def fault_of_expected(self, expected: str) -> str | None:
        wanted = read_range(expected.removesuffix(CHANGED))
        if wanted and wanted[-1] <= BEST_SCORE:
            return None
        return f"{expected!r} is not a score; write 80: or 60-100: or 0-30 meaning changed:"

    def differences(self, example: Example, given: Sequence[Score]) -> list[str]:
        """The versions whose score or box differs."""
        said = []
        for place, (expected, score) in enumerate(zip(example.expected, given, strict=True), 1):
            said += differences_from(expected.removesuffix(CHANGED), letter(place), score.score)
            if score.meaning_changed and not expected.endswith(CHANGED):
                said.append(gettext("%(letter)s: the meaning did not change.") % {"letter": letter(place)})
            elif expected.endswith(CHANGED) and not score.meaning_changed:
                said.append(gettext("%(letter)s: the meaning changed.") % {"letter": letter(place)})
        return said

    def describe_program_answer(self, answers: Mapping[str, Any], place: int) -> str:
        score = str(answers.get(f"score_{place}", "?"))
        return gettext("%(score)s meaning changed") % {"score": score} if answers.get(f"changed_{place}") else score

    def columns(self, campaign: Campaign) -> Columns:
        """Use the columns of rankings, so that tables of both can be combined."""

        def cells_of(answer: AnswerRow) -> str:
            score, meaning_changed = answer.values
            return f",{score},{'yes' if meaning_changed else 'no'}"

        return candidate_columns(campaign, ("rank", "score", "meaning_changed"), cells_of)

    def instrument(self, campaign: Campaign) -> Instrument:
        points = "; ".join(f"{value} ({meaning})" for value, meaning in POINTS)
        return Instrument("direct", "slider", size=BEST_SCORE + 1, values=points)
