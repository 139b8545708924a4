"""What a report is made by: everything but the judgments that decides its numbers."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace

from ranking.stats.rankings.clusters import RULES
from ranking.stats.rankings.methods import METHODS
from ranking.stats.resampling import Unit

MOST_REPLICATES = 100_000
LARGEST_SEED = 2**31 - 1
TESTS = ("sign", "sentence")
FOLDINGS = ("none", "published", "honest")
SCORES = ("judgments", "replicates")
CORRELATIONS = ("plain", "published")
# Programs that judge are never mixed with people unless asked.
JUDGED_BY = PEOPLE, PROGRAMS, EVERYBODY = "people", "programs", "everybody"
# Intervals of agreement need no more, and cost more than those of rankings.
MOST_FOR_AGREEMENT = 200


class ParametersError(ValueError):
    """A report cannot be made so; the text says why and what to choose."""


@dataclass(frozen=True)
class Parameters:
    """The choices of a report; the first method is the one whose ranking is shown first."""

    methods: tuple[str, ...] = ("expected-wins",)
    unit: str = Unit.SENTENCE.value
    replicates: int = 1000
    level: float = 0.95
    seed: int = 0
    clusters: str = "never-overlapping"
    test: str = "sentence"
    folds: str = "none"
    scores: str = "judgments"
    correlations: str = "plain"
    judged_by: str = PEOPLE

    def __post_init__(self) -> None:
        for name, known in self._choices().items():
            given = getattr(self, name)
            for chosen in given if isinstance(given, tuple) else (given,):
                if chosen not in known:
                    raise ParametersError(f"There is no {name} {chosen!r}; choose from {', '.join(known)}.")
        if not self.methods:
            raise ParametersError("A report needs a method; choose one or more.")
        if not 1 <= self.replicates <= MOST_REPLICATES:
            raise ParametersError(f"Replicates must lie between 1 and {MOST_REPLICATES}.")
        if not 0.5 <= self.level < 1:
            raise ParametersError("The level must be at least 0.5 and less than 1, such as 0.95.")
        if not 0 <= self.seed <= LARGEST_SEED:
            raise ParametersError(f"The seed must lie between 0 and {LARGEST_SEED}.")

    @staticmethod
    def _choices() -> dict[str, tuple[str, ...]]:
        return {
            "methods": tuple(METHODS),
            "unit": tuple(unit.value for unit in Unit),
            "clusters": tuple(RULES),
            "test": TESTS,
            "folds": FOLDINGS,
            "scores": SCORES,
            "correlations": CORRELATIONS,
            "judged_by": JUDGED_BY,
        }

    @property
    def agreement_replicates(self) -> int:
        """How often sentences are drawn for intervals of agreement."""
        return min(self.replicates, MOST_FOR_AGREEMENT)

    def changed(self, **changes: object) -> "Parameters":
        """The same with some choices made otherwise."""
        known = {field.name for field in fields(self)}
        if unknown := changes.keys() - known:
            raise ParametersError(f"A report has no {min(unknown)}; it has {', '.join(sorted(known))}.")
        if "methods" in changes:
            changes["methods"] = tuple(changes["methods"])  # type: ignore[arg-type]
        return replace(self, **changes)  # type: ignore[arg-type]

    def recipe(self) -> list[str]:
        """Every choice as it stands in a signature."""
        choices = asdict(self).items()
        written = {name: "+".join(value) if isinstance(value, tuple) else value for name, value in choices}
        return [f"{name.replace('_', '-')}:{value}" for name, value in written.items()]


PRESETS: Mapping[str, Parameters] = {
    "recommended": Parameters(methods=("expected-wins", "bradley-terry"), folds="honest"),
    # Grundkiewicz et al. (2015), sections 5 and 6.
    "grundkiewicz2015": Parameters(
        methods=("expected-wins", "trueskill-published"),
        unit=Unit.PAIR.value,
        clusters="all-later",
        test="sign",
        folds="published",
        scores="replicates",
        correlations="published",
    ),
    # Napoles et al. (2019), section 4: ratings, whose means and z-scores rank the systems.
    "napoles2019": Parameters(methods=("z-score", "mean-score", "expected-wins")),
}
