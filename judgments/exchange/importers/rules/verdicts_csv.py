"""Verdicts as a table: judge, instance and finding, and if they are there why one was skipped and the seconds it took.

Toy: `judge,instance,finding` and `ada,u1,error`. The table that we export (judgments.csv) is read too: `control` says
whether a verdict was asked for to look at the judge, and rows of excluded judges and of programs are left out.
"""

from collections.abc import Collection
from typing import NamedTuple

from judgments.exchange.importers.rules.rankings import LONGEST_LABEL, SKIPPED_ELSEWHERE, seconds_of
from judgments.rules.files.csv_tables import Row, read_rows
from judgments.rules.files.names import fault_of_pseudonym
from judgments.rules.files.problems import Problem, Problems, shorten

FINDINGS = {"error": "error", "1": "error", "ok": "ok", "0": "ok", "unknown": "unknown", "": ""}
LEAVING_OUT = ("excluded", "program")
YES, NO = "yes", ("no", "")


class RecordedVerdict(NamedTuple):
    """What a judge found of a usage, as a control or not, or why nothing; `line` is where it stands in the file."""

    line: int
    judge: str
    usage: str
    finding: str
    skip_reason: str = ""
    seconds: float | None = None
    is_control: bool = False


class Table(NamedTuple):
    """The verdicts of a file, and how many rows tell of judges who do not count."""

    verdicts: list[RecordedVerdict]
    left_out: int


def read_verdicts_csv(name: str, content: bytes, known: Collection[str]) -> Table:
    """All verdicts of a file that count, on usages that are known, or every problem in it."""
    rows = read_rows(name, content, ["judge", "instance", "finding"])
    counted = [(line, row) for line, row in rows if not any(_says_yes(row, column) for column in LEAVING_OUT)]
    found: list[RecordedVerdict] = []
    problems = []
    for line, row in counted:
        if fault := _fault(row, known):
            problems.append(Problem(name, line, fault))
        else:
            found.append(_verdict(line, row))
    if not rows:
        problems.append(Problem(name, None, "holds no verdict"))
    if problems:
        raise Problems(shorten(name, problems))
    return Table(found, len(rows) - len(counted))


def _says_yes(row: Row, column: str) -> bool:
    return row.get(column, "").casefold() == YES


def _verdict(line: int, row: Row) -> RecordedVerdict:
    finding = FINDINGS[row["finding"].casefold()]
    reason = "" if finding else row.get("skip_reason", "") or SKIPPED_ELSEWHERE
    return RecordedVerdict(
        line, row["judge"], row["instance"], finding, reason, _seconds(row), _says_yes(row, "control")
    )


def _fault(row: Row, known: Collection[str]) -> str | None:
    if fault := fault_of_pseudonym(row["judge"]):
        return fault
    if row["instance"] not in known:
        return f"names the usage {row['instance'][:60]!r}, which there is not"
    if row["finding"].casefold() not in FINDINGS:
        return f"has {row['finding'][:40]!r} as finding; write error, ok or unknown, or nothing for a skip"
    if not _says_yes(row, "control") and row.get("control", "").casefold() not in NO:
        return f"has {row['control'][:40]!r} as control; write yes or no"
    if len(row.get("skip_reason", "")) > LONGEST_LABEL:
        return f"has a reason of more than {LONGEST_LABEL} characters; shorten it"
    return None


def _seconds(row: Row) -> float | None:
    """The time spent, else the time that passed, if it is told as a number."""
    for column in ("active_seconds", "wall_seconds", "seconds"):
        try:
            told = seconds_of(float(row.get(column, "")))
        except ValueError:
            continue
        if told is not None:
            return told
    return None
