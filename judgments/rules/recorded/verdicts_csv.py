"""Verdicts as a table: judge, instance and finding, and if they are there why one was skipped and the seconds it took.

Toy: `judge,instance,finding` and `ada,u1,error`. The table that we export (judgments.csv) is read too.
"""

from collections.abc import Collection
from typing import NamedTuple

from judgments.rules.names import fault_of_pseudonym
from judgments.rules.problems import Problem, Problems, shorten
from judgments.rules.recorded.limits import LONGEST_LABEL, SKIPPED_ELSEWHERE, seconds_of
from judgments.rules.recorded.tables import Row, read_rows

FINDINGS = {"error": "error", "1": "error", "ok": "ok", "0": "ok", "unknown": "unknown", "": ""}


class RecordedVerdict(NamedTuple):
    """What a judge found of an instance, or why nothing; `line` is where it stands in the file."""

    line: int
    judge: str
    instance: str
    finding: str
    skip_reason: str = ""
    seconds: float | None = None


def read_verdicts_csv(name: str, content: bytes, known: Collection[str]) -> list[RecordedVerdict]:
    """All verdicts of a file on instances that are known, or every problem in it."""
    rows = read_rows(name, content, ["judge", "instance", "finding"])
    found: list[RecordedVerdict] = []
    problems = []
    for line, row in rows:
        if fault := _fault(row, known):
            problems.append(Problem(name, line, fault))
        else:
            found.append(_verdict(line, row))
    if not rows:
        problems.append(Problem(name, None, "holds no verdict"))
    if problems:
        raise Problems(shorten(name, problems))
    return found


def _verdict(line: int, row: Row) -> RecordedVerdict:
    finding = FINDINGS[row["finding"].casefold()]
    reason = "" if finding else row.get("skip_reason", "") or SKIPPED_ELSEWHERE
    return RecordedVerdict(line, row["judge"], row["instance"], finding, reason, _seconds(row))


def _fault(row: Row, known: Collection[str]) -> str | None:
    if fault := fault_of_pseudonym(row["judge"]):
        return fault
    if row["instance"] not in known:
        return f"names the instance {row['instance'][:60]!r}, which there is not"
    if row["finding"].casefold() not in FINDINGS:
        return f"has {row['finding'][:40]!r} as finding; write error, ok or unknown, or nothing for a skip"
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
