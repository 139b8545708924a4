"""The questions of a datasheet, which questions.yaml holds."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

import yaml

OTHER, NO_INSTRUMENT = "other", "none"
LONGEST_ANSWER = 5000


class By(StrEnum):
    """Who answers: the platform as far as it knows the answer, both together, or the organiser alone."""

    PLATFORM = "platform"
    BOTH = "both"
    ORGANISER = "organiser"


@dataclass(frozen=True)
class SheetQuestion:
    """A question, answered in words or by `options`, of which one or `several` apply.

    `same_as` is the number of a question whose answer is also the answer to this one.
    """

    number: str
    title: str
    help: str = ""
    by: By = By.ORGANISER
    options: Mapping[str, str] = field(default_factory=dict)
    several: bool = False
    same_as: str = ""


@dataclass(frozen=True)
class Section:
    title: str
    questions: tuple[SheetQuestion, ...]


def _question(given: dict[str, Any]) -> SheetQuestion:
    return SheetQuestion(**given | {"by": By(given.get("by", By.ORGANISER))})


# Read in C, which takes milliseconds.
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_CONTENT = _LOADER(Path(__file__).with_suffix(".yaml").read_bytes()).get_single_data()
SECTIONS = tuple(Section(part["title"], tuple(map(_question, part["questions"]))) for part in _CONTENT["sections"])
QUESTIONS = {question.number: question for section in SECTIONS for question in section.questions}
