"""All numbers of a report, computed from a study: pure, so that anybody can reproduce them.

Each section makes one or more tables. A section that fails leaves a gap with the reason; the others are made
regardless.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

from ranking.numbers.tables import Gap, StatisticsError, Table
from ranking.stats.choices import Choices, ParametersError

Step = Callable[[str, float], None]
Sections = Mapping[str, Callable[[Any], Iterator[Table | Gap]]]


class AnyStudy(Protocol):
    """What the studies of all kinds provide."""

    kind: ClassVar[str]

    @property
    def parameters(self) -> Any:
        """The parameters of the report."""

    @property
    def judgments(self) -> int:
        """The number of judgments people gave."""

    def check_usable(self) -> None:
        """Raise a StatisticsError if nothing can be concluded from the study."""

    def signature(self) -> str:
        """The recipe that travels with the numbers."""


@dataclass(frozen=True)
class StudyKind:
    """The pure part of a kind of report: its parameters, its sections, and how studies are written to files and read.

    `place` is its import path, for the script that reproduces a report. `at_a_glance` are the few, fast sections of a
    live board.
    """

    name: str
    place: str
    parameters: type[Choices]
    presets: Mapping[str, Any]
    sections: Sections
    written: Callable[[Any], dict[str, str]]
    read: Callable[[Mapping[str, str]], AnyStudy]
    at_a_glance: Sections = field(default_factory=dict)

    def preset(self, name: str) -> Any:
        """The parameters with this name."""
        if name not in self.presets:
            names = ", ".join(self.presets)
            raise ParametersError(f"There is no preset {name!r} for reports on {self.name}; choose from {names}.")
        return self.presets[name]


@dataclass
class Analysis:
    """The tables of a report, and the reasons for missing ones."""

    tables: dict[str, Table] = field(default_factory=dict)
    gaps: dict[str, str] = field(default_factory=dict)


def analyse(study: AnyStudy, sections: Sections, step: Step = lambda name, done: None) -> Analysis:
    """Compute every section; `step` gets the name of each one and the share already done."""
    study.check_usable()
    analysis = Analysis()
    for place, (name, section) in enumerate(sections.items()):
        step(name, place / len(sections))
        try:
            for part in section(study):
                if isinstance(part, Gap):
                    analysis.gaps[part.name] = part.reason
                else:
                    analysis.tables[part.name] = part
        except StatisticsError as reason:
            analysis.gaps[name] = str(reason)
    return analysis
