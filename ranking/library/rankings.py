"""Rankings of systems from a table of judgments."""

import csv
import io
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ranking.library import Result
from ranking.numbers.tables import StatisticsError
from ranking.scores.ballots import BallotVersion, number_ballots
from ranking.stats.analysis import analyse
from ranking.stats.comparisons import SECTIONS as OF_COMPARISONS
from ranking.stats.comparisons.study import ComparisonStudy, Names, Parameters

# The columns of a table; the platform's judgments.csv has the second names.
SENTENCE, SYSTEM = ("sentence", "segment"), ("system", "systems")
SECTIONS = ("counts", "standings", "pairs of systems", "agreement", "head to head")


@dataclass(frozen=True)
class Ranking(Result):
    """Systems from best to worst; `tables` has standings with intervals, pairs of systems, agreement and tests.

    `gaps` says what could not be computed, and why; `signature` how the numbers came about, and from which data.
    """

    order: tuple[str, ...]
    gaps: Mapping[str, str]
    signature: str


def rank(
    judgments: str | Path | Iterable[Mapping[str, Any]],
    method: str | Sequence[str] = "expected-wins",
    *,
    systems: Collection[str] | None = None,
    unit: str = "sentence",
    replicates: int = 1000,
    level: float = 0.95,
    seed: int = 0,
) -> Ranking:
    """Rank systems by a method, or several, the first of which decides `order`.

    A table has a row for each version that a judge saw: `judge`, `sentence`, `system`, and a `rank` (1 is best, ties
    are allowed) or a `score` (more is better); names of systems that wrote the same text are separated by spaces.
    `document` and `screen`, which tells judgments of one sentence by one judge apart, may be missing. A path is a CSV
    file, such as the platform's judgments.csv; a list of dictionaries and a DataFrame are tables too. Only `systems`
    are ranked, if they are named; else everything is, also references and controls. `unit` is what intervals draw:
    sentence, document, judge, or both sentence and judge.
    """
    table: Any = judgments
    if isinstance(judgments, str | Path):
        table = csv.DictReader(io.StringIO(Path(judgments).read_text(encoding="utf-8-sig"), newline=""))
    elif hasattr(judgments, "to_dict"):
        table = judgments.to_dict("records")
    rows = [row for number, given in enumerate(table, 1) if (row := _read_row(number, given))]
    if systems is not None:
        # A version that others wrote too stays as that of the systems asked for.
        wanted = frozenset(systems)
        rows = [row._replace(systems=tuple(name for name in row.systems if name in wanted)) for row in rows]
        if missing := wanted - {name for row in rows for name in row.systems}:
            raise StatisticsError(f"Nobody judged {', '.join(sorted(missing))}.")
        rows = [row for row in rows if row.systems]
    methods = (method,) if isinstance(method, str) else tuple(method)
    chosen = Parameters(methods=methods, unit=unit, replicates=replicates, level=level, seed=seed)
    ballots, known, judges = number_ballots(rows)
    study = ComparisonStudy(ballots, Names(known, judges), chosen, any(row.merit > 0 for row in rows))
    found = analyse(study, {name: OF_COMPARISONS[name] for name in SECTIONS})
    if "standings" not in found.tables:
        raise StatisticsError(found.gaps["standings"])
    first = [row for row in found.tables["standings"].dicts() if row["method"] == methods[0]]
    return Ranking(found.tables, tuple(str(row["system"]) for row in first), found.gaps, study.signature())


def _read_row(number: int, row: Mapping[str, Any]) -> BallotVersion | None:
    """Read a row; None if it says nothing, or the platform left its judge out."""
    given = {name: str(value).strip() for name, value in row.items() if value is not None and value == value}
    if given.get("excluded") == "yes" or not (given.get("rank") or given.get("score")):
        return None
    sentence, systems = (next((given[name] for name in names if given.get(name)), "") for names in (SENTENCE, SYSTEM))
    if not (sentence and systems and given.get("judge")):
        raise StatisticsError(f"Row {number} lacks a judge, a sentence or a system.")
    try:
        merit = -float(given["rank"]) if given.get("rank") else float(given["score"])
    except ValueError as reason:
        raise StatisticsError(f"Row {number}: a rank or a score must be a number.") from reason
    ballot = given["judge"], sentence, given.get("screen", "")
    return BallotVersion(ballot, given.get("document", ""), tuple(sorted(systems.split())), merit)
