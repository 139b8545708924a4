"""Ratings as a table: judge, segment, system and score, and optionally whether the meaning changed, and the seconds.

Toy: `judge,segment,system,score` and `ada,1,Heron,87.5`. The exported table (judgments.csv) is accepted too: `systems`
names all systems behind an output, `screen` tells the screens of a sentence apart, and rows of excluded judges and of
programs are left out.
"""

from itertools import chain

from judgments.exchange.importers.rules.ratings import Known, Ratings, join_screens, notes_on, score_of
from judgments.exchange.importers.rules.recorded import (
    LONGEST_LABEL,
    SKIPPED_IF,
    Group,
    Options,
    RecordedJudgment,
    RowFault,
    Score,
    is_yes,
    read_each,
    seconds_in,
)
from judgments.rules.files.csv_tables import Row, read_rows, whole_number
from judgments.rules.files.problems import Problem, Problems

CHANGED = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False, "": False}
# Columns that only our export has; its segments are lines, from 1.
OURS = {"campaign", "screen", "candidate"}


def read_ratings_csv(name: str, content: bytes, options: Options, known: Known) -> Ratings:
    """Read the ratings in the order of their first rows, or raise all problems in the table."""
    rows = read_rows(name, content, ["judge", "segment", "score"], if_empty="contains no rating below its header")
    first = next(rows)
    header = first[1].keys()
    if not header & {"system", "systems"}:
        raise Problems([Problem(name, 1, "lacks the column system")])
    rated = read_each(name, chain([first], rows), lambda line, row: _rated(line, row, options))
    found = [row for row in rated if row and (row.groups or row.skip_reason)]
    if not found:
        raise Problems([Problem(name, None, "contains no score of a judge who counts")])
    left_out = len(rated) - len(found)
    notes = notes_on(name, options, left_out, "without a score, of excluded judges or of programs were")
    return Ratings(join_screens(found), 1 if header >= OURS else None, notes)


def _rated(line: int, row: Row, options: Options) -> RecordedJudgment | None:
    """Read a row; None if it does not count."""
    if any(is_yes(row, column) for column in SKIPPED_IF):
        return None
    segment, reason = whole_number(row["segment"]), row.get("skip_reason", "")
    systems = row.get("systems", "") or row.get("system", "")
    if segment is None or segment < 0 or not row["judge"]:
        raise RowFault("needs a judge and a whole number as segment")
    if row["score"] and not systems:
        raise RowFault("has a score, but names no system")
    if len(reason) > LONGEST_LABEL:
        raise RowFault(f"has a reason of more than {LONGEST_LABEL} characters; shorten it")
    if row.get("meaning_changed", "").casefold() not in CHANGED:
        raise RowFault(f"has {row['meaning_changed'][:40]!r} as meaning_changed; write yes or no")
    groups: tuple[Group, ...] = ()
    if row["score"]:
        changed = CHANGED[row.get("meaning_changed", "").casefold()]
        groups, reason = (Group(systems, Score(score_of(row["score"], options.scale), changed)),), ""
    return RecordedJudgment(
        line, row["judge"], segment, groups, seconds_in(row), label=row.get("screen", ""), skip_reason=reason
    )
