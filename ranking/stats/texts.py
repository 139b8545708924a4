"""A report's numbers as the texts of its files: a CSV a table, everything as JSON, the signature."""

import json
from collections.abc import Mapping

from ranking.stats.tables import Table, to_csv

SIGNATURE, REPORT = "signature.txt", "report.json"


def texts_of(
    tables: Mapping[str, Table], gaps: Mapping[str, str], signature: str, about: Mapping[str, object]
) -> dict[str, str]:
    """Every file by its name; the same numbers are the same bytes."""
    told = {
        **about,
        "signature": signature,
        "gaps": gaps,
        "tables": {name: table.dicts() for name, table in tables.items()},
    }
    whole = json.dumps(told, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
    numbers = {f"{name}.csv": to_csv(tables[name]) for name in sorted(tables)}
    return {SIGNATURE: signature + "\n", REPORT: whole} | numbers
