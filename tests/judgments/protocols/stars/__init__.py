"""A toy: one to five stars for each candidate, kept as ratings."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from django import forms
from rest_framework import serializers

from judgments.models import Judgment, Rating, Slot
from judgments.protocols.base import Protocol
from judgments.protocols.form import AnswerForm
from judgments.protocols.rows import AnswerScale
from judgments.rules.authored.tutorials import Example

MOST = 5


class StarsForm(AnswerForm):
    """Some stars for each candidate shown."""

    def add_fields(self, place: int) -> None:
        self.fields[f"stars_{place}"] = forms.IntegerField(
            label=f"Stars of sentence {place}", min_value=1, max_value=MOST
        )


class StarsProtocol(Protocol):
    name = "stars"
    label = "Stars"
    explanation = "asks for one to five stars"
    task = "How many stars?"
    form = StarsForm
    answer_model = Rating
    inputs: ClassVar = {"stars": serializers.IntegerField(required=False)}
    scale = AnswerScale("score", ends=(1, MOST))
    recommended: ClassVar = {"redundancy": 3}

    def store(self, judgment: Judgment, slots: Sequence[Slot], answers: Sequence[int]) -> None:
        self.store_rows(judgment, slots, [{"score": stars} for stars in answers])

    def load(self, judgment: Judgment, slots: Sequence[Slot]) -> dict[str, int]:
        return {f"stars_{place}": row.score for place, row in self.rows_by_place(judgment, slots)}

    def fault_of_expected(self, expected: str) -> str | None:
        return None if expected in "12345" else f"{expected!r} is no number of stars"

    def differences(self, example: Example, given: Sequence[int]) -> list[str]:
        pairs = zip("ABCDE", example.expected, given, strict=False)
        return [f"{letter}: {stars}" for letter, wanted, stars in pairs if wanted != str(stars)]

    def fault_of_answers(self, answers: Sequence[Mapping[str, Any]], length: int) -> str | None:
        if all(1 <= answer["score"] <= MOST for answer in answers):
            return None
        return f"holds a score that is not from 1 to {MOST}"


STARS = StarsProtocol()
