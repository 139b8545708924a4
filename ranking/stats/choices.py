"""Parameters common to all kinds of report: their validation, changing and writing."""

from collections.abc import Iterable, Mapping
from dataclasses import Field, asdict, field, fields, replace
from math import ceil, inf
from typing import Any, ClassVar, Self, get_args

# The preset of every kind of report that carries our own choices.
RECOMMENDED = "recommended"
MOST_REPLICATES = 100_000
# With fewer, or with fewer left out of an interval, its ends are a matter of luck.
FEWEST_REPLICATES, FEWEST_OUTSIDE = 200, 10
# Measured with 13 systems where replicates are drawn from counts.
SECONDS_A_REPLICATE, SECONDS_A_JUDGMENT = 2e-4, 5e-8
LARGEST_SEED = 2**31 - 1
# Judgments of programs are mixed with those of people only on request.
JUDGED_BY = PEOPLE, PROGRAMS, EVERYBODY = "people", "programs", "everybody"
# Answers that judges changed after feedback, or that an organiser gave instead of judges, count only on request.
ANSWERS = INDEPENDENT, REVISED, ADJUDICATED = "independent", "revised", "adjudicated"
NOT_INDEPENDENT = (
    "This needs independent answers, and those of this report were changed after feedback or adjudicated. Make a "
    "report on independent answers."
)


class ParametersError(ValueError):
    """A parameter is invalid; the message says why and what to choose."""


def option(
    default: Any, says: str = "", among: Iterable[str] = (), label: str = "", least: float = -inf, most: float = inf
) -> Any:
    """A parameter, with what checks, forms and commands know of it: among which words, from least to most."""
    known = {"says": says, "among": tuple(map(str, among)), "label": label, "least": least, "most": most}
    return field(default=default, metadata=known)


# The words for the parameters that every kind of report has, or may have.
WORDS = {"judged_by": JUDGED_BY, "answers": ANSWERS}


class Choices:
    """Base class of the parameters of a kind of report: frozen dataclasses that have these fields among others."""

    replicates: int
    level: float
    seed: int
    judged_by: str
    # Values by which a part of the report is left out.
    switched_off: ClassVar[Mapping[str, object]] = {}
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    def __post_init__(self) -> None:
        for choice in fields(self):
            given, known = getattr(self, choice.name), choice.metadata
            among = known.get("among") or WORDS.get(choice.name, ())
            for chosen in given if isinstance(given, tuple) else (given,):
                if among and chosen not in among:
                    raise ParametersError(f"{choice.name}: there is no {chosen!r}; choose from {', '.join(among)}.")
            if isinstance(given, int | float) and not known.get("least", -inf) <= given <= known.get("most", inf):
                what, least, most = choice.name.replace("_", " ").capitalize(), known["least"], known["most"]
                bounds = f"be at least {least:,g}" if most == inf else f"lie between {least:,g} and {most:,g}"
                raise ParametersError(f"{what} must {bounds}.")
        self._check()
        if not 0.5 <= self.level <= 0.9999:
            raise ParametersError("The level must lie between 0.5 and 0.9999, such as 0.95.")
        fewest = max(FEWEST_REPLICATES, ceil(round(FEWEST_OUTSIDE / (1 - self.level), 6)))
        if not fewest <= self.replicates <= MOST_REPLICATES:
            raise ParametersError(
                f"Replicates must lie between {fewest} and {MOST_REPLICATES} at the level {self.level}: with fewer, "
                "the ends of intervals would be a matter of luck."
            )
        if not 0 <= self.seed <= LARGEST_SEED:
            raise ParametersError(f"The seed must lie between 0 and {LARGEST_SEED}.")

    def _check(self) -> None:
        """Validate the parameters specific to one kind."""

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Self:
        """Read parameters from a row or a file, which stores tuples as lists."""
        return cls(**_with_tuples(values))

    def with_changes(self, **changes: object) -> Self:
        known = {field.name for field in fields(self)}
        if unknown := changes.keys() - known:
            raise ParametersError(f"A report has no {min(unknown)}; it has {', '.join(sorted(known))}.")
        return replace(self, **_with_tuples(changes))

    def with_words(self, words: Iterable[str]) -> Self:
        """The same with changes such as level=0.9; several values are separated by commas."""
        types = {field.name: field.type for field in fields(self)}
        changes: dict[str, object] = {}
        for word in words:
            name, _, value = word.partition("=")
            one, *many = get_args(types.get(name)) or (types.get(name, str),)
            try:
                changes[name] = list(map(one, value.split(","))) if many else one(value)
            except ValueError as reason:
                raise ParametersError(f"{word!r} is not like NAME=VALUE, such as level=0.9.") from reason
        return self.with_changes(**changes)

    def for_plan(self) -> dict[str, Any]:
        """What a plan says of the parameters; without those that only switch something off."""
        off = self.switched_off
        return {name: value for name, value in asdict(self).items() if name not in off or value != off[name]}

    def seconds(self, judgments: int) -> float:
        """About how long one core draws the replicates: a bound on requests, no forecast."""
        return self.replicates * (SECONDS_A_REPLICATE + judgments * SECONDS_A_JUDGMENT)

    def recipe(self) -> list[str]:
        """Format every parameter as in a signature."""
        return [
            f"{name.replace('_', '-')}:{'+'.join(map(str, value)) or 'all' if isinstance(value, tuple) else value}"
            for name, value in asdict(self).items()
        ]


def _with_tuples(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}
