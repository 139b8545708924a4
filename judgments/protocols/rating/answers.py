"""Scores as rows: stored, loaded into the form, and exported."""

from collections.abc import Sequence

from judgments.models import Campaign, Judgment, Rating, Slot
from judgments.protocols.base import AnswerTable
from judgments.protocols.candidates import candidate_columns
from judgments.protocols.rating.form import Score
from judgments.protocols.rows import Answer, Columns

ANSWERS = AnswerTable(Rating)


def store(judgment: Judgment, slots: Sequence[Slot], scores: Sequence[Score]) -> None:
    Rating.objects.bulk_create(
        Rating(judgment=judgment, screen_id=slot.screen_id, candidate_id=slot.candidate_id, **score._asdict())
        for slot, score in zip(slots, scores, strict=True)
    )


def load(judgment: Judgment, slots: Sequence[Slot]) -> dict[str, int | bool]:
    ratings = {rating.candidate_id: rating for rating in Rating.objects.filter(judgment=judgment)}
    given = [(place, ratings[slot.candidate_id]) for place, slot in enumerate(slots, 1) if slot.candidate_id in ratings]
    scores: dict[str, int | bool] = {f"score_{place}": rating.score for place, rating in given}
    return scores | {f"changed_{place}": rating.meaning_changed for place, rating in given}


def columns(campaign: Campaign) -> Columns:
    """Use the columns of rankings, so that tables of both can be combined."""
    return candidate_columns(campaign, ("rank", "score", "meaning_changed"), _rated)


def _rated(answer: Answer) -> str:
    score, meaning_changed = answer.said
    return f",{score},{'yes' if meaning_changed else 'no'}"
