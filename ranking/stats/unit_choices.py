"""Parameters common to reports whose intervals are about other sentences, or about other sentences and judges."""

from dataclasses import dataclass
from typing import Any, ClassVar, Self

from ranking.stats.choices import ANSWERS, INDEPENDENT, PEOPLE, Choices
from ranking.stats.comparisons.study import BROADEST, ENOUGH_JUDGES, MEANING_OF_BROADEST, MOST_FOR_AGREEMENT
from ranking.stats.resampling import Unit

UNITS = BROADEST, Unit.SENTENCE.value, Unit.SENTENCE_AND_JUDGE.value


@dataclass(frozen=True)
class UnitChoices(Choices):
    unit: str = BROADEST
    replicates: int = 1000
    level: float = 0.95
    seed: int = 0
    judged_by: str = PEOPLE
    answers: str = INDEPENDENT

    switched_off: ClassVar = {"answers": INDEPENDENT}

    @staticmethod
    def _choices() -> dict[str, tuple[str, ...]]:
        return {"unit": UNITS, "answers": ANSWERS, **Choices._choices()}

    def stated(self) -> dict[str, Any]:
        """The broadest unit as what it will be."""
        return super().stated() | ({"unit": MEANING_OF_BROADEST} if self.unit == BROADEST else {})

    def fitted(self, judges: int) -> Self:
        """The same with the unit that the number of judges allows."""
        if self.unit != BROADEST:
            return self
        return self.changed(unit=(Unit.SENTENCE_AND_JUDGE if judges >= ENOUGH_JUDGES else Unit.SENTENCE).value)

    @property
    def agreement_replicates(self) -> int:
        return min(self.replicates, MOST_FOR_AGREEMENT)
