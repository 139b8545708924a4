"""The order of systems, the same in every plot of a report: that of its first ranking."""

from collections.abc import Mapping

from ranking.stats.tables import Table


def order_of(tables: Mapping[str, Table]) -> list[str]:
    """Systems by the first ranking; without one as their meetings come."""
    for name in ("standings", "head_to_head"):
        if name in tables:
            return list(dict.fromkeys(map(str, tables[name].column("system"))))
    return []
