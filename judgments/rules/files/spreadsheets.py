"""Tables in files: CSV with any separator, workbooks of Excel, JSON lines. Cells are texts of one line, unless they are
read as whole texts.
"""

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any
from zipfile import ZipFile

from judgments.rules.files.archives import MOST_BYTES, most_unpacked, open_archive, readable
from judgments.rules.files.csv_tables import NOT_CSV, undo_defusing
from judgments.rules.files.problems import Problem, Problems
from judgments.rules.files.text_files import BOM, CONTROL, SURROGATES, UTF16_MARKS, UploadedFile
from judgments.rules.files.values import RowFault, read_each, read_object
from judgments.rules.progress import unless_cancelled

ENDINGS = {".csv", ".tsv", ".xlsx", ".jsonl", ".ndjson"}
MOST_CELLS = 1_000_000  # which take a quarter of a gigabyte
SAMPLE = 200  # rows by which a table is understood
LINE_BREAK = re.compile(r"[\r\n\v\f\x85\u2028\u2029]+")
FORMULA = re.compile(rb"<f[ />]")
SPREADSHEET = "save it again as a workbook of Excel (.xlsx), or as CSV"


@dataclass
class Spreadsheet:
    """Rows of a file, the first of which may be its header; their numbers count from 1."""

    name: str
    sheet: str
    rows: list[list[str]]
    keys: list[str] | None = None  # of JSON, instead of a header
    notes: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def place(self, column: int) -> str:
        label = f"column {column_letters(column)}" if self.keys is None else f"“{self.keys[column]}”"
        return f"{label} of {self.name}" + (f", sheet {self.sheet}" if self.sheet else "")


