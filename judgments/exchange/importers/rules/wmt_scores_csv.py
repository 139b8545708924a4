"""WMT's assessments: user, system, item, type, source language, target language, score and more; a header is skipped.

Error span annotation adds the document, whether the score is that of a whole document, error spans as JSON, and when
the judge began and ended. Items of type TGT are outputs, and CHK is an output shown again; BAD and REF are controls,
whose texts the file does not contain. Toy: `eng1,sysA+sysB,47,TGT,eng,deu,86`.
"""

import json
from collections import Counter
from functools import partial

from judgments.exchange.importers.rules.ratings import Known, Ratings, join_screens, notes_on, score_of
from judgments.exchange.importers.rules.recorded import (
    Group,
    Options,
    RecordedJudgment,
    RowFault,
    Score,
    read_each,
    seconds_of,
)
from judgments.rules.files.csv_tables import read_cells, whole_number
from judgments.rules.files.problems import Problem, Problems

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


def _ratings(is_esa: bool, name: str, content: bytes, options: Options, known: Known) -> Ratings:
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


def _read(line: int, cells: list[str], options: Options, is_esa: bool) -> Read:
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
    groups = (Group(systems, Score(score_of(score, options.scale))),)
    return RecordedJudgment(line, judge, segment, groups, seconds), "", pair, spans


def _spans_and_seconds(spans: str, begun: str, ended: str) -> tuple[int, float | None]:
    try:
        found, seconds = json.loads(spans or "[]"), seconds_of(round(float(ended) - float(begun), 3))
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, list):
        raise RowFault("needs a list in JSON as spans, and seconds such as 1724876462.69 as start and end")
    return len(found), seconds if seconds and seconds >= SHORTEST else None
