"""What a report concludes from: ballots, the names behind their numbers, and parameters."""

from dataclasses import dataclass
from functools import cached_property

from ranking.stats.ballots import Ballots
from ranking.stats.parameters import Parameters
from ranking.stats.rankings.methods import METHODS
from ranking.stats.tally import Tally, tally

VERSION = "1.0"


@dataclass(frozen=True)
class Names:
    """What the numbers in ballots stand for."""

    systems: tuple[str, ...]
    judges: tuple[str, ...]


@dataclass(frozen=True)
class Study:
    """Ballots to conclude from, by which parameters."""

    ballots: Ballots
    names: Names
    parameters: Parameters
    are_ratings: bool = False

    @cached_property
    def counted(self) -> Tally:
        """The tally that most sections begin with."""
        return tally(self.ballots)

    def judge(self, number: int, nobody: str) -> str:
        """A judge's name; a number below 0 stands for what `nobody` says."""
        return nobody if number < 0 else self.names.judges[number]

    def signature(self) -> str:
        """The recipe that travels with the numbers."""
        made_of = [f"judgments:{len(self.ballots)}", f"judges:{len(self.names.judges)}"]
        methods = [f"{name}({METHODS[name].recipe})" for name in self.parameters.methods]
        return "|".join([*methods, *made_of, *self.parameters.recipe()[1:], f"code:{VERSION}"])
