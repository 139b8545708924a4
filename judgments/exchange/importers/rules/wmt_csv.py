"""WMT ranking tables: N systems per row, columns system1Id ... and system1rank ...; a rank of -1 means skipped."""

import re
from collections.abc import Iterable
from itertools import chain

from judgments.exchange.importers.rules.recorded import Group, RecordedJudgment, RowFault, read_each
from judgments.rules.files.csv_tables import Row, read_rows, whole_number
from judgments.rules.files.problems import Problem, Problems

SYSTEM_COLUMN = re.compile(r"system(.*)id")
SYSTEM_NUMBER = re.compile(r"[1-9][0-9]{0,2}")
SKIPPED = -1


def read_wmt_csv(name: str, content: bytes) -> list[RecordedJudgment]:
    """Read the rankings of a WMT table in order, or raise all problems in it."""
    needed = ["segmentId", "judgeId", "system1Id", "system1rank"]
    rows = read_rows(name, content, needed, if_empty="contains no ranking below its header")
    first = next(rows)
    numbers = _system_numbers(name, first[1])
    return read_each(name, chain([first], rows), lambda line, row: _ranking(line, row, numbers))


def _system_numbers(name: str, header: Iterable[str]) -> list[int]:
    written = [found[1] for column in header if (found := SYSTEM_COLUMN.fullmatch(column))]
    if strange := [number for number in written if not SYSTEM_NUMBER.fullmatch(number)]:
        what = f"has a column system{strange[0][:20]}Id; systems are numbered system1Id, system2Id and so on"
        raise Problems([Problem(name, 1, what)])
    return sorted(map(int, written))


def _ranking(line: int, row: Row, numbers: list[int]) -> RecordedJudgment:
    segment = whole_number(row["segmentid"])
    ranks = [whole_number(row.get(f"system{number}rank", "")) for number in numbers]
    systems = [row[f"system{number}id"] for number in numbers]
    if segment is None or segment < 0 or not row["judgeid"]:
        raise RowFault("needs a judge and a whole number as segmentId")
    if "" in systems or None in ranks or any(rank < 1 and rank != SKIPPED for rank in ranks if rank is not None):
        raise RowFault("every system needs a name and a rank of 1 or more, or -1 for skipped")
    if len(set(systems)) < len(systems):
        raise RowFault("names one system twice")
    groups = tuple(Group(s, r) for s, r in zip(systems, ranks, strict=True) if r is not None)
    return RecordedJudgment(
        line, row["judgeid"], segment, () if SKIPPED in ranks else groups, None, row.get("documentid", "")
    )
