"""Parameters common to reports whose intervals are about other sentences, or about other sentences and judges."""

from dataclasses import dataclass
from typing import Any, ClassVar, Self

from ranking.stats.choices import INDEPENDENT, PEOPLE, Choices, option
from ranking.stats.resampling import Unit

# Intervals of agreement cost more than those of rankings, and need no more replicates than this.
MOST_FOR_AGREEMENT = 200
# What other judges would change needs only a covariance.
MOST_FOR_COVARIANCE = 400
# Measured: trueskill 9, hierarchical 12, mixed-model 4 microseconds.
SECONDS_TO_READ_A_JUDGMENT = 1e-5
# Sentences and judges where there are enough judges to draw, otherwise sentences.
BROADEST = "broadest"
ENOUGH_JUDGES = 5
MEANING_OF_BROADEST = (
    f"the broadest for which there are enough judges: sentence and judge from {ENOUGH_JUDGES} judges on, otherwise "
    "sentence"
)
UNITS = BROADEST, Unit.SENTENCE.value, Unit.SENTENCE_AND_JUDGE.value


class DrawsUnits(Choices):
    """Parameters among which is the unit to draw; subclasses say in which order they have them."""

    unit: str

    def for_plan(self) -> dict[str, Any]:
        """The broadest unit as what it will be."""
        return super().for_plan() | ({"unit": MEANING_OF_BROADEST} if self.unit == BROADEST else {})

    def for_judges(self, judges: int) -> Self:
        """The same with the unit that the number of judges allows."""
        if self.unit != BROADEST:
            return self
        return self.with_changes(unit=(Unit.SENTENCE_AND_JUDGE if judges >= ENOUGH_JUDGES else Unit.SENTENCE).value)

    def replicates_by(self, unit: Unit) -> int:
        """How many replicates draw this unit: all draw that of the report, others add a covariance."""
        first = Unit.SENTENCE if self.unit == BROADEST else Unit(self.unit).drawn
        return self.replicates if unit is first else min(self.replicates, MOST_FOR_COVARIANCE)

    @property
    def agreement_replicates(self) -> int:
        return min(self.replicates, MOST_FOR_AGREEMENT)


@dataclass(frozen=True)
class UnitChoices(DrawsUnits):
    unit: str = option(BROADEST, "Numbers hold for other sentences, or judges too.", UNITS, label="Unit of resampling")
    replicates: int = 1000
    level: float = 0.95
    seed: int = 0
    judged_by: str = PEOPLE
    answers: str = INDEPENDENT

    switched_off: ClassVar = {"answers": INDEPENDENT}
