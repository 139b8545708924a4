"""How a system classifies usages: a class (1 error, 0 fine) or the probability of an error, by the id of the usage.

A CSV has the columns `id` and `class` or `probability`; a plain file has lines `ID VALUE`. A system may leave usages
out, as those of another data set; one that is not known, doubled, or has no number from 0 to 1 is a problem.
"""

import re
from collections.abc import Collection

from judgments.rules.files.csv_tables import read_rows
from judgments.rules.files.problems import Problem, Problems, shorten
from judgments.rules.files.text_files import read_text

NUMBER = re.compile(r"([0-9]++\.?[0-9]*+|\.[0-9]++)(e[+-]?[0-9]+)?", re.ASCII | re.IGNORECASE)
# More than any language writes of a number of double precision.
LONGEST_NUMBER = 40
WORDS = {"error": "1", "ok": "0"}
VALUES = ("class", "probability")


def read_classes(name: str, content: bytes, known: Collection[str]) -> dict[str, float]:
    rows = _rows(name, content)
    found: dict[str, float] = {}
    problems = []
    for line, usage, told in rows:
        value = _share(WORDS.get(told.casefold(), told))
        if usage not in known:
            problems.append(Problem(name, line, f"names the usage {usage[:60]!r}, which there is not"))
        elif usage in found:
            problems.append(Problem(name, line, f"names the usage {usage[:60]!r} a second time"))
        elif value is None:
            problems.append(Problem(name, line, f"has {told[:40]!r}; write 1 (error), 0 (fine) or a probability"))
        else:
            found[usage] = value
    if not rows:
        problems.append(Problem(name, None, "says nothing of any usage"))
    if problems:
        raise Problems(shorten(name, problems))
    return found


def _share(told: str) -> float | None:
    """Parse a number from 0 to 1 in any notation, or return None."""
    if len(told) > LONGEST_NUMBER or not NUMBER.fullmatch(told):
        return None
    value = float(told)
    return value if 0 <= value <= 1 else None


def _rows(name: str, content: bytes) -> list[tuple[int, str, str]]:
    if name.endswith(".csv"):
        table = read_rows(name, content, ["id"])
        column = next((value for value in VALUES if table and value in table[0][1]), None)
        if table and column is None:
            raise Problems([Problem(name, 1, "lacks a column class or probability")])
        return [(line, row["id"], row[column or ""]) for line, row in table]
    file = read_text(name, content)
    if file.problems:
        raise Problems(file.problems)
    lines = ((number, line.split()) for number, line in enumerate(file.lines, 1) if line.strip())
    rows, problems = [], []
    for number, cells in lines:
        if len(cells) == 2:
            rows.append((number, cells[0], cells[1]))
        else:
            problems.append(Problem(name, number, "is no line 'ID VALUE'"))
    if problems:
        raise Problems(shorten(name, problems))
    return rows


ERROR_FROM = 0.5
