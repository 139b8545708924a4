"""Plain text in blocks: lines that begin with a mark, and an empty line between blocks."""

from collections.abc import Iterator
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
    blocks = list(_blocks(text))
    if len(blocks) > MOST_BLOCKS:
        raise Problems([Problem(name, None, f"holds {len(blocks)} blocks; {MOST_BLOCKS} are the most")])
    return blocks


def _blocks(text: str) -> Iterator[list[Line]]:
    block: list[Line] = []
    for number, raw in enumerate(text.splitlines(), 1):
        line = Line(number, raw.strip())
        if line.text.startswith(COMMENT):
            continue
        if line.text:
            block.append(line)
        elif block:
            yield block
            block = []
    if block:
        yield block
