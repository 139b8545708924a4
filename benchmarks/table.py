"""What a benchmark says: rows of figures, and how they are printed."""

from collections.abc import Sequence
from statistics import median
from typing import NamedTuple


class Row(NamedTuple):
    """One measured thing; its ratio is against the row called reference, measured in the same run."""

    what: str
    size: str
    seconds: float
    megabytes: float
    ratio: float | None = None


SHORT = 0.1
HEADINGS = ("what", "size", "seconds", "peak MB", "ratio")


def median_rows(runs: Sequence[Sequence[Row]]) -> list[Row]:
    """The rows of several runs as one, each figure the median of its own."""
    return [_median_row(rows) for rows in zip(*runs, strict=True)]


def _median_row(rows: Sequence[Row]) -> Row:
    ratios = [row.ratio for row in rows if row.ratio is not None]
    return Row(
        rows[0].what,
        rows[0].size,
        median(row.seconds for row in rows),
        median(row.megabytes for row in rows),
        median(ratios) if ratios else None,
    )


def table(title: str, rows: Sequence[Row]) -> str:
    """The rows under a title, words to the left and figures to the right."""
    cells = [HEADINGS, *map(_cells, rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = ["  ".join(map(_aligned, line, widths, range(len(widths)))).rstrip() for line in cells]
    return "\n".join([title, *(f"  {line}" for line in lines), ""])


def _cells(row: Row) -> tuple[str, ...]:
    ratio = "" if row.ratio is None else f"{row.ratio:.3g}"
    return row.what, row.size, f"{row.seconds:,.{3 if row.seconds >= SHORT else 4}f}", f"{row.megabytes:,.0f}", ratio


def _aligned(cell: str, width: int, column: int) -> str:
    return cell.ljust(width) if column < 2 else cell.rjust(width)
