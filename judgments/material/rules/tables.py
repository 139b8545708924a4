"""Tables of texts: CSV, Excel or JSON lines with a sentence in each row. Each column of texts becomes a file of lines.

A wide table has a column for each system; a long one has a row for each sentence and system, with the system's name in
one column and its text in another. What a column holds is guessed by its name, and can be corrected:

    id,source,Wren,Magpie
    7,She go home .,She goes home .,She went home .
"""

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from judgments.material.rules.documents import SIDECAR
from judgments.rules.files.names import LONGEST, SIGNS, system_name
from judgments.rules.files.problems import Problem, Problems, refuse, shorten
from judgments.rules.files.spreadsheets import SAMPLE, Spreadsheet, column_letters, is_table, read_table
from judgments.rules.files.text_files import UploadedFile

LONGEST_NAME, MOST_WORDS = 40, 4  # of a column
ASKS_ABOUT_HEADER = "say whether the first row has the names of the columns or a sentence"
NO_CHOICE: Mapping[str, str] = {}
SENTENCE_END = re.compile(r"[.?!。？！]['\"”’)]*$")


class ColumnRole(StrEnum):
    """What a column holds; TEXT is the source, a system, a reference or a control, as for files."""

    TEXT = "text"
    ID = "id"
    DOCUMENT = "document"
    DOMAIN = "domain"
    LANGUAGE = "language"
    SYSTEM = "name of the system"
    OUTPUT = "text of that system"


NAMES = {
    ColumnRole.ID: "id segment_id sentence_id item_id item segment line number no nr index #",
    ColumnRole.DOCUMENT: "document doc document_id doc_id essay essay_id text_id",
    ColumnRole.DOMAIN: "domain genre topic",
    ColumnRole.LANGUAGE: "language lang locale",
    ColumnRole.SYSTEM: "system model team system_id",
    ColumnRole.OUTPUT: "output hypothesis hyp correction corrected text prediction",
}
ROLES = {name: role for role, names in NAMES.items() for name in names.split()}
SOURCES = {"source", "src", "original", "orig", "input", "erroneous", "incorrect", "learner", "sentence"}


@dataclass(frozen=True)
class ColumnFile(UploadedFile):
    """A column of texts as a file of lines: what it is called in its table, and the row of each line, if it has one.

    By its name a column may seem to be the source.
    """

    place: str = ""
    rows: Sequence[int | None] = ()
    ids: Sequence[str] = ()
    seems_source: bool = False
    is_own: bool = True  # and not that of one system among others of a long table

    def problem_at(self, line: int, what: str) -> str:
        return f"row {self.rows[line]}, {self.place}: {what}"


@dataclass
class OtherColumn:
    """A column without texts to judge, with its first cell."""

    handle: str
    name: str
    role: ColumnRole
    place: str
    filled: int
    first: str
    is_dropped: bool


@dataclass
class Tables:
    """The columns of tables as files, beside files that are none, and what was found."""

    files: list[UploadedFile] = field(default_factory=list)
    others: list[OtherColumn] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def open_tables(
    files: Iterable[UploadedFile],
    header: str = "",
    chosen: Mapping[str, str] = NO_CHOICE,
    dropped: Collection[str] = (),
    line_break: str = " ",
) -> Tables:
    """Replace each table by a file for each of its columns of texts. `header` is "yes" or "no", or empty to see by the
    first row; `chosen` has roles of columns by their names, and `dropped` the names of those that are left out.
    """
    found = Tables()
    for file in files:
        if file.name == SIDECAR or not is_table(file):
            found.files.append(file)
            continue
        try:
            table = read_table(file, line_break)
            refuse(table.problems)
            _divide(table, header, chosen, dropped, found)
        except Problems as reason:
            found.problems += shorten(file.name, reason.problems)
    return found


