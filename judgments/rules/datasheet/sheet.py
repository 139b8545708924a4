"""A datasheet: the questions, which questions.yaml holds, with what the platform knows and the organiser answered."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple

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


# Read in C, which takes milliseconds.
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_CONTENT = _LOADER(Path(__file__).with_name("questions.yaml").read_bytes()).get_single_data()
# The questions of each section by its title.
SECTIONS = {
    part["title"]: [
        SheetQuestion(
            **one
            | {
                "by": By(one.get("by", By.ORGANISER)),
                "form": f"{part['form']}-{one['form']}" if part.get("form") else "",
            }
        )
        for one in part["questions"]
    ]
    for part in _CONTENT["sections"]
}
QUESTIONS = {question.number: question for questions in SECTIONS.values() for question in questions}


class SheetAnswer(NamedTuple):
    """Words, and the names of the options that apply."""

    words: str = ""
    chosen: tuple[str, ...] = ()

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> "SheetAnswer":
        return cls(stored.get("words", ""), tuple(stored.get("chosen", ())))

    def answers(self, question: SheetQuestion) -> bool:
        """Whether this is a whole answer; the option "other", among others, needs words."""
        if not question.options:
            return bool(self.words)
        return bool(self.chosen) and (bool(self.words) or not {OTHER, *question.worded} & {*self.chosen})


class KnownAnswer(NamedTuple):
    """What the platform knows about a question, and where it looked."""

    answer: SheetAnswer
    origin: str


@dataclass(frozen=True)
class Entry:
    """A question with what the platform knows about it and the organiser's answer, or remark if the former suffices.

    `number` is that of the edition, and `same` the entry of the question that has the same answer.
    """

    question: SheetQuestion
    number: str
    known: KnownAnswer | None
    own: SheetAnswer
    same: "Entry | None" = None

    @property
    def is_settled(self) -> bool:
        """Whether the organiser is asked for a remark alone."""
        return self.same is not None or (self.known is not None and self.question.by == By.PLATFORM)

    @property
    def is_answered(self) -> bool:
        if self.same:
            return self.same.is_answered
        if self.is_settled:
            return True
        return any(self.own) and SheetAnswer(self.own.words, self.whole.chosen).answers(self.question)

    @property
    def whole(self) -> SheetAnswer:
        """What the platform knows, and then what the organiser answered."""
        known = self.known.answer if self.known else SheetAnswer()
        words = "\n\n".join(filter(None, [known.words, self.own.words]))
        return SheetAnswer(words, (*known.chosen, *self.own.chosen))

    @property
    def known_labels(self) -> list[str]:
        """The options that the platform has chosen."""
        return [self.question.options[name] for name in self.known.answer.chosen] if self.known else []

    @property
    def offered(self) -> dict[str, str]:
        """The options from which the organiser chooses: those that the platform has not chosen."""
        if self.is_settled:
            return {}
        known = self.known.answer.chosen if self.known else ()
        return {name: label for name, label in self.question.options.items() if name not in known}


@dataclass(frozen=True)
class SheetSection:
    """The entries of a section."""

    title: str
    entries: tuple[Entry, ...]

    @property
    def missing(self) -> list[Entry]:
        return [entry for entry in self.entries if not entry.is_answered]


class Source(NamedTuple):
    """The report from which a datasheet takes its results."""

    number: int
    name: str


@dataclass(frozen=True)
class Sheet:
    """The answers by the numbers of an edition, some of which 2.0 gives to several of our questions."""

    parts: tuple[SheetSection, ...]
    source: Source | None = None
    edition: Edition = Edition.HEDS_3

    @property
    def entries(self) -> list[Entry]:
        return [entry for part in self.parts for entry in part.entries]

    @property
    def missing(self) -> list[Entry]:
        return [entry for part in self.parts for entry in part.missing]

    @property
    def numbers(self) -> list[str]:
        return list(dict.fromkeys(entry.number for entry in self.entries))

    @property
    def missing_numbers(self) -> list[str]:
        return list(dict.fromkeys(entry.number for entry in self.missing))

    @property
    def results(self) -> str:
        return f"Results are those of {self.source.name}" if self.source else "No report is finished yet"

    @property
    def state(self) -> str:
        questions = len(self.numbers)
        return f"{questions - len(self.missing_numbers)} of {questions} questions are answered"


def sheet_of(
    known: Mapping[str, KnownAnswer],
    stored: Mapping[str, Any],
    source: Source | None = None,
    edition: Edition = Edition.HEDS_3,
) -> Sheet:
    """Put both halves together; stored options count while the organiser is asked for them."""
    entries: dict[str, Entry] = {}
    for number, question in QUESTIONS.items():
        own = SheetAnswer.of(stored.get(number, {}))
        same = entries.get(question.same_as)
        entry = Entry(question, question.number_in(edition), known.get(number), own, same)
        chosen = tuple(name for name in own.chosen if name in entry.offered)
        entries[number] = replace(entry, own=own._replace(chosen=chosen))
    parts = (SheetSection(title, tuple(entries[one.number] for one in asked)) for title, asked in SECTIONS.items())
    return Sheet(tuple(parts), source, edition)


def stored_form(answers: Mapping[str, SheetAnswer]) -> dict[str, Any]:
    """Answers as JSON; empty ones are left out."""
    given = {number: {"words": own.words, "chosen": [*own.chosen]} for number, own in answers.items() if any(own)}
    return {number: {name: part for name, part in row.items() if part} for number, row in given.items()}


def fault_of_answers(stored: Any) -> str | None:
    """Why this cannot be the stored answers of a datasheet, or None."""
    if not isinstance(stored, dict):
        return "is no JSON object with an answer for each number of a question."
    for number, given in stored.items():
        if number not in QUESTIONS:
            return f"has an answer to {number[:20]!r}, but there is no such question."
        if fault := _fault_of_answer(QUESTIONS[number], given):
            return f"{number} {fault}"
    return None


def _fault_of_answer(question: SheetQuestion, given: Any) -> str | None:
    if not isinstance(given, dict) or given.keys() - {"words", "chosen"}:
        return 'must be a JSON object of "words" and "chosen".'
    words, chosen = given.get("words", ""), given.get("chosen", [])
    if not isinstance(words, str) or len(words) > LONGEST_ANSWER:
        return f'needs a text of at most {LONGEST_ANSWER:,} characters as "words".'
    if not isinstance(chosen, list) or any(not isinstance(name, str) for name in chosen):
        return 'needs a list of names of options as "chosen".'
    if unknown := [name for name in chosen if name not in question.options]:
        known = ", ".join(question.options)
        return f"has no option {unknown[0][:40]!r}; " + (f"choose from {known}." if known else "answer it in words.")
    if len(chosen) > (len(question.options) if question.several else 1) or len(set(chosen)) < len(chosen):
        return "needs each option at most once." if question.several else "needs one option."
    return None
