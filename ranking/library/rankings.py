"""Rankings of systems from a table of judgments."""

import csv
import io
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any

from ranking.library import Result
from ranking.numbers.tables import StatisticsError
from ranking.scores.ballots import BallotVersion, number_ballots
from ranking.stats.analysis import analyse
from ranking.stats.comparisons import SECTIONS as OF_COMPARISONS
from ranking.stats.comparisons.study import ComparisonStudy, Names, Parameters

# What the platform's judgments.csv marks by `yes`, and its reports leave out.
LEFT_OUT = ("excluded", "program", "adjudicator", "after_feedback")
# What else tells two answers of a judge on a version apart there.
OF_ANSWERS = ("shown_position", "submitted_at", "wall_seconds")
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
    are allowed) or a `score` (more is better). Instead of `system`, the column `systems` has the names of all systems
    that wrote the same text, separated by spaces. `document` and `screen`, which tells judgments of one sentence by one
    judge apart, may be missing. A path is a CSV file, such as the platform's judgments.csv, of which the same judgments
    count as in its reports; a list of dictionaries and a DataFrame are tables too. Only `systems` are ranked, if they
    are named; else everything is, also references and controls. `unit` is what intervals draw: sentence, document,
    judge, or both sentence and judge.
    """
    table: Any = judgments
    if isinstance(judgments, str | Path):
        table = csv.DictReader(io.StringIO(Path(judgments).read_text(encoding="utf-8-sig"), newline=""))
    elif hasattr(judgments, "to_dict"):
        table = judgments.to_dict("records")
    rows, are_ratings = _read(table)
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
    study = ComparisonStudy(ballots, Names(known, judges), chosen, are_ratings)
    found = analyse(study, {name: OF_COMPARISONS[name] for name in SECTIONS})
    if "standings" not in found.tables:
        raise StatisticsError(found.gaps["standings"])
    first = [row for row in found.tables["standings"].dicts() if row["method"] == methods[0]]
    return Ranking(found.tables, tuple(str(row["system"]) for row in first), found.gaps, study.signature())


def _read(table: Iterable[Mapping[str, Any]]) -> tuple[list[BallotVersion], bool]:
    """Read the rows that count, and whether they are ratings.

    In the platform's judgments.csv an answer may have a row for each edit of a version, which count once, and a judge
    may answer a screen again: the second answer on a version then belongs to the second ballot.
    """
    rows = list[BallotVersion]()
    answers: dict[tuple[Any, str], dict[Any, int]] = {}
    scale = ""
    for number, cells in enumerate(table, 1):
        given = {name: str(value).strip() for name, value in cells.items() if value is not None and value == value}
        column = next((name for name in ("rank", "score") if given.get(name)), "")
        if not column or any(given.get(mark) == "yes" for mark in LEFT_OUT):
            continue
        if column != (scale := scale or column):
            raise StatisticsError(f"Row {number} has a {column} where rows before have a {scale}; use one in all rows.")
        row = _read_row(number, given, column)
        # Only tables with edits have several rows for an answer.
        answer, again = (row.merit, *map(given.get, OF_ANSWERS)) if "original" in cells else number, 0
        for system in row.systems:
            known = answers.setdefault((row.ballot, system), {})
            again = max(again, known.setdefault(answer, len(known)))
        judge, sentence, screen = row.ballot
        if again and not screen:
            what = f"{judge} judged {' '.join(row.systems)} on sentence {sentence} before"
            raise StatisticsError(f"Row {number}: {what}. Keep one, or tell them apart by a column `screen`.")
        rows.append(row._replace(ballot=(judge, sentence, f"{screen} {again}")) if again else row)
    if not rows:
        raise StatisticsError("There are no judgments: no row that counts has a `rank` or a `score`.")
    return list(dict.fromkeys(rows)), scale == "score"


def _read_row(number: int, given: Mapping[str, str], column: str) -> BallotVersion:
    # The platform's judgments.csv calls sentences segments.
    sentence = given.get("sentence") or given.get("segment")
    systems = [given["system"]] if given.get("system") else given.get("systems", "").split()
    if not (sentence and systems and given.get("judge")):
        raise StatisticsError(f"Row {number} lacks a judge, a sentence or a system.")
    try:
        merit = float(given[column])
    except ValueError:
        merit = float("nan")
    if not isfinite(merit):
        raise StatisticsError(f"Row {number}: a rank or a score must be a number, not {given[column]!r}.")
    ballot = given["judge"], sentence, given.get("screen", "")
    merit = -merit if column == "rank" else merit
    return BallotVersion(ballot, given.get("document", ""), tuple(sorted(systems)), merit)
