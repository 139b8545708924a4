"""The parameters of a report on corrections."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from ranking.metrics.f_measure import LEAST_BETA, MOST_BETA
from ranking.metrics.ratio import DRAWN
from ranking.stats.choices import PEOPLE, Choices, ParametersError
from ranking.stats.corrections.scoring import DrawnBy

FEWEST_SUBSETS, MOST_SUBSETS = 100, 1 << 16
MOST_DOCUMENTS = 100_000


@dataclass(frozen=True)
class CorrectionParameters(Choices):
    """Parameters of a report on corrections; 0 documents leave out the section on fewer documents."""

    beta: float = 0.5
    unit: str = DrawnBy.SENTENCE.value
    replicates: int = 1000
    level: float = 0.95
    most_subsets: int = DRAWN
    documents: int = 10
    least_edits: int = 20
    least_share: float = 0.5
    judged_by: str = PEOPLE
    seed: int = 0

    switched_off: ClassVar = {"documents": 0}

    @staticmethod
    def _choices() -> dict[str, tuple[str, ...]]:
        return Choices._choices() | {"unit": tuple(unit.value for unit in DrawnBy)}

    def _check(self) -> None:
        if not LEAST_BETA <= self.beta <= MOST_BETA:
            raise ParametersError(f"Beta must lie between {LEAST_BETA:g} and {MOST_BETA:g}, such as 0.5.")
        if not FEWEST_SUBSETS <= self.most_subsets <= MOST_SUBSETS:
            raise ParametersError(f"Subsets must lie between {FEWEST_SUBSETS} and {MOST_SUBSETS:,}.")
        if not 0 <= self.documents <= MOST_DOCUMENTS:
            raise ParametersError(f"Documents must lie between 0 (none) and {MOST_DOCUMENTS:,}.")
        if self.least_edits < 1:
            raise ParametersError("The least number of edits of a category must be at least 1.")
        if not 0 < self.least_share <= 1:
            raise ParametersError("The least share of sentences must be more than 0 and at most 1, such as 0.5.")


PRESETS: Mapping[str, CorrectionParameters] = {
    "recommended": CorrectionParameters(),
    # Bryant and Ng (2015): all judges judged all sentences; ten essays of fifty; every category.
    "bryant2015": CorrectionParameters(unit=DrawnBy.DOCUMENT.value, least_edits=1, least_share=1.0),
}
