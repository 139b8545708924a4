"""The questions of a datasheet, which questions.yaml holds."""

from collections.abc import Mapping, Sequence
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


class Edition(StrEnum):
    """An edition of the Human Evaluation Datasheet, by its number."""

    HEDS_3 = "3.0"
    HEDS_2 = "2.0"


@dataclass(frozen=True)
class SheetQuestion:
    """A question, answered in words or by `options`, of which one or `several` apply and some must be `worded` too.

    `form` is the id of its field in the official form, and `same_as` the number of a question whose answer is also the
    answer to this one.
    """

    number: str
    title: str
    help: str = ""
    by: By = By.ORGANISER
    options: Mapping[str, str] = field(default_factory=dict)
    several: bool = False
    worded: Sequence[str] = ()
    form: str = ""
    same_as: str = ""

    def number_in(self, edition: Edition) -> str:
        """Edition 2.0 asks under one number what 3.0 asks in parts: 1.3 is 1.3.1.1 to 1.3.2.3."""
        if edition == Edition.HEDS_3:
            return self.number
        levels = 3 if self.number[0] in "34" else 2
        number = ".".join(self.number.split(".")[:levels])
        return {"4.3.12": "4.3.11"}.get(number, number)


@dataclass(frozen=True)
class Section:
    title: str
    questions: tuple[SheetQuestion, ...]


def _question(given: dict[str, Any], form: str) -> SheetQuestion:
    by = By(given.get("by", By.ORGANISER))
    return SheetQuestion(**given | {"by": by, "form": f"{form}-{given['form']}" if form else ""})


# Read in C, which takes milliseconds.
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_CONTENT = _LOADER(Path(__file__).with_suffix(".yaml").read_bytes()).get_single_data()
SECTIONS = tuple(
    Section(part["title"], tuple(_question(one, part.get("form", "")) for one in part["questions"]))
    for part in _CONTENT["sections"]
)
QUESTIONS = {question.number: question for section in SECTIONS for question in section.questions}