def _divide(
    table: Spreadsheet, header: str, chosen: Mapping[str, str], dropped: Collection[str], found: Tables
) -> None:
    has_header = table.keys is None and _has_header(table, header, found)
    rows = table.rows[has_header:]
    names = table.keys or (table.rows[0] if has_header else [""] * len(table.rows[0]))
    columns = [column for column, name in enumerate(names) if name or any(row[column] for row in rows)]
    titles = {column: _system_name(names[column]) or f"column-{column_letters(column)}" for column in columns}
    roles: dict[int, ColumnRole] = {
        column: ColumnRole(chosen[titles[column]]) if titles[column] in chosen else _guess(names[column], column, rows)
        for column in columns
    }
    where = {role: column for column, role in roles.items() if titles[column] not in dropped}
    is_long = ColumnRole.SYSTEM in where
    if not is_long:
        roles = {column: ColumnRole.TEXT if role is ColumnRole.OUTPUT else role for column, role in roles.items()}
    texts = [column for column in columns if roles[column] is ColumnRole.TEXT]
    found.notes += table.notes
    if not any(names) and texts and titles[texts[0]] not in chosen:
        titles[texts[0]] = "source"
        place = table.place(texts[0])
        found.notes.append(f"{place} counts as the source, because no row names the columns; rename systems after them")
    for column in (column for column in columns if roles[column] is not ColumnRole.TEXT):
        cells = [row[column] for row in rows if row[column]]
        title, first = titles[column], next(iter(cells), "")
        place, is_dropped = table.place(column), title in dropped
        other = OtherColumn(title, names[column] or title, roles[column], place, len(cells), first, is_dropped)
        found.others.append(other)
    sources = {column for column in texts if titles[column] not in chosen and names[column].casefold() in SOURCES}
    content = _Content(table, rows, 1 + has_header, titles, where, texts, sources)
    units = content.units() if is_long else [[number] for number in range(len(rows))]
    found.files += [content.column(column, units) for column in texts]
    if is_long:
        found.files += content.systems(units)
    found.files += content.documents(units)
    if ColumnRole.LANGUAGE in where:
        languages = sorted({row[where[ColumnRole.LANGUAGE]] for row in rows} - {""})
        if len(languages) > 1:
            what = f"has texts in several languages ({', '.join(languages[:9])}); a campaign has one: divide the table"
            found.problems.append(Problem(table.name, None, what))


def _has_header(table: Spreadsheet, header: str, found: Tables) -> bool:
    """Whether the first row names the columns: by words that are known, or because it looks unlike a sentence."""
    if header:
        return header == "yes"
    first, rest = table.rows[0], table.rows[1:SAMPLE]
    named = [cell for cell in first if cell]
    if any(cell.casefold() in SOURCES | ROLES.keys() for cell in named):
        return True
    if any(len(cell.split()) > MOST_WORDS or SENTENCE_END.search(cell) for cell in named):
        return False
    words = [len(cell.split()) for row in rest for cell in row if cell]
    if len(set(named)) == len(first) and words and sum(words) / len(words) > MOST_WORDS:
        return True
    found.problems.append(Problem(table.name, None, f"{ASKS_ABOUT_HEADER}: {' | '.join(first)[:200]}"))
    return True


def _guess(header: str, column: int, rows: Sequence[Sequence[str]]) -> ColumnRole:
    name = header.casefold().strip().replace(" ", "_")
    if name in ROLES:
        return ROLES[name]
    cells = [row[column] for row in rows[:SAMPLE] if row[column]]
    if name not in SOURCES and cells and all(re.fullmatch(r"[\d.,:/_-]+", cell) for cell in cells):
        return ColumnRole.ID
    return ColumnRole.TEXT


