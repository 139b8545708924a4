"""A table as a page shows it: the first rows of it, numbers short, and how many rows stand in the file alone."""

from dataclasses import dataclass
from typing import NamedTuple

from judgments.web.charts.numbers import UNKNOWN, number, p_value
from ranking.numbers.tables import Cell, Table

MOST_ROWS, SHORT = 200, 12
DECIMALS = 3
P_VALUES = "p_value"


class Column(NamedTuple):
    """A column's name, as in the file, and whether numbers stand in it."""

    name: str
    is_number: bool


class ShownCell(NamedTuple):
    """A cell as the page says it, whether it is in a column of numbers, and its value, by which it is sorted."""

    told: str
    is_number: bool
    value: Cell


@dataclass(frozen=True)
class ShownTable:
    """What a page shows of a table."""

    name: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[ShownCell, ...], ...]
    number_of_rows: int

    @classmethod
    def of(cls, table: Table) -> "ShownTable":
        """The first rows of a table, every cell with whether it is in a column of numbers."""
        columns = tuple(Column(name, _is_number(table.column(name))) for name in table.columns)
        rows = tuple(
            tuple(
                ShownCell(_told(cell, column.name), column.is_number, cell)
                for cell, column in zip(row, columns, strict=True)
            )
            for row in table.rows[:MOST_ROWS]
        )
        return cls(table.name, columns, rows, len(table.rows))

    @property
    def has_more(self) -> bool:
        """Whether there are rows that the page leaves out."""
        return self.number_of_rows > len(self.rows)

    @property
    def is_short(self) -> bool:
        """Whether it can stand on a page without being asked for."""
        return self.number_of_rows <= SHORT


def _is_number(cells: list[Cell]) -> bool:
    return all(cell is None or (isinstance(cell, int | float) and not isinstance(cell, bool)) for cell in cells)


def _told(cell: Cell, column: str) -> str:
    if cell is None:
        return UNKNOWN
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, float):
        return p_value(cell) if column.endswith(P_VALUES) else number(cell, DECIMALS)
    return f"{cell:,}" if isinstance(cell, int) else str(cell)
