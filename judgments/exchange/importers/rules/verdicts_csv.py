"""Verdicts as a table: judge, usage and finding, and optionally the reason of a skip and the seconds.

Toy: `judge,usage,finding` and `ada,u1,error`. The exported table (judgments.csv) is accepted too: `control` marks
verdicts on controls, and rows of excluded judges and of programs are left out.
"""

from collections.abc import Collection

from judgments.exchange.importers.rules.recorded import (
    LONGEST_LABEL,
    SKIPPED_ELSEWHERE,
    SKIPPED_IF,
    RecordedGroup,
    RecordedJudgment,
    is_yes,
    seconds_in,
)
from judgments.rules.files.csv_tables import Row, read_rows
from judgments.rules.files.names import fault_of_pseudonym
from judgments.rules.files.values import RowFault, read_each

FINDINGS = {"error": "error", "1": "error", "ok": "ok", "0": "ok", "unknown": "unknown", "": ""}
NO = ("no", "")


def read_verdicts_csv(name: str, content: bytes, known: Collection[str]) -> tuple[list[RecordedJudgment], int]:
    """Return the verdicts that count, and the number of rows that do not; or raise all problems."""
    rows = read_rows(name, content, ["judge", "usage", "finding"], if_empty="contains no verdict")
    read = read_each(name, rows, lambda line, row: _verdict(line, row, known))
    recorded = [one for one in read if one]
    return recorded, len(read) - len(recorded)


def _verdict(line: int, row: Row, known: Collection[str]) -> RecordedJudgment | None:
    """Read a row; None if it does not count."""
    if any(is_yes(row, column) for column in SKIPPED_IF):
        return None
    if fault := fault_of_pseudonym(row["judge"]):
        raise RowFault(fault)
    if row["usage"] not in known:
        raise RowFault(f"names the usage {row['usage'][:60]!r}, which does not exist")
    if row["finding"].casefold() not in FINDINGS:
        raise RowFault(f"has {row['finding'][:40]!r} as finding; write error, ok or unknown, or nothing for a skip")
    is_control = is_yes(row, "control")
    if not is_control and row.get("control", "").casefold() not in NO:
        raise RowFault(f"has {row['control'][:40]!r} as control; write yes or no")
    if len(row.get("skip_reason", "")) > LONGEST_LABEL:
        raise RowFault(f"has a reason of more than {LONGEST_LABEL} characters; shorten it")
    finding = FINDINGS[row["finding"].casefold()]
    reason = "" if finding else row.get("skip_reason", "") or SKIPPED_ELSEWHERE
    groups = (RecordedGroup("", finding),) if finding else ()
    about = row["usage"], is_control
    return RecordedJudgment(line, row["judge"], about, groups, seconds_in(row), skip_reason=reason)
