"""What the CSV formats of recorded judgments share: a header in any order, every row as long as it."""

import csv
import io
from collections.abc import Collection, Iterable

from judgments.rules.problems import Problem, Problems, shorten
from judgments.rules.spreadsheets import as_it_was
from judgments.rules.textfiles import read_text

Row = dict[str, str]


def read_rows(
    name: str, content: bytes, needed: Iterable[str], as_they_are: Collection[str] = ()
) -> list[tuple[int, Row]]:
    """Line number and cells of each row, by lower-case header, so that judgeID and judgeId are one.

    White space around a cell goes, but for columns that are to be left as they are.
    """
    file = read_text(name, content)
    if file.problems:
        raise Problems(file.problems)
    reader = csv.reader(io.StringIO("\n".join(file.lines)))
    header = [column.strip().casefold() for column in next(reader, [])]
    if missing := [column for column in needed if column.casefold() not in header]:
        what = f"lacks the columns {', '.join(missing)}"
        if len(header) == 1 and any(sign in header[0] for sign in ";\t"):
            what = "has cells that are separated by semicolons or tabs; save it with commas"
        raise Problems([Problem(name, 1, what)])
    rows, problems = [], []
    try:
        for cells in reader:
            if cells and len(cells) != len(header):
                what = f"has {len(cells)} cells where the header has {len(header)}"
                problems.append(Problem(name, reader.line_num, what))
            elif cells:
                told = zip(header, cells, strict=True)
                row = {column: as_it_was(cell if column in as_they_are else cell.strip()) for column, cell in told}
                rows.append((reader.line_num, row))
    except csv.Error as error:
        problems.append(Problem(name, reader.line_num, f"cannot be read as CSV ({error}); is a quotation mark open?"))
    if problems:
        raise Problems(shorten(name, problems))
    return rows
