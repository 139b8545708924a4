"""Plain text in blocks: lines that begin with a mark, and an empty line between blocks."""

from itertools import groupby
from typing import NamedTuple

from judgments.rules.files.problems import Problem, Problems

COMMENT = "#"
MOST_BLOCKS = 100


class Line(NamedTuple):
    """A line of a text, counted from 1, stripped of white space."""

    number: int
    text: str

    @property
    def rest(self) -> str:
        """The text behind the mark."""
        return self.text[1:].strip()


def read_blocks(name: str, text: str) -> list[list[Line]]:
    """Split a text into blocks; lines that begin with # are comments."""
    lines = [Line(number, raw.strip()) for number, raw in enumerate(text.splitlines(), 1)]
    written = (line for line in lines if not line.text.startswith(COMMENT))
    blocks = [list(block) for has_text, block in groupby(written, key=lambda line: bool(line.text)) if has_text]
    if len(blocks) > MOST_BLOCKS:
        raise Problems([Problem(name, None, f"holds {len(blocks)} blocks; {MOST_BLOCKS} are the most")])
    return blocks
