"""Comprehension checks: questions with options, written by organisers as plain text.

    ? Two versions are equally good. What do you do?
    + I give them the same rank.
    - I rank them as I like.
    ! The same number says that you see no difference.

+ marks a right option (there may be several), - a wrong one, and ! the explanation.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from judgments.rules.authored.blocks import BlockLine, read_blocks
from judgments.rules.files.problems import Problem

FILE = "questions"


class Option(NamedTuple):
    text: str
    is_right: bool


@dataclass(frozen=True)
class Question:
    """A question, its options in the order shown, and the explanation."""

    text: str
    options: tuple[Option, ...]
    why: str = ""


def read_questions(text: str) -> list[Question]:
    return read_blocks(FILE, text, _read_question)


def rightly_answered(questions: Sequence[Question], chosen: Sequence[int]) -> list[bool]:
    return [question.options[place].is_right for question, place in zip(questions, chosen, strict=True)]


def _read_question(block: list[BlockLine], problems: list[Problem]) -> Question:
    parts: dict[str, list[str]] = {"?": [], "!": []}
    options: list[Option] = []
    for line in block:
        mark = line.text[0]
        if mark == "?" and options:
            what = "a second question in one; leave an empty line before each ? ..."
            problems.append(Problem(FILE, line.number, what))
        elif mark in parts:
            parts[mark].append(line.rest)
        elif mark in "+-":
            options.append(Option(line.rest, mark == "+"))
        else:
            what = "begin with ? (the question), + (a right option), - (a wrong one) or ! (why)"
            problems.append(Problem(FILE, line.number, what))
    question = Question(" ".join(parts["?"]), tuple(options), " ".join(parts["!"]))
    if not question.text:
        problems.append(Problem(FILE, block[0].number, "the question is missing; begin with a line ? ..."))
    if len({option.is_right for option in options}) < 2:
        problems.append(Problem(FILE, block[0].number, "a question needs a right option (+) and a wrong one (-)"))
    return question
