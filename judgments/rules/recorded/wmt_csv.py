"""WMT ranking tables: N systems a row, columns system1Id ... and system1rank ...; a rank of -1 is a skipped ranking."""

import re

from judgments.rules.problems import Problem, Problems, shorten
from judgments.rules.recorded.rows import RankedGroup, Recorded
from judgments.rules.recorded.tables import Row, bare_names, read_rows, whole_number

SYSTEM_COLUMN = re.compile(r"system(\d+)id")
SKIPPED = -1


def read_wmt_csv(name: str, content: bytes) -> list[Recorded]:
    """Every ranking of a WMT table in its order, or every problem in it."""
    rows = list(read_rows(name, content, ["segmentId", "judgeId", "system1Id", "system1rank"]))
    if not rows:
        raise Problems([Problem(name, None, "holds no ranking below its header")])
    numbers = sorted(int(found[1]) for column in rows[0][1] if (found := SYSTEM_COLUMN.fullmatch(column)))
    names = bare_names({row[f"system{number}id"] for _, row in rows for number in numbers} - {""})
    recorded, problems = [], []
    for line, row in rows:
        ranking = _ranking(line, row, numbers, names)
        if isinstance(ranking, Recorded):
            recorded.append(ranking)
        else:
            problems.append(Problem(name, line, ranking))
    if problems:
        raise Problems(shorten(name, problems))
    return recorded


def _ranking(line: int, row: Row, numbers: list[int], names: dict[str, str]) -> Recorded | str:
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
    groups = tuple(RankedGroup(names[s], r) for s, r in zip(systems, ranks, strict=True) if r is not None)
    return Recorded(line, row["judgeid"], segment, () if skipped else groups, skipped, None, row.get("documentid", ""))
