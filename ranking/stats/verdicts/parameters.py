"""Parameters of a report on verdicts: everything except the data that affects its numbers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from ranking.numbers.tables import StatisticsError
from ranking.stats.choices import ANSWERS, INDEPENDENT, PEOPLE, Choices, ParametersError
from ranking.stats.verdicts.bins import CUTS, check_cuts

# The majority of n judges is compared with that of the experts, or with each expert, averaged over experts.
AUTHORITIES = MAJORITY, EACH = "majority", "each"
MOST_DRAWS = 10_000
MOST_JUDGES = 1000


@dataclass(frozen=True)
class VerdictParameters(Choices):
    cuts: tuple[float, ...] = CUTS
    experts: str = MAJORITY
    most_judges: int = 20
    draws: int = 100
    replicates: int = 1000
    level: float = 0.95
    seed: int = 0
    judged_by: str = PEOPLE
    answers: str = INDEPENDENT

    switched_off: ClassVar = {"answers": INDEPENDENT}

    @staticmethod
    def _choices() -> dict[str, tuple[str, ...]]:
        return {"experts": AUTHORITIES, "answers": ANSWERS, **Choices._choices()}

    def _check(self) -> None:
        try:
            check_cuts(self.cuts)
        except StatisticsError as reason:
            raise ParametersError(str(reason)) from reason
        if not 1 <= self.most_judges <= MOST_JUDGES:
            raise ParametersError(f"The most judges must lie between 1 and {MOST_JUDGES}.")
        if not 1 <= self.draws <= MOST_DRAWS:
            raise ParametersError(f"Draws must lie between 1 and {MOST_DRAWS}.")


PRESETS: Mapping[str, VerdictParameters] = {
    "recommended": VerdictParameters(),
    # Madnani et al. (2011), section 3: agreement with any one of the experts, on average; bins as in Figure 2.
    "madnani2011": VerdictParameters(experts=EACH, cuts=(0.5, 0.75, 0.9, 1.0)),
}
