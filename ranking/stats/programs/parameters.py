"""Parameters of a report on programs: everything except the data that affects its numbers."""

from collections.abc import Mapping
from dataclasses import dataclass

from ranking.stats.choices import EVERYBODY, ParametersError
from ranking.stats.programs.alternative_annotator import EPSILON
from ranking.stats.unit_choices import UnitChoices


@dataclass(frozen=True)
class ProgramParameters(UnitChoices):
    """`people` says who they are, which sets how much worse than they a program may be."""

    judged_by: str = EVERYBODY
    people: str = "skilled"

    @staticmethod
    def _choices() -> dict[str, tuple[str, ...]]:
        return {"people": tuple(EPSILON), **UnitChoices._choices()}

    def _check(self) -> None:
        if self.judged_by != EVERYBODY:
            raise ParametersError("A report on programs compares them with people; leave judged_by as everybody.")

    def seconds(self, judgments: int) -> float:
        """Of means, win rates and Expected Wins, each of people, and of programs twice."""
        return 9 * super().seconds(judgments)


PRESETS: Mapping[str, ProgramParameters] = {"recommended": ProgramParameters()}
