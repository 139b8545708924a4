"""What is wrong with something that was handed in: every problem at once, each with its place."""

from collections.abc import Iterable
from dataclasses import dataclass

MOST_PER_FILE = 10
# What is quoted may be as long as the file; the beginning says what is wrong, the end what to do.
LONGEST, BEGINNING, END = 600, 400, 190


@dataclass(frozen=True)
class Problem:
    """One thing to mend: in which file, on which line (counted from 1), what."""

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
    """Something handed in cannot be taken; holds every problem found."""

    def __init__(self, problems: Iterable[Problem]):
        self.problems = list(problems)
        super().__init__("\n".join(map(str, self.problems)))


def shorten(file: str, problems: list[Problem], most: int = MOST_PER_FILE) -> list[Problem]:
    """The first few problems of a file and how many more there are, so that one bad file does not bury the others."""
    if len(problems) <= most:
        return problems
    return [*problems[:most], Problem(file, None, f"and {len(problems) - most} more like these")]
