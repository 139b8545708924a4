"""All numbers of a report, computed from a study, and the files they are written to; without Django.

Each section makes one or more tables. A section that fails leaves a gap with the reason; the others are made
regardless. A report has one CSV file for each table, everything as JSON, and the signature; the same numbers give the
same bytes. The signature has digests of code and data, which change whenever the numbers may change.
"""

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ranking.numbers.tables import Gap, StatisticsError, Table, to_csv
from ranking.numbers.version import VERSION
from ranking.stats import study_files
from ranking.stats.choices import INDEPENDENT, NOT_INDEPENDENT


class SectionProgress(NamedTuple):
    """How far a section is that takes long."""

    what: str
    share: float


Section = Callable[[Any], Iterator[Table | Gap | SectionProgress]]
Sections = Mapping[str, Section]
SIGNATURE, EVERYTHING = "signature.txt", "report.json"
INPUTS, REPORT, AGAIN = "inputs", "report", "again"
ABOUT = "about.json"
BY_DAY = "judgments_over_time"
RANKING = Path(__file__).parent.parent
# The packages that compute the numbers; the bundle of a report contains them.
PACKAGES = ("numbers", "metrics", "stats")


class Day(NamedTuple):
    """What was judged on a day, which is written as 2015-09-17; no signature counts it, as no other number needs it."""

    day: str
    judgments: int
    judges: int


@cache
def code_version() -> str:
    """Return the version and eight digits of the code, such as 1.0.0-3fa2c1d9; comments count, line ends do not."""
    digest = sha256()
    for file in sorted(file for package in PACKAGES for file in (RANKING / package).rglob("*.py")):
        digest.update(f"{file.relative_to(RANKING).as_posix()}\n{file.read_text('utf-8')}\n".encode())
    return f"{VERSION}-{digest.hexdigest()[:8]}"


def fingerprint_of(*parts: object) -> str:
    """Return twelve digits of arrays of numbers, and of anything else by its `repr`."""
    digest = sha256()
    for part in parts:
        is_column = isinstance(part, np.ndarray)
        digest.update(
            np.ascontiguousarray(part, dtype="<f8").tobytes()
            if is_column
            else repr(part).encode("utf-8", "surrogatepass")
        )
    return digest.hexdigest()[:12]


class Study(ABC):
    """What a report is made from: answers, what is known beside them, and parameters; its subclasses are dataclasses.

    Whatever their kind, the same sections say how much was judged, and on which days.
    """

    # The kind of report, and whether the files of its studies hold texts of the source and of systems.
    kind: ClassVar[str]
    holds_texts: ClassVar[bool] = False
    parameters: Any
    days: tuple[Day, ...]
    # How many there are, without automatic ties.
    judgments: Any

    @abstractmethod
    def how_much(self) -> dict[str, int]:
        """What the numbers rest on: systems, sentences, judges and so on."""

    def check_usable(self) -> None:
        """Raise a StatisticsError if nothing can be concluded from the study."""
        if not self.judgments:
            raise StatisticsError(
                "There are no judgments yet that count; those of excluded judges do not, and those of programs only in "
                "a report that asks for them. Judge some screens, then make a new report."
            )

    @abstractmethod
    def made_of(self) -> list[str]:
        """The part of the signature that says what there was."""

    @abstractmethod
    def fingerprint(self) -> str:
        """Return a digest of all inputs that affect the numbers, hence without judges' names."""

    def signature(self) -> str:
        """Return the recipe of the numbers, which is published with them."""
        data, code = f"data:{self.fingerprint()}", f"code:{code_version()}"
        return "|".join([*self.made_of(), data, *self.recipe(), code])

    def recipe(self) -> list[str]:
        """What was chosen, parameter by parameter."""
        return self.parameters.recipe()


def counts(study: Study) -> Iterator[Table]:
    yield Table.of("counts", ("what", "number"), study.how_much().items())


def judgments_over_time(study: Study) -> Iterator[Table]:
    """The judgments of each day and their judges."""
    if study.days:
        yield Table.of(BY_DAY, ("day", "judgments", "judges"), study.days)


def needs_independent_answers(section: Section) -> Section:
    """A section that is left out if judges knew of each other: agreement would only show that they adapted."""

    def checked(study: Study) -> Iterator[Table | Gap | SectionProgress]:
        if study.parameters.answers != INDEPENDENT:
            raise StatisticsError(NOT_INDEPENDENT)
        yield from section(study)

    return checked


@dataclass
class Analysis:
    tables: dict[str, Table] = field(default_factory=dict)
    gaps: dict[str, str] = field(default_factory=dict)


def analyse(
    study: Study,
    sections: Sections,
    step: Callable[[str, float], None] = lambda name, done: None,
    made: Callable[[Table], None] = lambda table: None,
) -> Analysis:
    """Compute every section; `step` gets its name and the share of all already done, `made` each table."""
    study.check_usable()
    analysis = Analysis()
    for place, (name, section) in enumerate(sections.items()):
        step(name, place / len(sections))
        try:
            for part in section(study):
                if isinstance(part, SectionProgress):
                    step(f"{name}, {part.what}", (place + part.share) / len(sections))
                elif isinstance(part, Gap):
                    analysis.gaps[part.name] = part.reason
                else:
                    analysis.tables[part.name] = part
                    made(part)
        except StatisticsError as reason:
            analysis.gaps[name] = str(reason)
    return analysis


def texts_of(
    tables: Mapping[str, Table], gaps: Mapping[str, str], signature: str, about: Mapping[str, object]
) -> dict[str, str]:
    """Return the content of every file of a report, by name."""
    by_name = {name: table.dicts() for name, table in tables.items()}
    content = {**about, "signature": signature, "gaps": gaps, "tables": by_name}
    everything = json.dumps(content, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
    numbers = {f"{name}.csv": to_csv(tables[name]) for name in sorted(tables)}
    return {SIGNATURE: signature + "\n", EVERYTHING: everything} | numbers


def make_again(study: type[Study], sections: Sections, folder: Path) -> str:
    """Recompute a report from its inputs into another folder, and report whether the files are the same."""
    inputs = {file.name: file.read_bytes().decode() for file in (folder / INPUTS).iterdir()}
    found = study_files.read(study, inputs)
    analysis = analyse(found, sections)
    texts = texts_of(analysis.tables, analysis.gaps, found.signature(), json.loads(inputs[ABOUT]))
    (folder / AGAIN).mkdir(exist_ok=True)
    for name, text in texts.items():
        (folder / AGAIN / name).write_bytes(text.encode())
    reported = {file.name: file.read_bytes() for file in (folder / REPORT).iterdir()}
    different = sorted(name for name in reported | texts if reported.get(name) != texts.get(name, "").encode())
    if different:
        return f"Different: {', '.join(different)}. Compare the folders {REPORT} and {AGAIN}."
    return f"All {len(texts)} files are the same, byte for byte."
