"""What the CSV formats of recorded judgments share: headers in any order, numbers, names with a prefix."""

import csv
import io
from collections.abc import Iterable, Iterator

from judgments.rules.problems import Problem, Problems
from judgments.rules.textfiles import read_text

Row = dict[str, str]


def read_rows(name: str, content: bytes, needed: Iterable[str]) -> Iterator[tuple[int, Row]]:
    """Line number and cells of each row, by lower-case header, so that judgeID and judgeId are one."""
    file = read_text(name, content)
    if file.problems:
        raise Problems(file.problems)
    reader = csv.reader(io.StringIO("\n".join(file.lines)))
    header = [column.strip().casefold() for column in next(reader, [])]
    if missing := [column for column in needed if column.casefold() not in header]:
        raise Problems([Problem(name, 1, f"lacks the columns {', '.join(missing)}")])
    for cells in reader:
        if cells:
            if len(cells) != len(header):
                what = f"has {len(cells)} cells where the header has {len(header)}"
                raise Problems([Problem(name, reader.line_num, what)])
            yield reader.line_num, dict(zip(header, (cell.strip() for cell in cells), strict=True))


def whole_number(cell: str) -> int | None:
    """The cell as a whole number, or None."""
    try:
        return int(cell)
    except ValueError:
        return None


def bare_names(names: Iterable[str]) -> dict[str, str]:
    """System names without what all of them share, dot by dot: test.AMU.src-trg and test.CAMB.src-trg are AMU, CAMB."""
    parted = {name: name.split(".") for name in names}
    if len(parted) < 2:
        return {name: name for name in parted}
    shortest = min(map(len, parted.values()))
    front = back = 0
    while front < shortest - 1 and len({parts[front] for parts in parted.values()}) == 1:
        front += 1
    while back < shortest - 1 - front and len({parts[-1 - back] for parts in parted.values()}) == 1:
        back += 1
    return {name: ".".join(parts[front : len(parts) - back]) for name, parts in parted.items()}
