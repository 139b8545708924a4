"""Pairwise tables: two systems a row with their ranks; rows with one rankingID are put together again."""

from judgments.exchange.importers.rules.rankings import RankedGroup, Recorded
from judgments.rules.files.csv_tables import Row, read_rows, whole_number
from judgments.rules.files.problems import Problem, Problems, shorten

COLUMNS = ["segmentId", "judgeId", "system1Id", "system1rank", "system2Id", "system2rank"]
RANKING = "rankingid"


def read_pairs_csv(name: str, content: bytes) -> list[Recorded]:
    """Every ranking of a table of pairs, in order of its first row, or every problem in it."""
    rows = read_rows(name, content, COLUMNS)
    if not rows:
        raise Problems([Problem(name, None, "holds no pair below its header")])
    rankings: dict[tuple[str, int, str, int], tuple[int, dict[str, int]]] = {}
    problems = []
    for line, row in rows:
        if fault := _take_pair(rankings, line, row):
            problems.append(Problem(name, line, fault))
    if problems:
        raise Problems(shorten(name, problems))
    return [
        Recorded(line, judge, segment, tuple(RankedGroup(*rank) for rank in sorted(ranks.items())), False, None, label)
        for (judge, segment, label, _), (line, ranks) in rankings.items()
    ]


def _take_pair(
    rankings: dict[tuple[str, int, str, int], tuple[int, dict[str, int]]], line: int, row: Row
) -> str | None:
    segment = whole_number(row["segmentid"])
    if segment is None or segment < 0 or not row["judgeid"]:
        return "needs a judge and a whole number as segmentId"
    if row["system1id"] and row["system1id"] == row["system2id"]:
        return "names one system twice"
    label = row.get(RANKING, "")
    apart = 0 if label else line  # without an ID each row is a ranking of its own
    _, ranks = rankings.setdefault((row["judgeid"], segment, label, apart), (line, {}))
    for side in (1, 2):
        rank = whole_number(row[f"system{side}rank"])
        system = row[f"system{side}id"]
        if not system or rank is None or rank < 1:
            return f"system {side} needs a name and a rank of 1 or more"
        if ranks.setdefault(system, rank) != rank:
            return f"{system} has rank {rank} here and rank {ranks[system]} in an earlier row of the same ranking"
    return None
