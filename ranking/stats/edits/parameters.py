"""Parameters of a report on edits: everything except the data that affects its numbers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from ranking.stats.choices import ANSWERS, INDEPENDENT, PEOPLE, Choices
from ranking.stats.comparisons.parameters import BROADEST, ENOUGH_JUDGES, MEANING_OF_BROADEST, MOST_FOR_AGREEMENT
from ranking.stats.resampling import Unit

# Categories of edits: ERRANT's, if it is installed and the sentences are in English, or by what becomes of the words.
CATEGORIES = ERRANT, PLAIN = "errant", "plain"
UNITS = BROADEST, Unit.SENTENCE.value, Unit.SENTENCE_AND_JUDGE.value


@dataclass(frozen=True)
class EditParameters(Choices):
    unit: str = BROADEST
    categories: str = ERRANT
    replicates: int = 1000
    level: float = 0.95
    seed: int = 0
    judged_by: str = PEOPLE
    answers: str = INDEPENDENT

    switched_off: ClassVar = {"answers": INDEPENDENT}

    @staticmethod
    def _choices() -> dict[str, tuple[str, ...]]:
        return {"unit": UNITS, "categories": CATEGORIES, "answers": ANSWERS, **Choices._choices()}

    def stated(self) -> dict[str, Any]:
        """The broadest unit as what it will be."""
        return super().stated() | ({"unit": MEANING_OF_BROADEST} if self.unit == BROADEST else {})

    def fitted(self, judges: int) -> "EditParameters":
        """The same with the unit that the number of judges allows."""
        if self.unit != BROADEST:
            return self
        return self.changed(unit=(Unit.SENTENCE_AND_JUDGE if judges >= ENOUGH_JUDGES else Unit.SENTENCE).value)

    @property
    def agreement_replicates(self) -> int:
        return min(self.replicates, MOST_FOR_AGREEMENT)


PRESETS: Mapping[str, EditParameters] = {"recommended": EditParameters()}
