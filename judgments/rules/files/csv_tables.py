"""CSV: reading tables with columns in any order, and writing cells that spreadsheets do not execute."""

import csv
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from typing import Any

from judgments.rules.files.problems import Problem, Problems, refuse, shorten
from judgments.rules.files.text_files import read_text
from judgments.rules.progress import unless_cancelled

NOT_CSV = "cannot be read as CSV ({error}); is a quotation mark not closed?"
Row = dict[str, str]


def separator_of(line: str) -> str:
    """What parts the cells of a table's first line: most of its tabs, semicolons or commas; empty if it has none."""
    sign = max("\t;,", key=line.count)  # the first of these that are as many, as in `AMU;0,35`
    return sign if sign in line else ""


def _reader(name: str, content: bytes) -> Any:
    file = read_text(name, content)
    refuse(file.problems)
    separator = separator_of(next(iter(file.lines), "")) or ","
    return csv.reader((f"{line}\n" for line in unless_cancelled(file.lines)), delimiter=separator)


def read_rows(
    name: str, content: bytes, needed: Iterable[str], verbatim: Collection[str] = (), if_empty: str = ""
) -> Iterator[tuple[int, Row]]:
    """Line number and cells of each row, by lower-case header, so that judgeID and judgeId are the same.

    Cells are stripped, except those of the verbatim columns. `if_empty` says what is wrong without rows. Problems are
    raised after the last good row, so that a table of many cells is never held in memory.
    """
    reader = _reader(name, content)
    header = [column.strip().casefold() for column in next(reader, [])]
    if missing := [column for column in needed if column.casefold() not in header]:
        raise Problems([Problem(name, 1, f"lacks the columns {', '.join(missing)}")])
    if twice := sorted(column for column, times in Counter(filter(None, header)).items() if times > 1):
        raise Problems([Problem(name, 1, f"has the column {twice[0]} twice; keep one of them")])
    problems, is_empty = [], True
    try:
        for cells in reader:
            if not any(map(str.strip, cells)):
                continue
            if len(cells) != len(header):
                what = f"has {len(cells)} cells where the header has {len(header)}"
                problems.append(Problem(name, reader.line_num, what))
            else:
                pairs = zip(header, cells, strict=True)
                row = {column: undo_defusing(cell if column in verbatim else cell.strip()) for column, cell in pairs}
                is_empty = False
                yield reader.line_num, row
    except csv.Error as error:
        problems.append(Problem(name, reader.line_num, NOT_CSV.format(error=error)))
    if if_empty and is_empty and not problems:
        problems.append(Problem(name, None, if_empty))
    refuse(shorten(name, problems))


def read_cells(name: str, content: bytes) -> list[tuple[int, list[str]]]:
    """Line number and stripped cells of each row of a table without a header, or with one that is case-sensitive."""
    reader = _reader(name, content)
    try:
        rows = [(reader.line_num, [undo_defusing(cell.strip()) for cell in cells]) for cells in reader]
    except csv.Error as error:
        raise Problems([Problem(name, reader.line_num, NOT_CSV.format(error=error))]) from error
    if not rows:
        raise Problems([Problem(name, None, "contains no row")])
    return rows


FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
_SIGNS = "".join(map(re.escape, FORMULA_STARTS))
DANGEROUS = re.compile(f"'*[{_SIGNS}]")
DEFUSED = re.compile(f"'+[{_SIGNS}]")


def defuse(cell: object) -> object:
    """Prefix a cell that a spreadsheet would execute with an apostrophe."""
    return f"'{cell}" if isinstance(cell, str) and DANGEROUS.match(cell) else cell


def undo_defusing(cell: str) -> str:
    """Undo `defused`."""
    return cell[1:] if DEFUSED.match(cell) else cell


class _Echo:
    def write(self, text: str) -> str:
        return text


_writer: Any = csv.writer(_Echo(), lineterminator="")


def cells(values: Iterable[object]) -> str:
    """Format values as one line of defused cells, without a line end."""
    return _writer.writerow(map(defuse, values))


def csv_lines(columns: Iterable[str], rows: Iterable[Iterable[object]]) -> Iterator[str]:
    yield cells(columns) + "\n"
    yield from (cells(row) + "\n" for row in rows)


WHOLE = re.compile(r"-?[0-9]{1,9}", re.ASCII)


def whole_number(text: str) -> int | None:
    """Parse a whole number; None if the text is not one or is absurdly long."""
    return int(text) if WHOLE.fullmatch(text) else None
