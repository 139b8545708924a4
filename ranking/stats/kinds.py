"""The kinds of reports: what each concludes from, by which choices, in which sections, and how it is written to files.

A campaign's protocol decides the kind of its reports; a new kind is a line in `KINDS` and, where rows are read, one in
`ranking/gathering.py`.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

from ranking.stats import inputs
from ranking.stats.choices import Choices, ParametersError
from ranking.stats.corrections import inputs as correction_inputs
from ranking.stats.corrections import parameters as corrections
from ranking.stats.corrections.parameters import CorrectionParameters
from ranking.stats.corrections.study import CorrectionStudy
from ranking.stats.parameters import PRESETS, Parameters
from ranking.stats.sections import comparisons
from ranking.stats.sections.corrections import whole as correction_sections
from ranking.stats.sections.verdicts import whole
from ranking.stats.study import Study
from ranking.stats.tables import Gap, Table
from ranking.stats.verdicts import inputs as verdict_inputs
from ranking.stats.verdicts import parameters as verdict_parameters
from ranking.stats.verdicts.parameters import VerdictParameters
from ranking.stats.verdicts.study import VerdictStudy

STUDY = "study.json"
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
class Kind:
    """A kind of report.

    `does` says what it does by what, `headline` is the table that says most, `at_a_glance` what a live board shows.
    """

    name: str
    protocols: tuple[str, ...]
    parameters: type[Choices]
    presets: Mapping[str, Any]
    sections: Sections
    headline: str
    does: str
    written: Callable[[Any], dict[str, str]]
    read: Callable[[Mapping[str, str]], AnyStudy]
    at_a_glance: Sections = field(default_factory=dict)
    is_splittable: bool = False
    compares: bool = False

    def preset(self, name: str) -> Any:
        """The choices that a name stands for."""
        if name not in self.presets:
            names = ", ".join(self.presets)
            raise ParametersError(f"There is no preset {name!r} for reports on {self.name}; choose from {names}.")
        return self.presets[name]


COMPARISONS = Kind(
    name=Study.kind,
    protocols=("ranking", "rating"),
    parameters=Parameters,
    presets=PRESETS,
    sections=comparisons.SECTIONS,
    headline="standings",
    does="ranks the systems by the judgments",
    written=inputs.written,
    read=inputs.read,
    at_a_glance=comparisons.AT_A_GLANCE,
    is_splittable=True,
    compares=True,
)
CORRECTIONS = Kind(
    name=CorrectionStudy.kind,
    protocols=("correction",),
    parameters=CorrectionParameters,
    presets=corrections.PRESETS,
    sections=correction_sections.SECTIONS,
    headline="combinations",
    does="sets people and systems against people by the corrections",
    written=correction_inputs.written,
    read=correction_inputs.read,
)
VERDICTS = Kind(
    name=VerdictStudy.kind,
    protocols=("verdict",),
    parameters=VerdictParameters,
    presets=verdict_parameters.PRESETS,
    sections=whole.SECTIONS,
    headline="measures",
    does="measures the systems by the verdicts",
    written=verdict_inputs.written,
    read=verdict_inputs.read,
)
KINDS = {kind.name: kind for kind in (COMPARISONS, VERDICTS, CORRECTIONS)}


def kind_for(protocol: str) -> Kind:
    """The kind of reports on campaigns of a protocol."""
    return next(kind for kind in KINDS.values() if protocol in kind.protocols)


def kind_of(study: AnyStudy) -> Kind:
    """The kind of a study."""
    return KINDS[study.kind]


def written(study: AnyStudy) -> dict[str, str]:
    """A study as files by name, from which it can be read back."""
    return kind_of(study).written(study)


def read(files: Mapping[str, str]) -> AnyStudy:
    """The study that was written to these files; those from before there were kinds name none."""
    told = json.loads(files[STUDY])
    return KINDS[told.get("kind", COMPARISONS.name)].read(files)
