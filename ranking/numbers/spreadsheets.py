"""Rows as lines of CSV and back; no cell is executed by a spreadsheet.

Text that begins like a formula is prefixed with an apostrophe. So is text that looks already prefixed; therefore every
cell can be restored.
"""

import csv
import io
import re
from collections.abc import Iterable, Sequence

DANGEROUS = re.compile(r"'*[=+\-@\t\r]")
DEFUSED = re.compile(r"'+[=+\-@\t\r]")


def defuse(cell: object) -> object:
    return f"'{cell}" if isinstance(cell, str) and DANGEROUS.match(cell) else cell


def undo_defusing(cell: str) -> str:
    return cell[1:] if DEFUSED.match(cell) else cell


def written_lines(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(zip(*map(_defused, zip(*rows, strict=True)), strict=True))
    return text.getvalue()


def _defused(column: Sequence[object]) -> Iterable[object]:
    """Column by column, because most hold nothing but numbers, or few distinct texts."""
    kinds = set(map(type, column))
    if kinds == {str}:
        return map({cell: defuse(cell) for cell in set(column)}.__getitem__, column)
    return map(defuse, column) if str in kinds else column


def rows_of(text: str) -> list[list[str]]:
    """Read the cells below the header, line by line."""
    return [list(map(undo_defusing, row)) for row in list(csv.reader(io.StringIO(text)))[1:]]


def columns_of(text: str, width: int) -> list[tuple[str, ...]]:
    """Read the cells below the header, column by column."""
    rows = rows_of(text)
    return list(zip(*rows, strict=True)) if rows else [()] * width
