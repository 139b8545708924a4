"""Usages and systems' classifications of them, from tables and JSON lines.

A file of JSON lines, or a CSV with a column `sentence`, has usages: a sentence, the span to judge, and the right answer
if it is known. The span is in characters (`start`, `end`) or in tokens (`start_token`, `end_token`), both from 0 and
without the end, as in Python. `gold` is error (or 1), ok (or 0), or empty if unknown. `document` and `domain` are
optional; a domain, such as a data set, without a document is a document too. Usages that the campaign already has may
be repeated unchanged. Any other file is named after its system and has its classifications.

Toy: `a1,In the May 5 .,3,6,error` under `id,sentence,start,end,gold` is the usage `the`, which is an error.
"""

import random
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import filterfalse
from typing import Any

from judgments.charts.numbers import quantity
from judgments.material.rules.documents import LONGEST_DOCUMENT, LONGEST_DOMAIN
from judgments.rules.files.csv_tables import Row, read_rows, separator_of, whole_number
from judgments.rules.files.names import LONGEST_ID, fault_of_name, system_name
from judgments.rules.files.problems import Problem, Problems, refuse, shorten
from judgments.rules.files.text_files import UploadedFile, is_one_line, is_valid_text, read_text
from judgments.rules.files.values import RowFault, read_each, read_json_lines
from judgments.rules.texts.marking import mark_usage

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
JSON_LINES = (".jsonl", ".json")
SUFFIXES = (".csv", ".tsv", ".txt")
NO_USAGES = "there is no file of usages; upload one as CSV or JSON lines, before or together with the classifications"
SAMPLES = 10


@dataclass(frozen=True)
class GivenUsage:
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


@dataclass(frozen=True)
class GivenUsages:
    """New usages, and each system's classifications of new or known usages."""

    usages: tuple[GivenUsage, ...]
    classes: dict[str, dict[str, float]]
    notes: tuple[str, ...] = ()


def read_usage_files(files: Sequence[UploadedFile], known: Mapping[str, GivenUsage]) -> GivenUsages:
    """Read what the files add to a campaign with the known usages, or raise all problems in them."""
    problems: list[Problem] = []
    found: dict[str, GivenUsage] = {}
    again = 0
    for file in filter(holds_usages, files):
        try:
            usages = read_usages(file.name, file.content)
        except Problems as reason:
            problems += reason.problems
            continue
        for usage in usages:
            there = found.get(usage.id) or known.get(usage.id)
            if there is None:
                found[usage.id] = usage
            elif there == usage:
                again += 1
            else:
                what = f"has a usage {usage.id!r} that differs from the one already known; give it another id"
                problems.append(Problem(file.name, None, what))
    names = known.keys() | found.keys()
    domains: dict[str, set[str]] = {}
    for usage in (*known.values(), *found.values()):
        domains.setdefault(usage.document, set()).add(usage.domain)
    for document, several in domains.items():
        if len(several) > 1:
            what = f"the document {document!r} has several domains: {', '.join(map(repr, sorted(several)))[:100]}"
            problems.append(Problem("", None, what))
    if not names and not problems:
        raise Problems([Problem("", None, NO_USAGES)])
    classes: dict[str, dict[str, float]] = {}
    for file in filterfalse(holds_usages, files):
        try:
            values = read_classes(file.name, file.content, names)
        except Problems as reason:
            problems += reason.problems
            values = {}
        system = system_name(file.name)
        system = next((system.removesuffix(suffix) for suffix in SUFFIXES if system.endswith(suffix)), system)
        if fault := fault_of_name(system):
            problems.append(Problem(file.name, None, fault))
        elif any(system.casefold() == other.casefold() for other in classes):
            problems.append(Problem(file.name, None, f"there are two files of the system {system}"))
        else:
            classes[system] = values
    refuse(problems)
    notes = (f"{again} usages exist already and stay unchanged",) if again else ()
    return GivenUsages(tuple(found.values()), classes, notes)


def holds_usages(file: UploadedFile) -> bool:
    """Whether a file holds usages, by its name or its header."""
    if file.name.endswith(JSON_LINES):
        return True
    header = file.content.split(b"\n", 1)[0].decode("utf-8", "replace").casefold()
    return file.name.endswith(".csv") and SENTENCE in [
        cell.strip(' "\r\ufeff') for cell in header.split(separator_of(header) or None)
    ]


def read_usages(name: str, content: bytes) -> list[GivenUsage]:
    """Read the usages of a file in order, or raise all problems in it."""
    lines: dict[str, int] = {}

    def read(line: int, row: Row) -> GivenUsage:
        usage = _usage(row)
        if usage.id in lines:
            raise RowFault(f"has the id {usage.id!r} of line {lines[usage.id]}; each needs its own")
        lines[usage.id] = line
        return usage

    if name.endswith(JSON_LINES):
        usages = read_json_lines(name, content, lambda line, given: read(line, _cells(given)))
    else:
        usages = read_each(name, read_rows(name, content, ["id", SENTENCE], verbatim={SENTENCE}), read)
    if len(usages) > MOST_USAGES:
        raise Problems([Problem(name, None, f"holds more than {MOST_USAGES:,} usages; give it in parts")])
    if not usages:
        raise Problems([Problem(name, None, "holds no usage")])
    return usages


