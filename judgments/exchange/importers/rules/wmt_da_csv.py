"""WMT's direct assessments: user, system, item, type, source language, target language, score and more; no header.

Items of type TGT are outputs, and CHK is an output shown again; BAD and REF are controls, which are left out, as are
scores of whole documents. Toy: `eng1,sysA+sysB,47,TGT,eng,deu,86`.
"""

from collections.abc import Collection

from judgments.exchange.importers.rules.ratings import RatedRow, Ratings, gathered, notes_on, score_of
from judgments.exchange.importers.rules.recorded import Options, RowFault, Score, read_each
from judgments.rules.files.csv_tables import read_cells, whole_number
from judgments.rules.files.problems import Problem, Problems

FEWEST_CELLS = 7
OUTPUTS, CONTROLS = {"TGT", "CHK"}, {"BAD", "REF"}
# The place of the cell that says whether a score is that of a whole document, in campaigns about documents.
IS_DOCUMENT = 8


def read_wmt_da_csv(name: str, content: bytes, options: Options, known: Collection[str]) -> Ratings:
    """Read the ratings in the order of their first rows, or raise all problems in the file."""
    rows = read_cells(name, content)
    read = read_each(name, [row for row in rows if row[1]], lambda line, cells: _rated(line, cells, options))
    found = [row for row, _ in read if row]
    if not found:
        raise Problems([Problem(name, None, "contains no score of an output (TGT or CHK)")])
    if len(pairs := sorted({pair for _, pair in read})) > 1:
        what = f"has several language pairs ({', '.join(pairs[:5])}); import each into a campaign of its own"
        raise Problems([Problem(name, None, what)])
    left_out = len(read) - len(found)
    return Ratings(gathered(found), None, notes_on(name, options, left_out, "of controls and whole documents were"))


def _rated(line: int, cells: list[str], options: Options) -> tuple[RatedRow | None, str]:
    if len(cells) < FEWEST_CELLS:
        raise RowFault("needs user, system, item, type, source language, target language and score")
    judge, systems, item, kind, source, target, score = cells[:FEWEST_CELLS]
    pair = f"{source}-{target}"
    if kind not in OUTPUTS | CONTROLS:
        raise RowFault(f"has the type {kind[:40]!r}; the types are TGT, CHK, BAD and REF")
    if kind in CONTROLS or (len(cells) > IS_DOCUMENT and cells[IS_DOCUMENT].casefold() == "true"):
        return None, pair
    segment = whole_number(item)
    if segment is None or segment < 0 or not judge or not systems:
        raise RowFault("needs a user, a system and a whole number as item")
    return RatedRow(line, judge, segment, systems, Score(score_of(score, options.scale))), pair
