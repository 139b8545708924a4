"""Scores as tables: `metric_scores` with a row a score, and the metrics' further tables, joined by name."""

from collections.abc import Iterable, Iterator

from ranking.metrics.scoring import Scored
from ranking.numbers.tables import Cell, Table

SCORES = "metric_scores"
COLUMNS = ("metric", "level", "system", "sentence", "value")


def tables_of(scored: Iterable[Scored]) -> list[Table]:
    """All tables of several metrics on the same outputs."""
    found = list(scored)
    signatures = Table.of("signatures", ("metric", "signature"), [(one.metric.name, one.signature) for one in found])
    scores = Table.of(SCORES, COLUMNS, (row for one in found for row in _scores(one)))
    return merged([scores, signatures, *(table for one in found for table in one.tables)])


def merged(tables: Iterable[Table]) -> list[Table]:
    """Tables with the same name as one."""
    found: dict[str, Table] = {}
    for table in tables:
        found[table.name] = joined(found.get(table.name), table)
    return list(found.values())


def joined(table: Table | None, more: Table) -> Table:
    """A table followed by the rows of another one of its kind, shared rows once."""
    return more if table is None else Table(table.name, table.columns, tuple(dict.fromkeys((*table.rows, *more.rows))))


def _scores(scored: Scored) -> Iterator[tuple[Cell, ...]]:
    """All scores of whole outputs, then the kept ones of each sentence, numbered from 1."""
    for name, values in scored.systems.items():
        for system, value in zip(scored.names, values.tolist(), strict=True):
            yield name, "system", system, None, value
    for name in scored.kept:
        for number, row in enumerate(scored.sentences[name].tolist(), 1):
            for system, value in zip(scored.names, row, strict=True):
                yield name, "sentence", system, number, value