def _cells(row: Mapping[str, Any]) -> Row:
    """An object of JSON as cells like those of a table."""
    if unknown := sorted(row.keys() - set(KNOWN)):
        raise RowFault(f"has unknown fields: {', '.join(unknown)[:100]}; the fields are {', '.join(KNOWN)}")
    cells = {}
    for key, value in row.items():
        if isinstance(value, list | dict | float):
            raise RowFault(f"has a {key} that is neither a text nor a whole number")
        cell = "" if value is None else str(int(value) if isinstance(value, bool) else value)
        cells[key] = cell if key == SENTENCE else cell.strip()
    return cells


def _usage(row: Row) -> GivenUsage:
    name, sentence, document, domain = (row.get(key, "") for key in ("id", SENTENCE, "document", "domain"))
    if not name or len(name) > LONGEST_ID:
        raise RowFault(f"needs an id of at most {LONGEST_ID} characters")
    if not all(map(is_one_line, (name, document, domain))):
        raise RowFault("has an id, a document or a domain with a line break or a control character; remove it")
    if not sentence.strip() or len(sentence) > LONGEST_SENTENCE:
        raise RowFault(f"needs a sentence of at most {LONGEST_SENTENCE:,} characters")
    if not is_valid_text(sentence):
        raise RowFault("has a sentence with a control character or half a character; remove it")
    if len(document) > LONGEST_DOCUMENT:
        raise RowFault(f"names a document by more than {LONGEST_DOCUMENT} characters")
    if len(domain) > LONGEST_DOMAIN:
        raise RowFault(f"names a domain by more than {LONGEST_DOMAIN} characters")
    gold = row.get("gold", "").casefold()
    if gold not in GOLD:
        raise RowFault(f"has {row['gold'][:40]!r} as gold; write error, ok, or nothing")
    given = [pair for pair in (CHARACTERS, TOKENS) if any(row.get(key) for key in pair)]
    if len(given) != 1:
        raise RowFault("needs a span, either as start and end or as start_token and end_token")
    words = [word.span() for word in WORD.finditer(sentence)] if given == [TOKENS] else None
    start, end = (whole_number(row.get(key, "")) for key in given[0])
    length, unit = (len(sentence), "characters") if words is None else (len(words), "tokens")
    if start is None or end is None or not 0 <= start < end <= length:
        raise RowFault(f"has a span that does not lie in the sentence of {length} {unit}, or is empty")
    if words is not None:
        start, end = words[start][0], words[end - 1][1]
    return GivenUsage(name, document or domain, sentence, start, end, GOLD[gold], domain)


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


def _rows(name: str, content: bytes) -> list[tuple[int, str, str]]:
    if name.endswith(".csv"):
        rows = list(read_rows(name, content, ["id"]))
        column = next((value for value in VALUES if rows and value in rows[0][1]), None)
        if rows and column is None:
            raise Problems([Problem(name, 1, "lacks a column class or probability")])
        return [(line, row["id"], row[str(column)]) for line, row in rows]
    file = read_text(name, content)
    if file.problems:
        raise Problems(file.problems)
    # At most three cells a line, because a third is one too many.
    lines = [(number, line.split(None, 2)) for number, line in enumerate(file.lines, 1) if line.strip()]
    if wrong := [number for number, cells in lines if len(cells) != 2]:
        raise Problems(shorten(name, [Problem(name, number, "is not a line 'ID VALUE'") for number in wrong]))
    return [(number, usage, value) for number, (usage, value) in lines]


def preview_of(usages: GivenUsages, known: Mapping[str, GivenUsage], seed: str) -> dict[str, Any]:
    """Count and sample, as JSON; systems may classify usages that the campaign already has."""
    there = {**known, **{usage.id: usage for usage in usages.usages}}
    shown = list(usages.usages) or list(known.values())
    places: Iterable[int] = sorted(random.Random(seed).sample(range(len(shown)), min(SAMPLES, len(shown))))
    systems = sorted(usages.classes.items())
    return {
        "usages": len(usages.usages),
        "sentences": len({(usage.document, usage.sentence) for usage in usages.usages}),
        "gold_errors": sum(usage.gold is True for usage in usages.usages),
        "gold_fine": sum(usage.gold is False for usage in usages.usages),
        "classifiers": [
            {
                "name": name,
                "usages": len(values),
                "errors": sum(value >= ERROR_FROM for value in values.values()),
                "left_out": len(there) - len(values),
            }
            for name, values in systems
        ],
        "samples": [
            {
                "id": usage.id,
                "document": usage.document,
                "marked": mark_usage(usage.sentence, usage.start, usage.end)._asdict(),
                "gold": usage.gold,
                "classifications": [(name, values[usage.id]) for name, values in systems if usage.id in values],
            }
            for usage in map(shown.__getitem__, places)
        ],
        "summary": f"{quantity(len(usages.usages), 'usage')} and {quantity(len(systems), 'system')}",
    }
