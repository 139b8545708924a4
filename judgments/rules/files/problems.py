"""Problems in uploaded files, reported all at once, each with its place."""

from collections.abc import Iterable
from dataclasses import dataclass

MOST_PER_FILE = 10
# A quotation may be as long as the file; the beginning of a message says what is wrong, its end what to do.
LONGEST, BEGINNING, END = 600, 400, 190


@dataclass(frozen=True)
class Problem:
    """One thing to fix: the file, the line (counted from 1), and what is wrong."""

    file: str
    line: int | None
    what: str

    def __post_init__(self) -> None:
        if len(self.what) > LONGEST:
            object.__setattr__(self, "what", f"{self.what[:BEGINNING]} ... {self.what[-END:]}")

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}, line {self.line}"
        return f"{place}: {self.what}" if place else self.what


class Problems(Exception):
    """Refuses an upload with every problem found."""

    def __init__(self, problems: Iterable[Problem]):
        self.problems = list(problems)
        super().__init__("\n".join(map(str, self.problems)))


def count_lines(count: int) -> str:
    return f"{count} line{'s' * (count != 1)}"


def refuse(problems: list[Problem]) -> None:
    """Raise the problems, if there are any."""
    if problems:
        raise Problems(problems)


def shorten(file: str, problems: list[Problem]) -> list[Problem]:
    """List the first problems of a file and count the others, so that one bad file does not hide the rest."""
    if len(problems) <= MOST_PER_FILE:
        return problems
    rest = f"and {len(problems) - MOST_PER_FILE} more like these"
    return [*problems[:MOST_PER_FILE], Problem(file, None, rest)]
