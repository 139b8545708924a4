"""WMT ranking tables: N systems a row, columns system1Id ... and system1rank ...; a rank of -1 is a skipped ranking."""

import re

from judgments.exchange.importers.rules.rankings import RankedGroup, Recorded
from judgments.rules.files.csv_tables import Row, read_rows, whole_number
from judgments.rules.files.problems import Problem, Problems, shorten

SYSTEM_COLUMN = re.compile(r"system(.*)id")
SYSTEM_NUMBER = re.compile(r"[1-9][0-9]{0,2}")
SKIPPED = -1


def read_wmt_csv(name: str, content: bytes) -> list[Recorded]:
    """Every ranking of a WMT table in its order, or every problem in it."""
    rows = read_rows(name, content, ["segmentId", "judgeId", "system1Id", "system1rank"])
    if not rows:
        raise Problems([Problem(name, None, "holds no ranking below its header")])
    numbers = _system_numbers(name, list(rows[0][1]))
    recorded, problems = [], []
    for line, row in rows:
        ranking = _ranking(line, row, numbers)
        if isinstance(ranking, Recorded):
            recorded.append(ranking)
        else:
            problems.append(Problem(name, line, ranking))
    if problems:
        raise Problems(shorten(name, problems))
    return recorded


def _system_numbers(name: str, header: list[str]) -> list[int]:
    written = [found[1] for column in header if (found := SYSTEM_COLUMN.fullmatch(column))]
    if strange := [number for number in written if not SYSTEM_NUMBER.fullmatch(number)]:
        what = f"has a column system{strange[0][:20]}Id; systems are numbered system1Id, system2Id and so on"
        raise Problems([Problem(name, 1, what)])
    return sorted(map(int, written))


def _ranking(line: int, row: Row, numbers: list[int]) -> Recorded | str:
    segment = whole_number(row["segmentid"])
    ranks = [whole_number(row.get(f"system{number}rank", "")) for number in numbers]
    systems = [row[f"system{number}id"] for number in numbers]
    if segment is None or segment < 0 or not row["judgeid"]:
        return "needs a judge and a whole number as segmentId"
    if "" in systems or None in ranks or any(rank < 1 and rank != SKIPPED for rank in ranks if rank is not None):
        return "every system needs a name and a rank of 1 or more, or -1 for skipped"
    if len(set(systems)) < len(systems):
        return "names one system twice"
    skipped = SKIPPED in ranks
    groups = tuple(RankedGroup(s, r) for s, r in zip(systems, ranks, strict=True) if r is not None)
    return Recorded(line, row["judgeid"], segment, () if skipped else groups, skipped, None, row.get("documentid", ""))
