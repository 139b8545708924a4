"""A report's numbers, all of them, from a study: pure, so that anybody can make them again.

Each section makes one or more tables. A section that cannot be made leaves a gap with its reason, and the others are
made all the same.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from ranking.stats.ballots import StatisticsError
from ranking.stats.kinds import AnyStudy, Sections, kind_of
from ranking.stats.tables import Gap, Table

Step = Callable[[str, float], None]


@dataclass
class Analysis:
    """The tables of a report, and why some of them are missing."""

    tables: dict[str, Table] = field(default_factory=dict)
    gaps: dict[str, str] = field(default_factory=dict)


def analyse(study: AnyStudy, step: Step = lambda name, done: None, sections: Sections | None = None) -> Analysis:
    """Make every section of its kind, or some, saying which one and how far."""
    study.check_usable()
    analysis, wanted = Analysis(), kind_of(study).sections if sections is None else sections
    for place, (name, section) in enumerate(wanted.items()):
        step(name, place / len(wanted))
        try:
            for part in section(study):
                if isinstance(part, Gap):
                    analysis.gaps[part.name] = part.reason
                else:
                    analysis.tables[part.name] = part
        except StatisticsError as reason:
            analysis.gaps[name] = str(reason)
    return analysis
