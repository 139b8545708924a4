"""Rating, PRWS style: a score from 0 to 100 for each candidate, and whether it changed the meaning."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext, gettext_lazy

from judgments.models import Judgment, Rating, Slot
from judgments.models.answers import BEST_SCORE
from judgments.protocols.base import AnswerForm, JudgingProtocol, Merit, Teaching
from judgments.protocols.controls import below_their_source
from judgments.rules.authored.tutorials import Kind

# A score or a range of them, as a tutorial writes it.
EXPECTED = re.compile(r"(?P<least>\d{1,3})(?: ?- ?(?P<most>\d{1,3}))?(?P<changed> meaning changed)?")


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


def store(judgment: Judgment, slots: Sequence[Slot], scores: Sequence[Score]) -> None:
    """Write a rating for each candidate."""
    Rating.objects.bulk_create(
        Rating(judgment=judgment, screen_id=slot.screen_id, candidate_id=slot.candidate_id, **score._asdict())
        for slot, score in zip(slots, scores, strict=True)
    )


def load(judgment: Judgment, slots: Sequence[Slot]) -> dict[str, int | bool]:
    """The form as it was sent."""
    ratings = {rating.candidate_id: rating for rating in Rating.objects.filter(judgment=judgment)}
    given = [(place, ratings[slot.candidate_id]) for place, slot in enumerate(slots, 1) if slot.candidate_id in ratings]
    scores: dict[str, int | bool] = {f"score_{place}": rating.score for place, rating in given}
    return scores | {f"changed_{place}": rating.meaning_changed for place, rating in given}


def merits(judgments: QuerySet[Judgment]) -> Iterator[Merit]:
    """Better scores are larger numbers."""
    ratings = Rating.objects.filter(judgment__in=judgments)
    for judgment, candidate, score in ratings.values_list("judgment", "candidate", "score"):
        yield Merit(judgment, candidate, score)


def fault(expected: str) -> str | None:
    """Why this is no score to expect, or None."""
    found = EXPECTED.fullmatch(expected)
    if found and int(found["least"]) <= int(found["most"] or found["least"]) <= BEST_SCORE:
        return None
    return f"{expected!r} is no score; write 80: or 60-100: or 0-30 meaning changed:"


def agree(expected: Sequence[str], given: Sequence[Score]) -> list[bool]:
    """For each version whether score and box are as expected."""
    return [_agrees(EXPECTED.fullmatch(wanted), score) for wanted, score in zip(expected, given, strict=True)]


def _agrees(wanted: re.Match[str] | None, score: Score) -> bool:
    if wanted is None:
        return False
    in_range = int(wanted["least"]) <= score.score <= int(wanted["most"] or wanted["least"])
    return in_range and score.meaning_changed == bool(wanted["changed"])


def tell(score: Score) -> str:
    """An answer in the words in which a tutorial expects it."""
    return _told(str(score.score), score.meaning_changed)


def tell_expected(expected: str) -> str:
    """What a tutorial expects, in the language of who reads it."""
    found = EXPECTED.fullmatch(expected)
    return _told(expected.removesuffix(found["changed"] or ""), bool(found["changed"])) if found else expected


def _told(score: str, meaning_changed: bool) -> str:
    return gettext("%(score)s meaning changed") % {"score": score} if meaning_changed else score


PROTOCOL = JudgingProtocol(
    form=RatingForm,
    name="rating",
    asks=gettext_lazy("How good is each sentence?"),
    store=store,
    load=load,
    teaching=Teaching(Kind(fault), agree, tell, tell_expected),
    passed=lambda judgments: below_their_source(merits(judgments)),
    merits=merits,
    ends=(0.0, float(BEST_SCORE)),
)
