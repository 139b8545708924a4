"""Mean scores as in the GMEG corpus: a column per system, row i about line i of the texts, and no judge.

A blank cell is a missing score, not 0. Toy: `Heron,Wren` and `91.75,` give line 1 of Heron the score 91.75. The corpus
has a column `ref` with the scores of a reference that was drawn for each sentence, which is no file of texts.
"""

from pathlib import PurePosixPath

from judgments.exchange.importers.rules.ratings import Known, Ratings, join_screens, notes_on, score_of
from judgments.exchange.importers.rules.recorded import Group, Options, RecordedJudgment, RowFault, Score, read_each
from judgments.rules.files.csv_tables import read_cells
from judgments.rules.files.problems import Problem, Problems

DRAWN = "ref"


def read_gmeg_csv(name: str, content: bytes, options: Options, known: Known) -> Ratings:
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
            RecordedJudgment(line, judge, line - 2, (Group(system, Score(score_of(cell, options.scale))),))
            for system, cell in zip(systems, cells, strict=False)
            if cell and system != left_out
        ]

    found = [one for of_line in read_each(name, rows, rated) for one in of_line]
    if not found:
        raise Problems([Problem(name, None, "contains no score below its header")])
    notes = [f"{name}: has no judges, so its scores are stored as those of one judge, {judge}"]
    if left_out:
        notes.append(f"{name}: the column {DRAWN} is left out, because the campaign has no system of that name")
    return Ratings(join_screens(found), 0, (*notes, *notes_on(name, options, 0, "")))
