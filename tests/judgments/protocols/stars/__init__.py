"""A toy: one to five stars for each candidate, kept as ratings."""

from collections.abc import Sequence

from django import forms
from rest_framework import serializers

from judgments.models import Judgment, Rating, Slot
from judgments.protocols.base import AnswerTable, Protocol, Teaching
from judgments.protocols.candidates import Scale
from judgments.protocols.form import AnswerForm
from judgments.rules.authored.tutorials import Kind
from judgments.rules.files.values import whole

MOST = 5


class StarsForm(AnswerForm):
    """Some stars for each candidate shown."""

    def add_fields(self, place: int) -> None:
        self.fields[f"stars_{place}"] = forms.IntegerField(
            label=f"Stars of sentence {place}", min_value=1, max_value=MOST
        )

    def answers(self) -> list[int]:
        return [self.cleaned_data[f"stars_{place}"] for place in range(1, self.specification.places + 1)]


def store(judgment: Judgment, slots: Sequence[Slot], stars: Sequence[int]) -> None:
    """Write a rating for each candidate."""
    Rating.objects.bulk_create(
        Rating(judgment=judgment, screen_id=slot.screen_id, candidate_id=slot.candidate_id, score=score)
        for slot, score in zip(slots, stars, strict=True)
    )


def load(judgment: Judgment, slots: Sequence[Slot]) -> dict[str, int]:
    """The form as it was sent."""
    stars = dict(Rating.objects.filter(judgment=judgment).values_list("candidate", "score"))
    return {f"stars_{place}": stars[slot.candidate_id] for place, slot in enumerate(slots, 1) if stars}


STARS = Protocol(
    name="stars",
    label="Stars",
    explanation="asks for one to five stars",
    task="How many stars?",
    form=StarsForm,
    answers=AnswerTable(Rating, limits={"score": whole(1, MOST)}),
    store=store,
    load=load,
    inputs={"stars": serializers.IntegerField(required=False)},
    teaching=Teaching(
        Kind(lambda expected: None if expected in "12345" else f"{expected!r} is no number of stars"),
        lambda expected, answers: [wanted == str(stars) for wanted, stars in zip(expected, answers, strict=True)],
    ),
    scale=Scale("score", ends=(1, MOST)),
    recommended={"redundancy": 3},
)
