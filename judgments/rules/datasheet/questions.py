"""What a question of a datasheet is, and the form of its answer."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

OTHER = "other"
LONGEST_ANSWER = 5000


class By(StrEnum):
    """Who answers: the platform as far as it knows the answer, both together, or the organiser alone."""

    PLATFORM = "platform"
    BOTH = "both"
    ORGANISER = "organiser"


@dataclass(frozen=True)
class Question:
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
    questions: tuple[Question, ...]
