"""Plain text in blocks of lines, each beginning with a mark; empty lines separate blocks."""

from itertools import groupby
from typing import NamedTuple

from judgments.rules.files.problems import Problem, Problems

COMMENT = "#"
MOST_BLOCKS = 100


class Line(NamedTuple):
    """A line without surrounding white space, and its number, from 1."""

    number: int
    text: str

    @property
    def rest(self) -> str:
        """The text after the mark."""
        return self.text[1:].strip()


def read_blocks(name: str, text: str) -> list[list[Line]]:
    """Split a text into blocks, without comments (lines that begin with #)."""
    lines = [Line(number, raw.strip()) for number, raw in enumerate(text.splitlines(), 1)]
    written = (line for line in lines if not line.text.startswith(COMMENT))
    blocks = [list(block) for has_text, block in groupby(written, key=lambda line: bool(line.text)) if has_text]
    if len(blocks) > MOST_BLOCKS:
        raise Problems([Problem(name, None, f"holds {len(blocks)} blocks; at most {MOST_BLOCKS} are allowed")])
    return blocks
