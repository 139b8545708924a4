"""A table as shown in a page: its first rows with rounded numbers, and the number of all rows."""

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from typing import NamedTuple

from django.utils.safestring import SafeString

from judgments.web.charts.numbers import UNKNOWN, number, p_value
from ranking.charts.column_words import words_of
from ranking.charts.links import Link
from ranking.numbers.tables import Cell, Table

MOST_ROWS, SHORT = 200, 12
DECIMALS = 3
P_VALUES = "p_value"


class Column(NamedTuple):
    """The name of a column, as in the file, and whether it holds numbers."""

    name: str
    is_number: bool

    @property
    def words(self) -> str:
        return words_of(self.name)


class ShownRow(NamedTuple):
    """The cells of a row, and the address of what is behind it, if there is any."""

    cells: tuple[Cell, ...]
    address: str


@dataclass(frozen=True)
class ShownTable:
    name: str
    columns: tuple[Column, ...]
    rows: tuple[ShownRow, ...]
    number_of_rows: int

    @classmethod
    def of(cls, table: Table, link: Link | None = None) -> "ShownTable":
        columns = tuple(Column(name, _is_number(table.column(name))) for name in table.columns)
        rows = tuple(
            ShownRow(row, link.to(*(row[table.columns.index(name)] for name in link.columns)) if link else "")
            for row in table.rows[:MOST_ROWS]
        )
        return cls(table.name, columns, rows, len(table.rows))

    @property
    def words(self) -> str:
        return words_of(self.name)

    @property
    def body(self) -> SafeString:
        """The rows as HTML; a template would take most of the time of a page for them."""
        return self._body(row.address for row in self.rows)

    @property
    def public_body(self) -> SafeString:
        return self._body("" for _ in self.rows)

    def _body(self, addresses: Iterable[str]) -> SafeString:
        written = map(self._written, self.rows, addresses)
        return SafeString("\n".join(written))  # nosec B703 (texts are escaped)

    def _written(self, row: ShownRow, address: str) -> str:
        cells: list[str] = []
        for cell, column in zip(row.cells, self.columns, strict=True):
            tag, attributes, text = "td" if cells else 'th scope="row"', "", escape(_text(cell, column.name))
            if column.is_number:
                attributes = f' class="number" data-value="{"" if cell is None else cell}"'
            if address and not cells:
                text = f'<a href="{escape(address)}">{text}</a>'
            cells.append(f"<{tag}{attributes}>{text}</{tag[:2]}>")
        return f"<tr>{''.join(cells)}</tr>"

    @property
    def has_more(self) -> bool:
        return self.number_of_rows > len(self.rows)

    @property
    def is_short(self) -> bool:
        return self.number_of_rows <= SHORT


def _is_number(cells: list[Cell]) -> bool:
    return all(cell is None or (isinstance(cell, int | float) and not isinstance(cell, bool)) for cell in cells)


def _text(cell: Cell, column: str) -> str:
    if cell is None:
        return UNKNOWN
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, float):
        return p_value(cell) if column.endswith(P_VALUES) else number(cell, DECIMALS)
    return f"{cell:,}" if isinstance(cell, int) else str(cell)
