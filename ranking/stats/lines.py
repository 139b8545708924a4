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


def columns_of(text: str, width: int) -> list[tuple[str, ...]]:
    """The cells below the head, column by column."""
    rows = list(csv.reader(io.StringIO(text)))[1:]
    return list(zip(*rows, strict=True)) if rows else [()] * width
