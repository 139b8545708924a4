"""Cells that a spreadsheet must not run: text that begins like a formula gets an apostrophe in front.

So does text that looks as if it had got one, and therefore every cell can be read back as it was.
"""

import re

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
_SIGNS = "".join(map(re.escape, FORMULA_STARTS))
DANGEROUS = re.compile(f"'*[{_SIGNS}]")
DEFUSED = re.compile(f"'+[{_SIGNS}]")


def defused(cell: object) -> object:
    """A cell that a spreadsheet shows as it is."""
    return f"'{cell}" if isinstance(cell, str) and DANGEROUS.match(cell) else cell


def as_it_was(cell: str) -> str:
    """The text that `defused` made a cell of."""
    return cell[1:] if DEFUSED.match(cell) else cell
