"""Plain text in blocks of lines, each beginning with a mark; empty lines separate blocks."""

from collections.abc import Callable
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


def read_blocks(name: str, text: str, read: Callable[[list[BlockLine], list[Problem]], Read]) -> list[Read]:
    """Read the blocks of a text, without comments (lines that begin with #), or raise all problems noted by `read`."""
    lines = [BlockLine(number, raw.strip()) for number, raw in enumerate(text.splitlines(), 1)]
    written = (line for line in lines if not line.text.startswith(COMMENT))
    blocks = [list(block) for has_text, block in groupby(written, key=lambda line: bool(line.text)) if has_text]
    if len(blocks) > MOST_BLOCKS:
        raise Problems([Problem(name, None, f"holds {len(blocks)} blocks; at most {MOST_BLOCKS} are allowed")])
    problems: list[Problem] = []
    found = [read(block, problems) for block in blocks]
    refuse(problems)
    return found
