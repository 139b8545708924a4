"""All numbers of a report, computed from a study, and the files they are written to; without Django.

Each section makes one or more tables. A section that fails leaves a gap with the reason; the others are made
regardless. A report has one CSV file for each table, everything as JSON, and the signature; the same numbers give the
same bytes.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Protocol

from ranking.numbers.tables import Gap, StatisticsError, Table, to_csv
from ranking.stats import study_files
from ranking.stats.choices import INDEPENDENT, NOT_INDEPENDENT, Choices, ParametersError

Step = Callable[[str, float], None]
Made = Callable[[Table], None]
Section = Callable[[Any], Iterator[Table | Gap]]
Sections = Mapping[str, Section]
SIGNATURE, EVERYTHING = "signature.txt", "report.json"
INPUTS, REPORT, AGAIN = "inputs", "report", "again"
ABOUT = "about.json"
BY_DAY = "judgments_over_time"


class AnyStudy(Protocol):
    """Interface of the studies of all kinds; `judgments` leaves out automatic ties."""

    kind: ClassVar[str]

    @property
    def parameters(self) -> Any: ...

    @property
    def judgments(self) -> int: ...

    def check_usable(self) -> None:
        """Raise a StatisticsError if nothing can be concluded from the study."""

    def signature(self) -> str:
        """Return the recipe of the numbers, which is published with them."""


@dataclass(frozen=True)
class StudyKind:
    """The part of a kind of report without Django: its studies, their parameters, and its sections.

    `place` is its import path, for the script that reproduces a report. `at_a_glance` has the few, fast sections of the
    live board. `holds_texts` says that the files of its studies hold texts of the source and of systems.
    """

    study: type[AnyStudy]
    place: str
    parameters: type[Choices]
    presets: Mapping[str, Any]
    sections: Sections
    at_a_glance: Sections = field(default_factory=dict)
    holds_texts: bool = False

    @property
    def name(self) -> str:
        return self.study.kind

    def read(self, files: Mapping[str, str]) -> AnyStudy:
        return study_files.read(self.study, files)

    def preset(self, name: str) -> Any:
        if name not in self.presets:
            names = ", ".join(self.presets)
            raise ParametersError(f"There is no preset {name!r} for reports on {self.name}; choose from {names}.")
        return self.presets[name]


@dataclass
class Analysis:
    tables: dict[str, Table] = field(default_factory=dict)
    gaps: dict[str, str] = field(default_factory=dict)


def analyse(
    study: AnyStudy, sections: Sections, step: Step = lambda name, done: None, made: Made = lambda table: None
) -> Analysis:
    """Compute every section; `step` gets its name and the share already done, `made` each table."""
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
                    made(part)
        except StatisticsError as reason:
            analysis.gaps[name] = str(reason)
    return analysis


def of_independent(section: Section) -> Section:
    """A section that is left out if judges knew of each other: agreement would only show that they adapted."""

    def checked(study: AnyStudy) -> Iterator[Table | Gap]:
        if study.parameters.answers != INDEPENDENT:
            raise StatisticsError(NOT_INDEPENDENT)
        yield from section(study)

    return checked


class Day(NamedTuple):
    """What was judged on a day, which is written as 2015-09-17; no signature counts it, as no other number needs it."""

    day: str
    judgments: int
    judges: int


def by_day(days: Sequence[Day]) -> Iterator[Table]:
    """Section on the judgments of each day and their judges, the same for all kinds."""
    if days:
        yield Table.of(BY_DAY, ("day", "judgments", "judges"), days)


def counts(**numbers: int) -> Iterator[Table]:
    """Section on how much the numbers rest on, the same for all kinds."""
    yield Table.of("counts", ("what", "number"), numbers.items())


def texts_of(
    tables: Mapping[str, Table], gaps: Mapping[str, str], signature: str, about: Mapping[str, object]
) -> dict[str, str]:
    """Return the content of every file of a report, by name."""
    by_name = {name: table.dicts() for name, table in tables.items()}
    content = {**about, "signature": signature, "gaps": gaps, "tables": by_name}
    everything = json.dumps(content, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
    numbers = {f"{name}.csv": to_csv(tables[name]) for name in sorted(tables)}
    return {SIGNATURE: signature + "\n", EVERYTHING: everything} | numbers


def make_again(kind: StudyKind, folder: Path) -> str:
    """Recompute a report from its inputs into another folder, and report whether the files are the same."""
    inputs = {file.name: file.read_bytes().decode() for file in (folder / INPUTS).iterdir()}
    study = kind.read(inputs)
    analysis = analyse(study, kind.sections)
    texts = texts_of(analysis.tables, analysis.gaps, study.signature(), json.loads(inputs[ABOUT]))
    (folder / AGAIN).mkdir(exist_ok=True)
    for name, text in texts.items():
        (folder / AGAIN / name).write_bytes(text.encode())
    reported = {file.name: file.read_bytes() for file in (folder / REPORT).iterdir()}
    different = sorted(name for name in reported | texts if reported.get(name) != texts.get(name, "").encode())
    if different:
        return f"Different: {', '.join(different)}. Compare the folders {REPORT} and {AGAIN}."
    return f"All {len(texts)} files are the same, byte for byte."
