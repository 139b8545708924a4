"""Parameters of a report on whole texts: everything except the data that affects its numbers."""

from collections.abc import Mapping
from dataclasses import dataclass

from ranking.stats.comparisons.study import MOST_FOR_COVARIANCE, SECONDS_TO_READ_A_JUDGMENT
from ranking.stats.resampling import Unit
from ranking.stats.unit_choices import UnitChoices


@dataclass(frozen=True)
class EssayParameters(UnitChoices):
    def seconds(self, judgments: int) -> float:
        """Of mean scores and z-scores, and of mixed models, which read every judgment of every replicate."""
        return 2 * super().seconds(judgments) + self.replicates * judgments * SECONDS_TO_READ_A_JUDGMENT

    def replicates_by(self, unit: Unit) -> int:
        """How many replicates draw this unit: texts all, others add a covariance."""
        return self.replicates if unit is Unit.SENTENCE else min(self.replicates, MOST_FOR_COVARIANCE)


PRESETS: Mapping[str, EssayParameters] = {"recommended": EssayParameters()}
