"""Lines of CSV that are safe to open in a spreadsheet."""

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from judgments.rules.spreadsheets import defused


class _Echo:
    """A file that gives back what is written to it."""

    def write(self, text: str) -> str:
        return text


_writer: Any = csv.writer(_Echo(), lineterminator="")


def cells(values: Iterable[object]) -> str:
    """The values as cells of one line, defused, without its end."""
    return _writer.writerow(map(defused, values))


def csv_lines(columns: Sequence[str], rows: Iterable[Mapping[str, object]]) -> Iterator[str]:
    """A header and a line for each row."""
    yield cells(columns) + "\n"
    for row in rows:
        yield cells(row.get(column, "") for column in columns) + "\n"
