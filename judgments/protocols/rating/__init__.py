"""Rating, PRWS style: a score from 0 to 100 for each candidate, and whether it changed the meaning."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from django import forms
from django.utils.translation import gettext, gettext_lazy
from rest_framework import serializers

from judgments.models import Campaign, Judgment, Rating, Slot
from judgments.models.answers import BEST_SCORE
from judgments.protocols.base import Instrument, Protocol
from judgments.protocols.candidates import AnswerScale, Point, candidate_columns
from judgments.protocols.form import AnswerForm, letter
from judgments.protocols.rows import AnswerRow, Columns

# A score or a range of scores in a tutorial.
EXPECTED = re.compile(r"(?P<least>\d{1,3})(?: ?- ?(?P<most>\d{1,3}))?(?P<changed> meaning changed)?")
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
    label = gettext_lazy("Rating (PRWS sliders)")
    explanation = "asks how good each one is, from 0 to 100"
    task = gettext_lazy("How good is each sentence?")
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
        found = EXPECTED.fullmatch(expected)
        if found and int(found["least"]) <= int(found["most"] or found["least"]) <= BEST_SCORE:
            return None
        return f"{expected!r} is not a score; write 80: or 60-100: or 0-30 meaning changed:"

    def as_expected(self, expected: Sequence[str], given: Sequence[Score]) -> list[bool]:
        """For each version, whether its score and its box are as expected."""
        return [_fits(EXPECTED.fullmatch(wanted), score) for wanted, score in zip(expected, given, strict=True)]

    def describe_answer(self, given: Score) -> str:
        return _in_words(str(given.score), given.meaning_changed)

    def describe_expected(self, expected: str) -> str:
        found = EXPECTED.fullmatch(expected)
        return _in_words(expected.removesuffix(found["changed"] or ""), bool(found["changed"])) if found else expected

    def describe_program_answer(self, answers: Mapping[str, Any], place: int) -> str:
        return _in_words(str(answers.get(f"score_{place}", "?")), bool(answers.get(f"changed_{place}")))

    def columns(self, campaign: Campaign) -> Columns:
        """Use the columns of rankings, so that tables of both can be combined."""

        def cells_of(answer: AnswerRow) -> str:
            score, meaning_changed = answer.values
            return f",{score},{'yes' if meaning_changed else 'no'}"

        return candidate_columns(campaign, ("rank", "score", "meaning_changed"), cells_of)

    def instrument(self, campaign: Campaign) -> Instrument:
        points = "; ".join(f"{value} ({meaning})" for value, meaning in POINTS)
        return Instrument("direct", "slider", size=BEST_SCORE + 1, values=points)


def _fits(wanted: re.Match[str] | None, score: Score) -> bool:
    if wanted is None:
        return False
    in_range = int(wanted["least"]) <= score.score <= int(wanted["most"] or wanted["least"])
    return in_range and score.meaning_changed == bool(wanted["changed"])


def _in_words(score: str, meaning_changed: bool) -> str:
    return gettext("%(score)s meaning changed") % {"score": score} if meaning_changed else score
