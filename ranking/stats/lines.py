"""Rows as lines of a CSV file and back, for what a report was made from; no text in it is run by a spreadsheet."""

import csv
import io
from collections.abc import Iterable, Sequence

from judgments.rules.files.csv_tables import as_it_was, defused


def written_lines(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A head, and a line a row."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(map(defused, row) for row in rows)
    return text.getvalue()


def rows_of(text: str) -> list[list[str]]:
    """The cells below the head, line by line."""
    return [list(map(as_it_was, row)) for row in list(csv.reader(io.StringIO(text)))[1:]]


def columns_of(text: str, width: int) -> list[tuple[str, ...]]:
    """The cells below the head, column by column."""
    rows = rows_of(text)
    return list(zip(*rows, strict=True)) if rows else [()] * width
