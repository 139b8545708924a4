"""Reports on whole texts: their sections in order, and the lossless file format of their studies.

study.json      kind, names, scales, severities, parameters, and other single values
ballots.csv     a line a judgment: the numbers, from 0, of judge and text, how many versions it has, and seconds
ratings.csv     a line a version in it, in order: the number of the candidate, the mean of the scales, the number on
                each scale and whether the judge could not say, and how many errors of each severity are marked
candidates.csv  a line a candidate: the numbers of its systems
documents.csv   a line a text: the number of its document
"""

import json
from collections.abc import Mapping
from dataclasses import asdict

import numpy as np

from ranking.numbers.spreadsheets import columns_of
from ranking.stats.analysis import Day, Sections, StudyKind, by_day, of_independent
from ranking.stats.ballots import Ballots, starts_of
from ranking.stats.essays import sections
from ranking.stats.essays.parameters import PRESETS, EssayParameters
from ranking.stats.essays.ratings import EssayRatings, ScaleName, SeverityName
from ranking.stats.essays.study import EssayStudy
from ranking.stats.study_files import integers, numbers, read_candidates, written_candidates, written_columns


def written(study: EssayStudy) -> dict[str, str]:
    given, ballots = study.ratings, study.ratings.ballots
    values = {
        "kind": study.kind,
        "systems": study.systems,
        "judges": study.judges,
        "scales": given.scales,
        "severities": given.severities,
        "documents": ballots.documents,
        "parameters": asdict(study.parameters),
        "days": study.days,
    }
    kinds = {"scale": given.numbers, "unsaid": given.unsaid.astype(int), "errors": given.errors.astype(int)}
    names = [f"{name} {place}" for name, rows in kinds.items() for place, _ in enumerate(rows.T, 1)]
    return {
        "study.json": json.dumps(values, ensure_ascii=False, indent=1) + "\n",
        "ballots.csv": written_columns(
            ("judge", "text", "versions", "seconds", "repeat"),
            ballots.judge, ballots.segment, ballots.sizes, ballots.seconds, study.is_repeat.astype(int),
        ),
        "ratings.csv": written_columns(
            ("candidate", "mean", *names), ballots.candidate, ballots.merit, *(row for rows in kinds.values()
                                                                              for row in rows.T),
        ),
        "candidates.csv": written_candidates(ballots.candidates),
        "documents.csv": written_columns(("document",), ballots.document_of),
    }  # fmt: skip


def read(files: Mapping[str, str]) -> EssayStudy:
    values = json.loads(files["study.json"])
    scales = tuple(ScaleName(*one) for one in values["scales"])
    severities = tuple(SeverityName(*one) for one in values["severities"])
    judge, segment, sizes, seconds, repeat = columns_of(files["ballots.csv"], 5)
    candidate, merit, *rest = columns_of(files["ratings.csv"], 2 + 2 * len(scales) + len(severities))
    (document,) = columns_of(files["documents.csv"], 1)
    of_rows = np.array([numbers(column) for column in rest]).reshape(len(rest), len(candidate)).T
    given, unsaid, errors = np.split(of_rows, [len(scales), 2 * len(scales)], axis=1)
    ballots = Ballots(
        systems=len(values["systems"]), judges=len(values["judges"]), documents=values["documents"],
        judge=integers(judge), segment=integers(segment), seconds=numbers(seconds), starts=starts_of(integers(sizes)),
        candidate=integers(candidate), merit=numbers(merit), candidates=read_candidates(files["candidates.csv"]),
        document_of=integers(document),
    )  # fmt: skip
    return EssayStudy(
        EssayRatings(ballots, scales, given, unsaid > 0, severities, errors), integers(repeat) > 0,
        tuple(values["systems"]), tuple(values["judges"]), EssayParameters.of(values["parameters"]),
        tuple(Day(*day) for day in values["days"]),
    )  # fmt: skip


SECTIONS: Sections = {
    "counts": EssayStudy.counts,
    "answers": sections.answers,
    "scales": sections.scales,
    "marked errors": sections.errors,
    "agreement on scales": of_independent(sections.agreement),
    "judgments over time": lambda study: by_day(study.days),
    "correlations of scales": sections.correlations,
    "judges": of_independent(sections.judges),
}

ESSAYS = StudyKind(EssayStudy.kind, f"{__name__}:ESSAYS", EssayParameters, PRESETS, SECTIONS, written, read)
