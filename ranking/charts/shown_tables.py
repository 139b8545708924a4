"""A table as shown in a page: its first rows with rounded numbers, words for its columns, and links to sentences."""

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from typing import NamedTuple
from urllib.parse import urlencode

from django.utils.safestring import SafeString

from judgments.charts.numbers import UNKNOWN, number, p_value
from ranking.numbers.tables import Cell, Table
from ranking.stats.comparisons.judges import EVERYBODY

MOST_ROWS, SHORT = 200, 12
DECIMALS = 3
# Names of columns and tables that are no words; files keep the names.
WORDS = {
    "p_best": "P(best)",
    "p_beats": "P(better)",
    "p_value": "p",
    "p_value_by_other": "p by the other method",
    "p_equivalent": "p of equivalence",
    "position_p_value": "p of the place",
    "p": "Share of errors",
    "t": "t",
    "ok": "OK",
    "self_kappa": "Kappa with oneself",
    "others_kappa": "Kappa with the others",
    "pearson": "Pearson’s r",
    "spearman": "Spearman’s rho",
    "kendall": "Kendall’s tau",
    "resolved": "Separated",
    "lowest": "Share rated 0",
    "highest": "Share rated 100",
    "usage": "Usage",
    "usages": "Usages",
    "way": "Analysis",
    "wanted": "Edits in the gold standard",
    "edits_a_sentence": "Edits per sentence",
    "edits_a_hundred_words": "Edits per 100 words",
    "of_systems": "r of means",
    "unsaid": "Could not say",
    "unsaid_share": "Share who could not say",
}
ENDS_OF_RANGES = {"low": "from", "high": "to"}


def words_for(column: str) -> str:
    """`rank_low` and `rank_high`, the ends of a range, become `Rank from` and `Rank to`; names of systems are kept."""
    stem, _, end = column.rpartition("_")
    if end in ENDS_OF_RANGES:
        return f"{words_for(stem)} {ENDS_OF_RANGES[end]}" if stem else ENDS_OF_RANGES[end].capitalize()
    spaced = column if ": " in column else column.replace("_", " ")
    return WORDS.get(column, spaced[:1].upper() + spaced[1:])


class SentencesLink(NamedTuple):
    """From numbers to the sentences behind them, by an address relative to that of the report.

    A page about systems, judges or metrics, the columns that say which, and values that have no page.
    """

    page: str
    columns: tuple[str, ...]
    without: tuple[str, ...] = ()

    def to(self, *values: object) -> str:
        if any(value in self.without for value in values):
            return ""
        return f"{self.page}/?{urlencode(dict(zip(self.columns, values, strict=True)))}"


OF_A_PAIR = SentencesLink("pairs", ("system", "opponent"))
OF_A_JUDGE = SentencesLink("judges", ("judge",), (EVERYBODY,))
OF_A_METRIC = SentencesLink("metrics", ("metric",))
OF_A_METRIC_AND_SYSTEM = SentencesLink("metrics", ("metric", "system"))


class ShownColumn(NamedTuple):
    """The name of a column, as in the file, and whether it holds numbers."""

    name: str
    is_number: bool

    @property
    def words(self) -> str:
        return words_for(self.name)


@dataclass(frozen=True)
class ShownTable:
    """The first rows of a table, and for each the address of what is behind it, if there is any."""

    name: str
    columns: tuple[ShownColumn, ...]
    rows: tuple[tuple[Cell, ...], ...]
    addresses: tuple[str, ...]
    number_of_rows: int

    @classmethod
    def of(cls, table: Table, link: SentencesLink | None = None) -> "ShownTable":
        columns = tuple(
            ShownColumn(name, all(cell is None or type(cell) in (int, float) for cell in table.column(name)))
            for name in table.columns
        )
        rows, places = table.rows[:MOST_ROWS], [table.columns.index(name) for name in link.columns] if link else []
        addresses = tuple(link.to(*(row[place] for place in places)) if link else "" for row in rows)
        return cls(table.name, columns, rows, addresses, len(table.rows))

    @property
    def words(self) -> str:
        return words_for(self.name)

    @property
    def body(self) -> SafeString:
        """The rows as HTML; a template would take most of the time of a page for them."""
        return self._body(self.addresses)

    @property
    def public_body(self) -> SafeString:
        return self._body("" for _ in self.rows)

    def _body(self, addresses: Iterable[str]) -> SafeString:
        rows = []
        for row, address in zip(self.rows, addresses, strict=True):
            cells: list[str] = []
            for cell, column in zip(row, self.columns, strict=True):
                tag, attributes, text = "td" if cells else 'th scope="row"', "", escape(_text(cell, column.name))
                if column.is_number:
                    attributes = f' class="number" data-value="{"" if cell is None else cell}"'
                if address and not cells:
                    text = f'<a href="{escape(address)}">{text}</a>'
                cells.append(f"<{tag}{attributes}>{text}</{tag[:2]}>")
            rows.append(f"<tr>{''.join(cells)}</tr>")
        return SafeString("\n".join(rows))  # nosec B703 (texts are escaped)

    @property
    def has_more(self) -> bool:
        return self.number_of_rows > len(self.rows)

    @property
    def is_short(self) -> bool:
        return self.number_of_rows <= SHORT


def _text(cell: Cell, column: str) -> str:
    if cell is None:
        return UNKNOWN
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, float):
        return p_value(cell) if column.endswith("p_value") else number(cell, DECIMALS)
    return f"{cell:,}" if isinstance(cell, int) else str(cell)
