"""Reports on edits: their sections in order, and the lossless file format of their studies.

study.json      kind, names, parameters, and other single values
ballots.csv     a line a judgment: the numbers, from 0, of judge and sentence, how many versions it has, and seconds
versions.csv    a line a version in it, in order: the number of the candidate, its rank, and how many errors it leaves
verdicts.csv    a line a verdict: the numbers of the version, from 0, of the edit, and of the verdict
edits.csv       a line an edit: the number of its category, and whether references make it
candidates.csv  a line a candidate: the numbers of its systems
documents.csv   a line a sentence: the number of its document
metrics.csv     a line a score: the number of the metric and of the system, and that of the sentence, if there is one
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from math import nan

import numpy as np

from ranking.numbers.spreadsheets import columns_of, written_lines
from ranking.stats.analysis import Day, Sections, StudyKind, by_day, of_independent
from ranking.stats.ballots import Ballots, starts_of
from ranking.stats.edits.parameters import PRESETS, EditParameters

# Renamed, so as not to hide the module of this package with the same name.
from ranking.stats.edits.sections import judges, metrics, systems
from ranking.stats.edits.sections import worth as of_worth
from ranking.stats.edits.study import EditNames, EditStudy, Marks, VerdictName
from ranking.stats.metaevaluation.scores import Level, MetricScores
from ranking.stats.study_files import cell, integers, numbers, read_candidates, written_candidates, written_columns


def written(study: EditStudy) -> dict[str, str]:
    ballots, marks, names = study.ballots, study.marks, study.names
    values = {
        "kind": study.kind,
        **{name: getattr(names, name) for name in ("systems", "judges", "verdicts", "categories", "references")},
        "documents": ballots.documents,
        "metrics": [(one.metric, one.level.value) for one in study.metrics],
        "lacking": study.lacking,
        "parameters": asdict(study.parameters),
        "days": study.days,
    }
    edits = ((kind, *map(cell, row)) for kind, row in
             zip(study.category.tolist(), study.in_reference.tolist(), strict=True))  # fmt: skip
    return {
        "study.json": json.dumps(values, ensure_ascii=False, indent=1) + "\n",
        "ballots.csv": written_columns(
            ("judge", "sentence", "versions", "seconds", "repeat"),
            ballots.judge, ballots.segment, ballots.sizes, ballots.seconds, study.is_repeat.astype(int),
        ),
        "versions.csv": written_columns(
            ("candidate", "merit", "missed"), ballots.candidate, ballots.merit, study.missed
        ),
        "verdicts.csv": written_columns(("version", "edit", "verdict"), marks.row, marks.edit, marks.verdict),
        "edits.csv": written_lines(("category", *names.references), edits),
        "candidates.csv": written_candidates(ballots.candidates),
        "documents.csv": written_columns(("document",), ballots.document_of),
        "metrics.csv": written_lines(("metric", "sentence", "system", "score"), _scores(study.metrics)),
    }  # fmt: skip


def read(files: Mapping[str, str]) -> EditStudy:
    values = json.loads(files["study.json"])
    judge, segment, sizes, seconds, repeat = columns_of(files["ballots.csv"], 5)
    candidate, merit, missed = columns_of(files["versions.csv"], 3)
    row, edit, verdict = (integers(column) for column in columns_of(files["verdicts.csv"], 3))
    (document,) = columns_of(files["documents.csv"], 1)
    references = tuple(values["references"])
    category, *looked_up = columns_of(files["edits.csv"], 1 + len(references))
    names = EditNames(
        tuple(values["systems"]), tuple(values["judges"]), tuple(VerdictName(*one) for one in values["verdicts"]),
        tuple(values["categories"]), references,
    )  # fmt: skip
    ballots = Ballots(
        systems=len(names.systems), judges=len(names.judges), documents=values["documents"], judge=integers(judge),
        segment=integers(segment), seconds=numbers(seconds), starts=starts_of(integers(sizes)),
        candidate=integers(candidate), merit=numbers(merit), document_of=integers(document),
        candidates=read_candidates(files["candidates.csv"]),
    )  # fmt: skip
    return EditStudy(
        ballots, Marks(row, edit, verdict), integers(missed), integers(repeat) > 0, integers(category),
        np.array([numbers(column) for column in looked_up]).reshape(len(references), len(category)).T, names,
        EditParameters.of(values["parameters"]),
        _read_scores(files["metrics.csv"], values["metrics"], (len(document), len(names.systems))),
        tuple((name, reason) for name, reason in values["lacking"]), tuple(Day(*day) for day in values["days"]),
    )  # fmt: skip


def _scores(metrics: Iterable[MetricScores]) -> Iterator[tuple]:
    for number, one in enumerate(metrics):
        for place in np.argwhere(np.isfinite(one.scores)).tolist():
            sentence = place[0] if one.level is Level.SENTENCE else ""
            yield number, sentence, place[-1], float(one.scores[tuple(place)])


def _read_scores(text: str, metrics: list, shape: tuple[int, int]) -> tuple[MetricScores, ...]:
    found = [
        MetricScores(name, Level(level), np.full(shape if level == Level.SENTENCE else shape[1:], nan))
        for name, level in metrics
    ]
    for number, sentence, system, score in zip(*columns_of(text, 4), strict=True):
        place = (int(sentence), int(system)) if sentence else (int(system),)
        found[int(number)].scores[place] = float(score)
    return tuple(found)


SECTIONS: Sections = {
    "counts": EditStudy.counts,
    "systems": systems.systems,
    "what an edit is worth": of_worth.edit_worth,
    "agreement on edits": of_independent(judges.agreement),
    "judgments over time": lambda study: by_day(study.days),
    "categories": systems.categories,
    "judges": of_independent(judges.judges),
    "metrics against edits": metrics.metrics,
    "edits in references": metrics.references,
}

EDITS = StudyKind(EditStudy.kind, f"{__name__}:EDITS", EditParameters, PRESETS, SECTIONS, written, read)
