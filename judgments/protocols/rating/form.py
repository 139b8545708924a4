"""The form of a rating, and tutorial examples with the expected scores."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from django import forms
from django.utils.translation import gettext, gettext_lazy

from judgments.models.answers import BEST_SCORE
from judgments.protocols.base import Teaching
from judgments.protocols.form import AnswerForm
from judgments.rules.authored.tutorials import Kind

# A score or a range of them, as a tutorial writes it.
EXPECTED = re.compile(r"(?P<least>\d{1,3})(?: ?- ?(?P<most>\d{1,3}))?(?P<changed> meaning changed)?")


class Score(NamedTuple):
    """One candidate's score, and whether it changes the meaning of the source."""

    score: int
    meaning_changed: bool = False


class RatingForm(AnswerForm):
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
        return [Score(self.cleaned_data[score.name], self.cleaned_data[changed.name]) for score, changed in self.rows()]


def fault(expected: str) -> str | None:
    found = EXPECTED.fullmatch(expected)
    if found and int(found["least"]) <= int(found["most"] or found["least"]) <= BEST_SCORE:
        return None
    return f"{expected!r} is no score; write 80: or 60-100: or 0-30 meaning changed:"


def agree(expected: Sequence[str], given: Sequence[Score]) -> list[bool]:
    """For each version, whether score and box are as expected."""
    return [_agrees(EXPECTED.fullmatch(wanted), score) for wanted, score in zip(expected, given, strict=True)]


def _agrees(wanted: re.Match[str] | None, score: Score) -> bool:
    if wanted is None:
        return False
    in_range = int(wanted["least"]) <= score.score <= int(wanted["most"] or wanted["least"])
    return in_range and score.meaning_changed == bool(wanted["changed"])


def tell(score: Score) -> str:
    return _formatted(str(score.score), score.meaning_changed)


def tell_expected(expected: str) -> str:
    """Format what a tutorial expects, in the reader's language."""
    found = EXPECTED.fullmatch(expected)
    return _formatted(expected.removesuffix(found["changed"] or ""), bool(found["changed"])) if found else expected


def _formatted(score: str, meaning_changed: bool) -> str:
    return gettext("%(score)s meaning changed") % {"score": score} if meaning_changed else score


TEACHING = Teaching(Kind(fault), agree, tell, tell_expected)
