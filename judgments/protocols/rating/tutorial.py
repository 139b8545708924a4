"""Examples with the scores that are expected."""

import re
from collections.abc import Sequence

from django.utils.translation import gettext

from judgments.models.answers import BEST_SCORE
from judgments.protocols.base import Teaching
from judgments.protocols.rating.form import Score
from judgments.rules.authored.tutorials import Kind

# A score or a range of them, as a tutorial writes it.
EXPECTED = re.compile(r"(?P<least>\d{1,3})(?: ?- ?(?P<most>\d{1,3}))?(?P<changed> meaning changed)?")


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


TEACHING = Teaching(Kind(fault), agree, tell, tell_expected)
