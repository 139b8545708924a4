"""Reports on verdicts: their sections in order, and the lossless file format of their studies.

study.json     kind, names, parameters, and other single values
verdicts.csv   a line a verdict: the numbers, from 0, of judge and usage, and the finding
instances.csv  a line per usage: the number of its document, from 0, and gold
documents.csv  a line per document
classes.csv    the class that each system gave each usage it covers
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from math import isnan, nan

import numpy as np

from ranking.numbers.spreadsheets import columns_of, written_lines
from ranking.stats.analysis import Day, Sections, StudyKind, by_day, of_independent
from ranking.stats.verdicts.crowd import ERROR, OK, UNKNOWN, Verdicts
from ranking.stats.verdicts.parameters import PRESETS, VerdictParameters

# Renamed, so as not to hide the modules of this package with the same names.
from ranking.stats.verdicts.sections import crowd as of_crowd
from ranking.stats.verdicts.sections import judges as of_judges
from ranking.stats.verdicts.sections import systems as of_systems
from ranking.stats.verdicts.study import Document, VerdictNames, VerdictStudy

COLUMNS = ("judge", "instance", "finding", "seconds", "control", "repeat")
FINDINGS = {ERROR: "error", OK: "ok", UNKNOWN: "unknown"}
FOUND = {text: finding for finding, text in FINDINGS.items()}
GOLD = {1.0: "error", 0.0: "ok"}
KNOWN = {text: gold for gold, text in GOLD.items()}


def written(study: VerdictStudy) -> dict[str, str]:
    names = study.names
    values = {
        "kind": study.kind,
        "systems": names.systems,
        "judges": names.judges,
        "experts": np.flatnonzero(study.is_expert).tolist(),
        "skipped": study.skipped.tolist(),
        "parameters": asdict(study.parameters),
        "days": study.days,
    }
    gold = (GOLD.get(value, "") for value in study.gold.tolist())
    usages = zip(names.usages, study.document.tolist(), gold, strict=True)
    return {
        "study.json": json.dumps(values, ensure_ascii=False, indent=1) + "\n",
        "verdicts.csv": written_lines(COLUMNS, _verdicts(study)),
        "instances.csv": written_lines(("instance", "document", "gold"), usages),
        "documents.csv": written_lines(("document", "domain"), names.documents),
        "classes.csv": written_lines(("system", "instance", "class"), _classes(study.classes)),
    }


def read(files: Mapping[str, str]) -> VerdictStudy:
    values = json.loads(files["study.json"])
    judge, usage, finding, seconds, control, repeat = columns_of(files["verdicts.csv"], len(COLUMNS))
    usages, document, gold = columns_of(files["instances.csv"], 3)
    documents, domains = columns_of(files["documents.csv"], 2)
    systems, judges = tuple(values["systems"]), tuple(values["judges"])
    is_expert = np.zeros(len(judges), dtype=bool)
    is_expert[values["experts"]] = True
    return VerdictStudy(
        verdicts=Verdicts(
            np.array(usage, dtype=np.int64),
            np.array(judge, dtype=np.int64),
            np.array([FOUND[one] for one in finding], dtype=np.int64),
            len(usages),
            len(judges),
        ),
        seconds=np.array([float(one) if one else nan for one in seconds]),
        is_repeat=np.array([one == "yes" for one in repeat], dtype=bool),
        is_control=np.array([one == "yes" for one in control], dtype=bool),
        gold=np.array([KNOWN.get(one, nan) for one in gold]),
        document=np.array(document, dtype=np.int64),
        is_expert=is_expert,
        skipped=np.array(values["skipped"], dtype=np.int64),
        classes=_read_classes(files["classes.csv"], (len(systems), len(usages))),
        names=VerdictNames(systems, judges, usages, tuple(map(Document, documents, domains))),
        parameters=VerdictParameters.of(values["parameters"]),
        days=tuple(Day(*day) for day in values["days"]),
    )


def _verdicts(study: VerdictStudy) -> Iterator[tuple]:
    verdicts = study.verdicts
    columns = (verdicts.judge, verdicts.usage, verdicts.finding, study.seconds, study.is_control, study.is_repeat)
    for judge, usage, finding, seconds, control, repeat in zip(*(each.tolist() for each in columns), strict=True):
        time = "" if isnan(seconds) else repr(seconds)
        yield judge, usage, FINDINGS[finding], time, "yes" if control else "", "yes" if repeat else ""


def _classes(classes: np.ndarray) -> Iterator[tuple]:
    for system, usage in np.argwhere(np.isfinite(classes)).tolist():
        yield system, usage, repr(float(classes[system, usage]))


def _read_classes(text: str, shape: tuple[int, int]) -> np.ndarray:
    system, usage, value = columns_of(text, 3)
    classes = np.full(shape, nan)
    classes[np.array(system, dtype=np.int64), np.array(usage, dtype=np.int64)] = np.array(value, dtype=float)
    return classes


SECTIONS: Sections = {
    "counts": VerdictStudy.counts,
    "measures": of_systems.measures,
    "agreement": of_independent(of_crowd.verdict_agreement),
    "judgments over time": lambda study: by_day(study.days),
    "crowd": of_crowd.crowd,
    "instances": of_crowd.usages,
    "agreement of the crowd": of_independent(of_crowd.agreement_histogram),
    "bins of agreement": of_systems.bins,
    "domains": of_systems.domains,
    "how many judgments are enough": of_independent(of_judges.enough),
    "experts": of_independent(of_judges.experts),
    "judges": of_independent(of_judges.judges),
}

VERDICTS = StudyKind(VerdictStudy.kind, f"{__name__}:VERDICTS", VerdictParameters, PRESETS, SECTIONS, written, read)
