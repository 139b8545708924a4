"""Rows as lines of a CSV file and back, for what a report was made from."""

import csv
import io
from collections.abc import Iterable, Sequence


def written_lines(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A head, and a line a row."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return text.getvalue()


def rows_of(text: str) -> list[list[str]]:
    """The cells below the head, line by line."""
    return list(csv.reader(io.StringIO(text)))[1:]


def columns_of(text: str, width: int) -> list[tuple[str, ...]]:
    """The cells below the head, column by column."""
    rows = rows_of(text)
    return list(zip(*rows, strict=True)) if rows else [()] * width
