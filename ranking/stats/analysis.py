"""A report's numbers, all of them, from a study: pure, so that anybody can make them again.

Each section makes one or more tables. A section that cannot be made leaves a gap with its reason, and the others are
made all the same.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

from ranking.numbers.tables import Gap, StatisticsError, Table
from ranking.stats.choices import Choices, ParametersError

Step = Callable[[str, float], None]
Sections = Mapping[str, Callable[[Any], Iterator[Table | Gap]]]


class AnyStudy(Protocol):
    """What the studies of all kinds have."""

    kind: ClassVar[str]

    @property
    def parameters(self) -> Any:
        """The choices of the kind."""

    @property
    def judgments(self) -> int:
        """How many judgments people gave."""

    def check_usable(self) -> None:
        """Refuse, with a sentence, what nothing can be concluded from."""

    def signature(self) -> str:
        """The recipe that travels with the numbers."""


@dataclass(frozen=True)
class StudyKind:
    """The pure part of a kind of report: its choices, its sections, and how its studies are written to files and read.

    `place` says where it can be imported from, for the script that makes a report again. `at_a_glance` are the sections
    that a live board shows, few and fast.
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
        """The choices that a name stands for."""
        if name not in self.presets:
            names = ", ".join(self.presets)
            raise ParametersError(f"There is no preset {name!r} for reports on {self.name}; choose from {names}.")
        return self.presets[name]


@dataclass
class Analysis:
    """The tables of a report, and why some of them are missing."""

    tables: dict[str, Table] = field(default_factory=dict)
    gaps: dict[str, str] = field(default_factory=dict)


def analyse(study: AnyStudy, sections: Sections, step: Step = lambda name, done: None) -> Analysis:
    """Make every section, saying which one and how far."""
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
