"""Plain text in blocks of lines, each beginning with a mark; empty lines separate blocks."""

from collections.abc import Callable, Iterator
from itertools import groupby
from typing import NamedTuple, TypeVar

from judgments.rules.files.problems import Problem, Problems, refuse

COMMENT = "#"
MOST_BLOCKS = 100
Read = TypeVar("Read")


class BlockLine(NamedTuple):
    """A line without surrounding white space, and its number, from 1."""

    number: int
    text: str

    @property
    def rest(self) -> str:
        """The text after the mark."""
        return self.text[1:].strip()


def without_comments(text: str) -> Iterator[BlockLine]:
    """The lines of a text, also empty ones, but for those that begin with #."""
    lines = (BlockLine(number, raw.strip()) for number, raw in enumerate(text.splitlines(), 1))
    return (line for line in lines if not line.text.startswith(COMMENT))


def read_blocks(name: str, text: str, read: Callable[[list[BlockLine], list[Problem]], Read]) -> list[Read]:
    """Read the blocks of a text, without comments, or raise all problems noted by `read`."""
    lines = without_comments(text)
    blocks = [list(block) for has_text, block in groupby(lines, key=lambda line: bool(line.text)) if has_text]
    if len(blocks) > MOST_BLOCKS:
        raise Problems([Problem(name, None, f"holds {len(blocks)} blocks; at most {MOST_BLOCKS} are allowed")])
    problems: list[Problem] = []
    found = [read(block, problems) for block in blocks]
    refuse(problems)
    return found
