"""Tables of a report, written as CSV, Markdown, LaTeX or Typst; the same numbers give the same bytes.

No cell of CSV is executed by a spreadsheet: text that begins like a formula is prefixed with an apostrophe. So is text
that looks already prefixed; therefore every cell can be restored.
"""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import NamedTuple

# Further digits of a long sum differ between processors and libraries.
DIGITS = 12
YES_OR_NO = ("no", "yes")
Cell = str | int | float | bool | None
MINUS = "\u2212"
DANGEROUS = re.compile(r"'*[=+\-@\t\r]")
# An underscore within a word is plain text.
MARKDOWN_SIGNS = re.compile(r"([\\`*\[\]<>|@$~^#&]|(?<!\w)_|_(?!\w))")
# After a line of a table, a star or a bracket would belong to the line break.
LATEX_SIGNS = str.maketrans({
    "&": r"\&", "%": r"\%", "_": r"\_", "#": r"\#", "$": r"\$", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "{": r"\{", "}": r"\}", "\\": r"\textbackslash{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", "`": r"\textasciigrave{}", "*": "{*}", "[": "{[}", "]": "{]}", "‡": r"\ddag{}", "†": r"\dag{}",
    MINUS: "$-$",
})  # fmt: skip
TYPST_SIGNS = re.compile(r"([\\#$*_@<>`\[\]~/]|^[-+=]|-(?=[-?]))")
# What pdfLaTeX knows: Latin letters, dashes, quotation marks and what `for_latex` replaces.
BEYOND_PDFLATEX = re.compile(r"[^\u0000-\u017f\u2010-\u201f\u2212†‡]")


@dataclass(frozen=True)
class Table:
    """A named table with stable columns; a cell that cannot be computed is None, never NaN."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]

    @classmethod
    def of(cls, name: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> "Table":
        """Make a table from any numbers, converted to plain ones."""
        return cls(name, tuple(columns), tuple(tuple(plain(cell) for cell in row) for row in rows))

    def column(self, name: str) -> list[Cell]:
        place = self.columns.index(name)
        return [row[place] for row in self.rows]

    def dicts(self) -> list[dict[str, Cell]]:
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


class StatisticsError(ValueError):
    """A number cannot be computed; the message is the reason."""


class Gap(NamedTuple):
    """The name of a number that could not be computed, and the reason."""

    name: str
    reason: str


def plain(cell: object) -> Cell:
    """Convert a NumPy number to a Python one, with the digits on which all machines agree; None if it is not finite."""
    if hasattr(cell, "item"):  # every process imports this module, and few of them NumPy
        cell = cell.item()
    if isinstance(cell, float):
        return float(f"{cell:.{DIGITS}g}") if isfinite(cell) else None
    if cell is None or isinstance(cell, str | int | float | bool):
        return cell
    raise TypeError(f"{cell!r} cannot stand in a table.")


def defuse(cell: object) -> object:
    return f"'{cell}" if isinstance(cell, str) and DANGEROUS.match(cell) else cell


def written_lines(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Lines of CSV, defused column by column, because most hold nothing but numbers, or few distinct texts."""
    defused: list[Iterable[object]] = []
    for column in zip(*rows, strict=True):
        kinds = set(map(type, column))
        if kinds == {str}:
            defused.append(map({cell: defuse(cell) for cell in set(column)}.__getitem__, column))
        else:
            defused.append(map(defuse, column) if str in kinds else column)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(zip(*defused, strict=True))
    return text.getvalue()


def to_csv(table: Table) -> str:
    """Write numbers in full, None as an empty cell, and no text that a spreadsheet would execute."""
    columns = (
        [YES_OR_NO[cell] if isinstance(cell, bool) else cell for cell in column]
        if bool in map(type, column)
        else column
        for column in zip(*table.rows, strict=True)
    )
    return written_lines(table.columns, zip(*columns, strict=True))


def to_markdown(table: Table, decimals: int = 3) -> str:
    lines = [table.columns, ["---:" if _is_number(table, place) else "---" for place in range(len(table.columns))]]
    lines += [[for_markdown(_shortly(cell, decimals)) for cell in row] for row in table.rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def to_latex(table: Table, decimals: int = 3) -> str:
    """Write a table for a paper, with a note on what it needs."""
    align = "".join("r" if _is_number(table, place) else "l" for place in range(len(table.columns)))
    lines = [[for_latex(_shortly(cell, decimals)) for cell in row] for row in (table.columns, *table.rows)]
    head, *body = (" & ".join(line) + r" \\" for line in lines)
    notes = [r"% Needs \usepackage{booktabs}."]
    if any(BEYOND_PDFLATEX.search(line) for line in body):
        notes.append(r"% Names in this table need XeLaTeX or LuaLaTeX, with \usepackage{fontspec} and a font for them.")
    return "\n".join([
        *notes, rf"\begin{{tabular}}{{{align}}}", r"\toprule", head, r"\midrule", *body, r"\bottomrule",
        r"\end{tabular}", "",
    ])  # fmt: skip


def to_typst(table: Table, decimals: int = 3) -> str:
    """Write a table for a paper in Typst, with the rules of booktabs."""
    align = ", ".join("right" if _is_number(table, place) else "left" for place in range(len(table.columns)))
    head, *body = (
        ", ".join(f"[{for_typst(_shortly(cell, decimals))}]" for cell in row) for row in (table.columns, *table.rows)
    )
    shape = (f"columns: {len(table.columns)}", f"align: ({align})", "stroke: none")
    lines = [*shape, "table.hline()", f"table.header({head})", "table.hline()", *body, "table.hline()"]
    return f"table({', '.join(f'{chr(10)}    {line}' for line in lines)},\n  )"


def for_markdown(text: str) -> str:
    return MARKDOWN_SIGNS.sub(r"\\\1", text)


def for_latex(text: str) -> str:
    """Text that LaTeX shows as it is; several hyphens do not become a dash."""
    return re.sub("-(?=-)", "-{}", text.translate(LATEX_SIGNS))


def for_typst(text: str) -> str:
    return TYPST_SIGNS.sub(r"\\\1", text)


def _shortly(cell: Cell, decimals: int) -> str:
    if isinstance(cell, bool):
        return YES_OR_NO[cell]
    if isinstance(cell, float):
        return f"{cell:z.{decimals}f}".replace("-", MINUS)
    return "" if cell is None else str(cell)


def _is_number(table: Table, place: int) -> bool:
    return any(isinstance(row[place], int | float) and not isinstance(row[place], bool) for row in table.rows)