@dataclass
class _Content:
    """The rows of a table below its header, the first of which has the number `first`; the titles of its columns, the
    column of each role, those of texts, and those of them that seem to be the source.

    A unit is a sentence: the numbers of its rows, of which a wide table has one.
    """

    table: Spreadsheet
    rows: Sequence[Sequence[str]]
    first: int
    titles: Mapping[int, str]
    where: Mapping[ColumnRole, int]
    texts: Sequence[int]
    sources: Collection[int]

    def units(self) -> list[list[int]]:
        """The sentences of a long table, in the order in which they appear."""
        keys = [self.where[role] for role in (ColumnRole.DOCUMENT, ColumnRole.ID) if role in self.where]
        has_ids = ColumnRole.ID in self.where
        lacks = "texts of the systems" if ColumnRole.OUTPUT not in self.where else "ids, or of sources"
        if ColumnRole.OUTPUT not in self.where or not (has_ids or self.texts):
            place = self.table.place(self.where[ColumnRole.SYSTEM])
            what = f"has a column with the names of systems ({place}) but none of {lacks}; choose one"
            raise Problems([Problem(self.table.name, None, what)])
        keys += [] if has_ids else self.texts[:1]
        units: dict[tuple[str, ...], list[int]] = {}
        for number, row in enumerate(self.rows):
            if any(row):
                units.setdefault(tuple(row[column] for column in keys), []).append(number)
        return list(units.values())

    def column(self, column: int, units: Sequence[Sequence[int]]) -> ColumnFile:
        """A column that says the same in all rows of a sentence."""
        place = self.table.place(column)
        problems = [
            self._problem(number, place, f"is not what row {numbers[0] + self.first} has for the same sentence")
            for numbers in units
            for number in numbers
            if self.rows[number][column] != self.rows[numbers[0]][column]
        ]
        refuse(problems)
        content = "".join(f"{self.rows[numbers[0]][column]}\n" for numbers in units).encode()
        numbers = [numbers[0] + self.first for numbers in units]
        return ColumnFile(self.titles[column], content, place, numbers, self.ids(units), column in self.sources)

    def ids(self, units: Sequence[Sequence[int]]) -> list[str]:
        """What the sentences, or whole texts, are called: their number if there is no id."""
        column = self.where.get(ColumnRole.ID, self.where.get(ColumnRole.DOCUMENT))
        return [(column is not None and self.rows[unit[0]][column]) or str(n) for n, unit in enumerate(units, 1)]

    def systems(self, units: Sequence[Sequence[int]]) -> list[ColumnFile]:
        """The systems of a long table, each with a text for some or all sentences."""
        named, output = self.where[ColumnRole.SYSTEM], self.where[ColumnRole.OUTPUT]
        place = self.table.place(output)
        problems = []
        given: dict[str, list[int | None]] = {}
        for unit, numbers in enumerate(units):
            for number in numbers:
                name = _system_name(self.rows[number][named])
                texts = given.setdefault(name, [None] * len(units))
                if not name:
                    problems.append(self._problem(number, self.table.place(named), "the name of the system is empty"))
                elif (before := texts[unit]) is not None:
                    what = f"a second text of {name} for the sentence of row {before + self.first}; give sentences ids"
                    problems.append(self._problem(number, place, what))
                texts[unit] = number
        refuse(problems)
        return [
            ColumnFile(
                name,
                "".join("\n" if one is None else f"{self.rows[one][output]}\n" for one in numbers).encode(),
                place,
                [None if one is None else one + self.first for one in numbers],
                self.ids(units),
                is_own=False,
            )
            for name, numbers in given.items()
        ]

    def documents(self, units: Sequence[Sequence[int]]) -> list[UploadedFile]:
        """The table of documents, if there is a column of documents or domains."""
        document, domain = self.where.get(ColumnRole.DOCUMENT), self.where.get(ColumnRole.DOMAIN)
        if document is None and domain is None:
            return []
        lines = []
        for line, numbers in enumerate(units, 1):
            row = self.rows[numbers[0]]
            about = "" if domain is None else row[domain]
            named = about or "document" if document is None else row[document]
            lines.append(f"{line}\t{named}\t{about}\n" if any(row) else "")
        return [UploadedFile(SIDECAR, "".join(lines).encode())]

    def _problem(self, number: int, place: str, what: str) -> Problem:
        return Problem(self.table.name, None, f"row {number + self.first}, {place}: {what}")


def _system_name(header: str) -> str:
    """A header as the name of a system, which must stand in files and URLs."""
    signs = "".join(
        sign if sign.isalnum() or sign in SIGNS or unicodedata.category(sign).startswith("M") else "-"
        for sign in unicodedata.normalize("NFC", header)
    )
    return system_name(re.sub("-+", "-", signs).strip("-._+")[:LONGEST])
