"""Ratings that others collected, in four kinds of tables.

* ratings-csv: judge, segment, system and score, and optionally whether the meaning changed, and the seconds. Toy:
  `judge,segment,system,score` and `ada,1,Heron,87.5`. The exported table (judgments.csv) is accepted too: `systems`
  names all systems behind an output, `screen` tells the screens of a sentence apart, and rows of excluded judges and of
  programs are left out.
* gmeg-csv: mean scores as in the GMEG corpus, with a column per system, row i about line i of the texts, and no judge.
  A blank cell is a missing score, not 0. Toy: `Heron,Wren` and `91.75,` give line 1 of Heron the score 91.75. The
  corpus has a column `ref` with the scores of a reference that was drawn for each sentence, which is no file of texts.
* wmt-da-csv: user, system, item, type, source language, target language, score and more; a header is skipped. Items of
  type TGT are outputs, and CHK is an output shown again; BAD and REF are controls, whose texts the file does not
  contain. Toy: `eng1,sysA+sysB,47,TGT,eng,deu,86`.
* wmt-esa-csv: error span annotation adds the document, whether the score is that of a whole document, error spans as
  JSON, and when the judge began and ended.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from itertools import chain
from pathlib import PurePosixPath
from typing import NamedTuple

from judgments.exchange.importers.rules.recorded import (
    FULL_SCALE,
    LONGEST_LABEL,
    SKIPPED_IF,
    ImportOptions,
    RecordedGroup,
    RecordedJudgment,
    RecordedScore,
    is_yes,
    seconds_in,
    seconds_of,
)
from judgments.rules.files.csv_tables import Row, read_cells, read_rows, whole_number
from judgments.rules.files.problems import Problem, Problems
from judgments.rules.files.values import RowFault, read_each

NUMBER = re.compile(r"-?[0-9]{1,30}(\.[0-9]{1,30})?(e-?[0-9]{1,2})?", re.ASCII | re.IGNORECASE)


class Ratings(NamedTuple):
    """The ratings of a file, the number of its first sentence if that is known, and notes on how it was read."""

    recorded: list[RecordedJudgment]
    numbered_from: int | None = None
    notes: Sequence[str] = ()


class KnownLine(NamedTuple):
    """A line of the texts (from 0), and the output of each system there."""

    position: int
    outputs: Mapping[str, str]


class CampaignTexts(NamedTuple):
    """The systems of a campaign with texts, and a function that finds the lines of each normalised sentence."""

    systems: Collection[str] = ()
    lines: Callable[[], Mapping[str, Sequence[KnownLine]]] = dict


# A reader takes a file's name and content, the organiser's options, and what the campaign knows.


def score_of(text: str, scale: tuple[float, float]) -> float:
    """Read a score of this scale, and move it to one from 0 to 100.

    Toy: 3 of the scale from 1 to 5 is 50.
    """
    low, high = scale
    number = float(text) if NUMBER.fullmatch(text) else None
    if number is None or not low <= number <= high:
        example = low + 0.875 * (high - low)
        raise RowFault(f"has {text[:40]!r} as score; a score is a number from {low:g} to {high:g}, such as {example:g}")
    return number if scale == FULL_SCALE else 100 * (number - low) / (high - low)


def join_screens(rows: Iterable[RecordedJudgment]) -> list[RecordedJudgment]:
    """Join what one judge said about one sentence on one screen, which is the label of rows with one output each.

    An output rated again, or a skip, begins another judgment.
    """
    judgments: list[list[RecordedJudgment]] = []
    # The newest judgment of each screen, and what was rated there: its systems, or None for a skip.
    newest: dict[tuple[str, int, str], tuple[list[RecordedJudgment], set[str | None]]] = {}
    for row in rows:
        place, what = (row.judge, row.about, row.label), row.groups[0].systems if row.groups else None
        if place not in newest or what is None or not newest[place][1].isdisjoint({what, None}):
            newest[place] = [], set()
            judgments.append(newest[place][0])
        together, rated = newest[place]
        together.append(row)
        rated.add(what)
    return [
        rows[0]._replace(groups=tuple(group for row in rows for group in row.groups), label="") for rows in judgments
    ]


def notes_on(name: str, options: ImportOptions, left_out: int, why: str) -> tuple[str, ...]:
    """Return notes on scores that were moved to another scale, and on rows that were left out."""
    notes = []
    if options.scale != FULL_SCALE:
        low, high = options.scale
        notes.append(f"{name}: scores from {low:g} to {high:g} are converted to the scale from 0 to 100")
    if left_out:
        notes.append(f"{name}: {left_out} row{'s' * (left_out != 1)} {why} left out")
    return tuple(notes)


CHANGED = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False, "": False}
# Columns that only our export has; its segments are lines, from 1.
OURS = {"campaign", "screen", "candidate"}


def read_ratings_csv(name: str, content: bytes, options: ImportOptions, known: CampaignTexts) -> Ratings:
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


def _rated(line: int, row: Row, options: ImportOptions) -> RecordedJudgment | None:
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
    groups: tuple[RecordedGroup, ...] = ()
    if row["score"]:
        changed = CHANGED[row.get("meaning_changed", "").casefold()]
        groups, reason = (RecordedGroup(systems, RecordedScore(score_of(row["score"], options.scale), changed)),), ""
    return RecordedJudgment(
        line, row["judge"], segment, groups, seconds_in(row), label=row.get("screen", ""), skip_reason=reason
    )


DRAWN = "ref"


def read_gmeg_csv(name: str, content: bytes, options: ImportOptions, known: CampaignTexts) -> Ratings:
    """Read the scores as those of one judge, who is named by the organiser or else like the file."""
    (_, systems), *rows = read_cells(name, content)
    if not systems or len(set(systems)) < len(systems) or "" in systems:
        raise Problems([Problem(name, 1, "needs a name in every column, and a different one in each")])
    judge = options.judges[0] if options.judges else PurePosixPath(name).stem
    left_out = DRAWN if DRAWN in systems and known.systems and DRAWN not in known.systems else None

    def rated(line: int, cells: list[str]) -> list[RecordedJudgment]:
        if any(cells) and len(cells) != len(systems):
            raise RowFault(f"has {len(cells)} cells where the header has {len(systems)}")
        return [
            RecordedJudgment(
                line, judge, line - 2, (RecordedGroup(system, RecordedScore(score_of(cell, options.scale))),)
            )
            for system, cell in zip(systems, cells, strict=False)
            if cell and system != left_out
        ]

    found = [one for of_line in read_each(name, rows, rated) for one in of_line]
    if not found:
        raise Problems([Problem(name, None, "contains no score below its header")])
    notes = [f"{name}: has no judges, so its scores are stored as those of one judge, {judge}"]
    if len(rows) < (lines := sum(map(len, known.lines().values()))):
        which = "row 1 is about line 1, and so on; write an empty row where a line has no score"
        notes.append(f"{name}: has {len(rows)} rows of scores, and the campaign has {lines} lines; {which}")
    if left_out:
        notes.append(f"{name}: the column {DRAWN} is left out, because the campaign has no system of that name")
    return Ratings(join_screens(found), 0, (*notes, *notes_on(name, options, 0, "")))


CELLS = "needs user, system, item, type, source language, target language and score"
CELLS_OF_ESA = f"{CELLS}, document, whether it is about the document, spans, start and end"
FEWEST_CELLS, FEWEST_OF_ESA, SCORE, IS_DOCUMENT, SPANS = 7, 12, 6, 8, 9
SCORES = {"score", "overall"}  # as headers name them
OUTPUTS, CONTROLS = {"TGT", "CHK"}, {"BAD", "REF"}
# WMT numbers the items of its tutorials from here.
FIRST_OF_TUTORIAL = 1_000_000
# Scores that judges leave as they are when they submit a whole document have the same moment twice.
SHORTEST = 0.1


# A row of an output, or why the row is left out; its language pair, and how many error spans it has.
Read = tuple[RecordedJudgment | None, str, str, int]


def _ratings(is_esa: bool, name: str, content: bytes, options: ImportOptions, known: CampaignTexts) -> Ratings:
    """Read the ratings in the order of their first rows, or raise all problems in the file."""
    rows = [row for row in read_cells(name, content) if row[1]]
    if rows and len(rows[0][1]) > SCORE and rows[0][1][SCORE].casefold() in SCORES:
        del rows[0]
    read = read_each(name, rows, lambda line, cells: _read(line, cells, options, is_esa))
    found = [row for row, *_ in read if row]
    if not found:
        raise Problems([Problem(name, None, "contains no score of an output (TGT or CHK)")])
    if len(pairs := sorted({pair for _, _, pair, _ in read})) > 1:
        what = f"has several language pairs ({', '.join(pairs[:5])}); import each into a campaign of its own"
        raise Problems([Problem(name, None, what)])
    left_out = Counter(why for _, why, _, _ in read if why)
    reasons = ", ".join(f"{times} {why}" for why, times in sorted(left_out.items()))
    notes = notes_on(name, options, left_out.total(), f"({reasons}) were")
    if spans := sum(spans for *_, spans in read):
        notes = (*notes, f"{name}: {spans} error spans are not stored, only the scores")
    return Ratings(join_screens(found), None, notes)


read_wmt_da_csv, read_wmt_esa_csv = partial(_ratings, False), partial(_ratings, True)


def _read(line: int, cells: list[str], options: ImportOptions, is_esa: bool) -> Read:
    if len(cells) < (FEWEST_OF_ESA if is_esa else FEWEST_CELLS):
        raise RowFault(CELLS_OF_ESA if is_esa else CELLS)
    judge, systems, item, kind, source, target, score = cells[:FEWEST_CELLS]
    pair, segment = f"{source}-{target}", whole_number(item)
    if kind not in OUTPUTS | CONTROLS:
        raise RowFault(f"has the type {kind[:40]!r}; the types are TGT, CHK, BAD and REF")
    if kind in CONTROLS:
        return None, f"of type {kind}", pair, 0
    if len(cells) > IS_DOCUMENT and cells[IS_DOCUMENT].casefold() == "true":
        return None, "of whole documents", pair, 0
    if segment is None or segment < 0 or not judge or not systems:
        raise RowFault("needs a user, a system and a whole number as item")
    if segment >= FIRST_OF_TUTORIAL:
        return None, "of the tutorial", pair, 0
    spans, seconds = _spans_and_seconds(*cells[SPANS:FEWEST_OF_ESA]) if is_esa else (0, None)
    groups = (RecordedGroup(systems, RecordedScore(score_of(score, options.scale))),)
    return RecordedJudgment(line, judge, segment, groups, seconds), "", pair, spans


def _spans_and_seconds(spans: str, begun: str, ended: str) -> tuple[int, float | None]:
    try:
        found, seconds = json.loads(spans or "[]"), seconds_of(round(float(ended) - float(begun), 3))
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, list):
        raise RowFault("needs a list in JSON as spans, and seconds such as 1724876462.69 as start and end")
    return len(found), seconds if seconds and seconds >= SHORTEST else None
