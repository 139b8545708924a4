"""Pairwise tables: each row has two systems and their ranks; rows with the same rankingID form one ranking."""

from judgments.exchange.importers.rules.recorded import Group, RecordedJudgment, RowFault, read_each
from judgments.rules.files.csv_tables import Row, read_rows, whole_number

COLUMNS = ["segmentId", "judgeId", "system1Id", "system1rank", "system2Id", "system2rank"]
RANKING = "rankingid"


def read_pairs_csv(name: str, content: bytes) -> list[RecordedJudgment]:
    """Read the rankings of a table of pairs in the order of their first rows, or raise all problems in it."""
    rows = read_rows(name, content, COLUMNS, if_empty="contains no pair below its header")
    rankings: dict[tuple[str, int, str, int], tuple[int, dict[str, int]]] = {}
    read_each(name, rows, lambda line, row: _take_pair(rankings, line, row))
    return [
        RecordedJudgment(line, judge, segment, tuple(Group(*rank) for rank in sorted(ranks.items())), None, label)
        for (judge, segment, label, _), (line, ranks) in rankings.items()
    ]


def _take_pair(rankings: dict[tuple[str, int, str, int], tuple[int, dict[str, int]]], line: int, row: Row) -> None:
    segment = whole_number(row["segmentid"])
    if segment is None or segment < 0 or not row["judgeid"]:
        raise RowFault("needs a judge and a whole number as segmentId")
    if row["system1id"] and row["system1id"] == row["system2id"]:
        raise RowFault("names one system twice")
    label = row.get(RANKING, "")
    own_line = 0 if label else line  # without an ID each row is a separate ranking
    _, ranks = rankings.setdefault((row["judgeid"], segment, label, own_line), (line, {}))
    for side in (1, 2):
        rank = whole_number(row[f"system{side}rank"])
        system = row[f"system{side}id"]
        if not system or rank is None or rank < 1:
            raise RowFault(f"system {side} needs a name and a rank of 1 or more")
        if ranks.setdefault(system, rank) != rank:
            earlier = f"rank {ranks[system]} in an earlier row of the same ranking"
            raise RowFault(f"{system} has rank {rank} here and {earlier}")
