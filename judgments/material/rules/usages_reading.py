"""Usages from CSV or JSON lines: a sentence, the span to judge, and the right answer if it is known.

The span is in characters (`start`, `end`) or in tokens (`start_token`, `end_token`), both from 0 and without the end,
as in Python. `gold` is error (or 1), ok (or 0), or empty if unknown. `document` and `domain` are optional; a domain,
such as a data set, without a document is a document too.

Toy: `a1,In the May 5 .,3,6,error` under `id,sentence,start,end,gold` is the usage `the`, which is an error.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from judgments.material.rules.documents import LONGEST_DOCUMENT, LONGEST_DOMAIN
from judgments.rules.files.csv_tables import Row, read_rows, whole_number
from judgments.rules.files.names import LONGEST_ID
from judgments.rules.files.problems import Problem, Problems, refuse, shorten
from judgments.rules.files.text_files import is_one_line, is_valid_text, read_text
from judgments.rules.files.values import read_json
from judgments.rules.progress import unless_cancelled

ERROR, OK = True, False
GOLD: dict[str, bool | None] = {"error": ERROR, "1": ERROR, "ok": OK, "0": OK, "": None}
CHARACTERS, TOKENS = ("start", "end"), ("start_token", "end_token")
LONGEST_SENTENCE, MOST_USAGES = 20_000, 200_000
SENTENCE = "sentence"
KNOWN = ("id", "document", "domain", SENTENCE, *CHARACTERS, *TOKENS, "gold")
WORD = re.compile(r"\S+")
NUMBER = re.compile(r"([0-9]++\.?[0-9]*+|\.[0-9]++)(e[+-]?[0-9]+)?", re.ASCII | re.IGNORECASE)
# Longer than any programming language writes a double.
LONGEST_NUMBER = 40
WORDS = {"error": "1", "ok": "0"}
VALUES = ("class", "probability")
ERROR_FROM = 0.5


@dataclass(frozen=True)
class Usage:
    """A usage by its id: characters start to end of a sentence, and whether it is an error, if known."""

    id: str
    document: str
    sentence: str
    start: int
    end: int
    gold: bool | None
    domain: str = ""

    @property
    def span(self) -> str:
        return self.sentence[self.start : self.end]


def read_usages(name: str, content: bytes) -> list[Usage]:
    """Read the usages of a file in order, or raise all problems in it."""
    if name.endswith((".jsonl", ".json")):
        rows = _json_lines(name, content)
    else:
        rows = read_rows(name, content, ["id", "sentence"], verbatim={SENTENCE})
    usages: list[Usage] = []
    problems: list[Problem] = []
    lines: dict[str, int] = {}
    for line, row in rows:
        found = _usage(row)
        if isinstance(found, str):
            problems.append(Problem(name, line, found))
        elif found.id in lines:
            problems.append(
                Problem(name, line, f"has the id {found.id!r} of line {lines[found.id]}; each needs its own")
            )
        else:
            lines[found.id] = line
            usages.append(found)
    if len(usages) > MOST_USAGES:
        problems.append(Problem(name, None, f"holds more than {MOST_USAGES:,} usages; give it in parts"))
    if not usages and not problems:
        problems.append(Problem(name, None, "holds no usage"))
    refuse(shorten(name, problems))
    return usages


def _json_lines(name: str, content: bytes) -> Iterator[tuple[int, Row]]:
    file = read_text(name, content)
    problems = list(file.problems)
    for line, text in enumerate(unless_cancelled(file.lines), 1):
        if text.strip():
            row = _parsed(text)
            if isinstance(row, str):
                problems.append(Problem(name, line, row))
            else:
                yield line, row
    refuse(shorten(name, problems))


def _parsed(text: str) -> Row | str:
    """Parse a line of JSON into cells like those of a table, or return what is wrong."""
    try:
        row: Any = read_json(text)
    except (ValueError, RecursionError):
        return "is not JSON; write one object a line"
    if not isinstance(row, dict):
        return "is not a JSON object with the fields of a usage"
    if unknown := sorted(row.keys() - set(KNOWN)):
        return f"has unknown fields: {', '.join(unknown)[:100]}; the fields are {', '.join(KNOWN)}"
    if strange := [key for key, value in row.items() if isinstance(value, list | dict | float)]:
        return f"has a {strange[0]} that is neither a text nor a whole number"
    return {key: _cell(value) if key == SENTENCE else _cell(value).strip() for key, value in row.items()}


def _cell(value: str | int | None) -> str:
    return "" if value is None else str(int(value) if isinstance(value, bool) else value)


def _usage(row: Row) -> Usage | str:
    name, sentence, document, domain = (row.get(key, "") for key in ("id", SENTENCE, "document", "domain"))
    if not name or len(name) > LONGEST_ID:
        return f"needs an id of at most {LONGEST_ID} characters"
    if not all(map(is_one_line, (name, document, domain))):
        return "has an id, a document or a domain with a line break or a control character; remove it"
    if not sentence.strip() or len(sentence) > LONGEST_SENTENCE:
        return f"needs a sentence of at most {LONGEST_SENTENCE:,} characters"
    if not is_valid_text(sentence):
        return "has a sentence with a control character or half a character; remove it"
    if len(document) > LONGEST_DOCUMENT:
        return f"names a document by more than {LONGEST_DOCUMENT} characters"
    if len(domain) > LONGEST_DOMAIN:
        return f"names a domain by more than {LONGEST_DOMAIN} characters"
    gold = row.get("gold", "").casefold()
    if gold not in GOLD:
        return f"has {row['gold'][:40]!r} as gold; write error, ok, or nothing"
    span = _span(row, sentence)
    if isinstance(span, str):
        return span
    return Usage(name, document or domain, sentence, *span, GOLD[gold], domain)


def _span(row: Row, sentence: str) -> tuple[int, int] | str:
    """The span in characters, or what is wrong with it."""
    given = [pair for pair in (CHARACTERS, TOKENS) if any(row.get(key) for key in pair)]
    if len(given) != 1:
        return "needs a span, either as start and end or as start_token and end_token"
    (pair,) = given
    start, end = (whole_number(row.get(key, "")) for key in pair)
    places = [word.span() for word in WORD.finditer(sentence)] if pair == TOKENS else None
    length = len(sentence) if places is None else len(places)
    if start is None or end is None or not 0 <= start < end <= length:
        unit = "characters" if places is None else "tokens"
        return f"has a span that does not lie in the sentence of {length} {unit}, or is empty"
    if places is None:
        return start, end
    return places[start][0], places[end - 1][1]


def read_classes(name: str, content: bytes, known: Collection[str]) -> dict[str, float]:
    rows = _rows(name, content)
    found: dict[str, float] = {}
    problems = []
    for line, usage, cell in rows:
        value = _share(WORDS.get(cell.casefold(), cell))
        if usage not in known:
            problems.append(Problem(name, line, f"names the usage {usage[:60]!r}, which does not exist"))
        elif usage in found:
            problems.append(Problem(name, line, f"names the usage {usage[:60]!r} twice"))
        elif value is None:
            problems.append(Problem(name, line, f"has {cell[:40]!r}; write 1 (error), 0 (fine) or a probability"))
        else:
            found[usage] = value
    if not rows:
        problems.append(Problem(name, None, "contains no classification"))
    if problems:
        raise Problems(shorten(name, problems))
    return found


def _share(cell: str) -> float | None:
    """Parse a number from 0 to 1 in any notation, or return None."""
    if len(cell) > LONGEST_NUMBER or not NUMBER.fullmatch(cell):
        return None
    value = float(cell)
    return value if 0 <= value <= 1 else None


def _value(name: str, row: Row) -> str:
    if column := next((value for value in VALUES if value in row), None):
        return row[column]
    raise Problems([Problem(name, 1, "lacks a column class or probability")])


def _rows(name: str, content: bytes) -> list[tuple[int, str, str]]:
    if name.endswith(".csv"):
        return [(line, row["id"], _value(name, row)) for line, row in read_rows(name, content, ["id"])]
    file = read_text(name, content)
    if file.problems:
        raise Problems(file.problems)
    # At most three cells a line, because a third is one too many.
    lines = [(number, line.split(None, 2)) for number, line in enumerate(file.lines, 1) if line.strip()]
    if wrong := [number for number, cells in lines if len(cells) != 2]:
        raise Problems(shorten(name, [Problem(name, number, "is not a line 'ID VALUE'") for number in wrong]))
    return [(number, usage, value) for number, (usage, value) in lines]
