"""Reports on corrections: their sections in order, and the lossless file format of their studies.

study.json       kind, names, parameters, and other single values
sentences.csv    the number of the document and the text of each sentence
corrections.csv  a line per judge and sentence: the edits, each with start, end, correction and category, as JSON;
                 null for a skip
outputs.csv      a column per system, a line per sentence
"""

import json
from collections.abc import Mapping
from dataclasses import asdict

from ranking.metrics.material import Edit, Edits
from ranking.numbers.spreadsheets import rows_of, written_lines
from ranking.stats.analysis import Day, Sections, StudyKind, by_day
from ranking.stats.corrections import sections
from ranking.stats.corrections.corrections import Corrections
from ranking.stats.corrections.parameters import PRESETS, CorrectionParameters
from ranking.stats.corrections.study import CorrectionStudy, Label


def written(study: CorrectionStudy) -> dict[str, str]:
    corrections = study.corrections
    values = {
        "kind": study.kind,
        "judges": corrections.judges,
        "systems": corrections.systems,
        "judgments": study.judgments,
        "parameters": asdict(study.parameters),
        "labels": study.labels,
        "days": study.days,
    }
    edits = (
        (judge, sentence, json.dumps([[edit.start, edit.end, *edit.corrections, edit.kind] for edit in made]))
        for judge, row in enumerate(corrections.edits)
        for sentence, made in enumerate(row)
        if made is not None
    )
    sentences = zip(corrections.document_of, corrections.source, strict=True)
    skips = ((judge, sentence, json.dumps(None)) for judge, sentence in corrections.skipped)
    return {
        "study.json": json.dumps(values, ensure_ascii=False, indent=1) + "\n",
        "sentences.csv": written_lines(("document", "source"), sentences),
        "corrections.csv": written_lines(("judge", "sentence", "edits"), [*edits, *skips]),
        # An empty output is written as two quotation marks, so that readers do not skip the line.
        "outputs.csv": written_lines(corrections.systems, zip(*corrections.outputs, strict=True)),
    }


def read(files: Mapping[str, str]) -> CorrectionStudy:
    values = json.loads(files["study.json"])
    sentences = rows_of(files["sentences.csv"])
    edits: list[list[Edits | None]] = [[None] * len(sentences) for _ in values["judges"]]
    skipped = []
    for judge, sentence, text in rows_of(files["corrections.csv"]):
        made = json.loads(text)
        if made is None:
            skipped.append((int(judge), int(sentence)))
        else:
            edits[int(judge)][int(sentence)] = tuple(
                Edit(start, end, (correction,), kind) for start, end, correction, kind in made
            )
    outputs = rows_of(files["outputs.csv"]) if values["systems"] else []
    corrections = Corrections(
        tuple(text for _, text in sentences),
        tuple(int(document) for document, _ in sentences),
        tuple(values["judges"]),
        tuple(map(tuple, edits)),
        tuple(values["systems"]),
        tuple(zip(*outputs, strict=True)),
        tuple(skipped),
    )
    labels, days = tuple(Label(*label) for label in values["labels"]), tuple(Day(*day) for day in values["days"])
    parameters = CorrectionParameters.of(values["parameters"])
    return CorrectionStudy(corrections, parameters, values["judgments"], labels, days)


SECTIONS: Sections = {
    "counts": CorrectionStudy.counts,
    "people and systems": sections.people_and_systems,
    "edits by judge": sections.edits_by_judge,
    "judgments over time": lambda study: by_day(study.days),
    "each against each": sections.each_against_each,
    "categories": sections.category_agreement,
    "fewer documents": sections.fewer_documents,
    "agreement": sections.agreement,
}

CORRECTIONS = StudyKind(
    CorrectionStudy.kind, f"{__name__}:CORRECTIONS", CorrectionParameters, PRESETS, SECTIONS, written, read,
    holds_texts=True,
)  # fmt: skip