def is_table(file: UploadedFile) -> bool:
    """Whether a file is a table, by its name or by tabs in its first lines."""
    suffix = PurePosixPath(file.name).suffix.lower()
    if suffix in ENDINGS:
        return True
    with file.open() as opened:
        beginning = opened.read(100_000)
    if suffix == ".json":
        return beginning.lstrip(BOM + b" \r\n\t")[:1] == b"["
    if suffix not in ("", ".txt"):
        return False
    if beginning[:2] in UTF16_MARKS:
        return "\t" in beginning[: len(beginning) // 2 * 2].decode("utf-16", errors="replace")
    lines = [line for line in beginning.split(b"\n")[:-1] if line.strip()][:SAMPLE]
    counts = {line.count(b"\t") for line in lines}
    return len(lines) > 1 and len(counts) == 1 and counts != {0}


def read_table(file: UploadedFile, line_break: str = " ") -> Spreadsheet:
    """Read a table; what divides the lines of a cell is replaced."""
    suffix = PurePosixPath(file.name).suffix.lower()
    reader = _workbook if suffix == ".xlsx" else _objects if suffix in (".jsonl", ".ndjson", ".json") else _separated
    table = reader(file)
    while table.rows and not any(table.rows[-1]):
        table.rows.pop()
    if not table.rows:
        raise Problems([Problem(file.name, None, "has no row")])
    if (cells := len(table.rows) * len(table.rows[0])) > MOST_CELLS:
        what = f"has {cells:,} cells; at most {MOST_CELLS:,} are allowed; divide it, or use a file for each system"
        raise Problems([Problem(file.name, None, what)])
    broken = 0
    for number, row in enumerate(table.rows, 1):
        for column, cell in enumerate(row):
            row[column] = cell = cell.strip()
            if cell.isprintable():
                continue
            clean = line_break.join(part.strip() for part in LINE_BREAK.split(cell))
            broken += clean != cell
            if wrong := CONTROL.search(clean) or SURROGATES.search(clean):
                what = f"has the character U+{ord(wrong[0]):04X}; remove it"
                table.problems.append(Problem(file.name, None, f"row {number}, {table.place(column)}: {what}"))
            row[column] = clean
    if broken and line_break == " ":
        table.notes.append(f"{file.name}: {broken} cells have line breaks, which became spaces")
    return table


def _workbook(file: UploadedFile) -> Spreadsheet:
    from openpyxl import load_workbook  # here, because most commands and pages do without it
    from openpyxl.utils.exceptions import InvalidFileException

    content = io.BytesIO(file.content)
    with open_archive(file.name, content, SPREADSHEET) as archive, readable(file.name, SPREADSHEET):
        if sum(member.file_size for member in archive.infolist()) > most_unpacked(content, MOST_BYTES):
            raise Problems([Problem(file.name, None, "unpacks to too much; divide it into several workbooks")])
        try:
            shown = load_workbook(content, read_only=True, data_only=True)
            filled = [sheet for sheet in shown.worksheets if any(any(row) for row in sheet.iter_rows(values_only=True))]
            if not filled:
                raise Problems([Problem(file.name, None, "has no cell with a text")])
            table = Spreadsheet(file.name, filled[0].title, [])
            for row in unless_cancelled(filled[0].iter_rows(values_only=True)):
                table.rows.append([_in_words(value) for value in row])
            if _has_formulas(archive):
                written = load_workbook(content, read_only=True)[filled[0].title]
                _check_formulas(table, written.iter_rows())
        except (InvalidFileException, KeyError, TypeError, AttributeError, SyntaxError) as error:
            what = f"cannot be read as a workbook ({str(error)[:200]}); {SPREADSHEET}"
            raise Problems([Problem(file.name, None, what)]) from error
    width = max(map(len, table.rows))
    table.rows = [row + [""] * (width - len(row)) for row in table.rows]
    if rest := [sheet.title for sheet in filled[1:]]:
        table.notes.append(
            f"{file.name}: the sheet {filled[0].title} was read, not {', '.join(rest)}; to read another one, move it "
            "to the front"
        )
    return table


def _has_formulas(archive: ZipFile) -> bool:
    for member in archive.infolist():
        if member.filename.startswith("xl/worksheets/"):
            rest = b""
            with archive.open(member) as sheet:
                while piece := sheet.read(2**20):
                    if FORMULA.search(rest + piece):
                        return True
                    rest = piece[-2:]
    return False


def _check_formulas(table: Spreadsheet, rows: Iterable[Sequence[Any]]) -> None:
    """Cells with formulas have the values that a spreadsheet has stored with them, if it has."""
    formulas = 0
    for number, row in enumerate(unless_cancelled(rows)):
        for column, cell in enumerate(row):
            if cell.data_type != "f":
                continue
            formulas += 1
            if not table.rows[number][column]:
                what = f"row {number + 1}, {table.place(column)}: has a formula without its value; paste values only"
                table.problems.append(Problem(table.name, None, what))
    if formulas:
        table.notes.append(f"{table.name}: {formulas} cells have formulas, whose values were read")


def _in_words(value: Any) -> str:
    if value is None:
        return ""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _objects(file: UploadedFile) -> Spreadsheet:
    """An object in each line, or a list of objects; texts by system may stand in an object of their own."""
    if PurePosixPath(file.name).suffix.lower() == ".json":
        try:
            flat = list(map(_cells_of, json.loads(_decode(file))))
        except (ValueError, AttributeError, RecursionError, TypeError, RowFault) as error:
            what = f"is not a list of objects with a text for each column ({str(error)[:200]})"
            raise Problems([Problem(file.name, None, what)]) from error
    else:
        lines = ((number, line) for number, line in enumerate(_decode(file).split("\n"), 1) if line.strip())
        flat = read_each(file.name, lines, lambda _, line: _cells_of(read_object(line)))
    keys = list(dict.fromkeys(key for item in flat for key in item))
    return Spreadsheet(file.name, "", [[_in_words(item.get(key)) for key in keys] for item in flat], keys)


def _cells_of(item: dict[str, Any]) -> dict[str, Any]:
    cells = {
        key: value
        for one, inner in item.items()
        for key, value in (inner if isinstance(inner, dict) else {one: inner}).items()
    }
    if wrong := [key for key, value in cells.items() if isinstance(value, list | dict)]:
        raise RowFault(f"“{wrong[0][:40]}” holds a list or an object; give it one text, or leave it out")
    return cells


def _decode(file: UploadedFile) -> str:
    content = file.content
    encoding = "utf-16" if content[:2] in UTF16_MARKS else "utf-8-sig"
    try:
        return content.decode(encoding).replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        what = f"byte 0x{content[error.start]:02x} is not UTF-8; save the file as CSV in UTF-8, or as .xlsx"
        raise Problems([Problem(file.name, line, what)]) from error


def _separated(file: UploadedFile) -> Spreadsheet:
    """Cells between tabs, semicolons or commas, whichever divides most of the first rows alike."""
    text = _decode(file)
    sample = "\n".join(text.split("\n", SAMPLE)[:SAMPLE])

    def evenness(sign: str) -> tuple[float, int]:
        widths = Counter(map(len, filter(None, _cells(file.name, sample, sign, is_sample=True))))
        width, rows = max(widths.items(), key=lambda pair: (pair[1], pair[0]), default=(1, 0))
        return (rows / sum(widths.values()), width) if width > 1 else (0.0, 0)

    separator = max("\t;,", key=evenness)
    rows = _cells(file.name, text, separator)
    width = len(rows[0]) if rows else 0
    table = Spreadsheet(file.name, "", [row or [""] * width for row in rows])
    if width < 2:
        what = "has one column only; a table has a column for the source and one for each system"
        table.problems.append(Problem(file.name, None, what))
    for number, row in enumerate(table.rows, 1):
        if len(row) != width:
            what = f"row {number} has {len(row)} cells where the first has {width}"
            table.problems.append(Problem(file.name, None, what))
    return table


def _cells(name: str, text: str, separator: str, *, is_sample: bool = False) -> list[list[str]]:
    if separator == "\t" and '"' in text:
        # Many tables with tabs quote nothing, so that a sentence may begin with a quotation mark of its own.
        rows = [line.split("\t") if line else [] for line in text.removesuffix("\n").split("\n")]
        if len({len(row) for row in rows if row}) == 1:
            return [[_unquoted(cell) for cell in row] for row in rows]
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    try:
        return [[undo_defusing(cell) for cell in row] for row in unless_cancelled(reader)]
    except csv.Error as error:
        if is_sample:
            return []
        raise Problems([Problem(name, reader.line_num, NOT_CSV.format(error=error))]) from error


def _unquoted(cell: str) -> str:
    """Without the quotation marks of a spreadsheet, which doubles those inside."""
    inner = cell[1:-1]
    is_quoted = len(cell) > 2 and cell[0] == cell[-1] == '"' and '""' in inner and '"' not in inner.replace('""', "")
    return inner.replace('""', '"') if is_quoted else cell


def column_letters(column: int) -> str:
    """The name of a column in spreadsheets: A, B ... Z, AA."""
    letters = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters
