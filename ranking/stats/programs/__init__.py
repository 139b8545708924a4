"""Reports on programs beside people: their sections in order, and the lossless file format of their studies.

study.json      kind, scale, names, which judges are programs, parameters, and other single values
ballots.csv     a line a judgment: the numbers, from 0, of judge and sentence (or usage), how many versions it has,
                seconds, and whether it is a repeat
answers.csv     a line a version in it, in the order shown: the number of the candidate, and its merit
candidates.csv  a line a candidate: the numbers of its systems
lengths.csv     a line a candidate: how many characters it has
documents.csv   a line a sentence: the number of its document
probes.csv      a line a probe: judge, sentence, what it asks (0 the opposite order, 1 one version twice, 2 a sample),
                of which line of ballots.csv (from 0), and how many versions it has
probe_answers.csv   as answers.csv
experiment.csv  a line a judgment with or without the program in view, by chance: the sentence, whether it was in view,
                seconds, answers that the program gave too, and how many of them are the same
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, replace

import numpy as np

from ranking.numbers.spreadsheets import columns_of
from ranking.stats.analysis import Day, Sections, StudyKind, by_day, of_independent
from ranking.stats.ballots import Ballots, starts_of
from ranking.stats.programs import sections
from ranking.stats.programs.assistance import Experiment
from ranking.stats.programs.parameters import PRESETS, ProgramParameters
from ranking.stats.programs.probes import Asked, Probes
from ranking.stats.programs.study import ProgramStudy
from ranking.stats.study_files import integers, numbers, read_candidates, written_candidates, written_columns


def written(study: ProgramStudy) -> dict[str, str]:
    ballots = study.ballots
    values = {
        "kind": study.kind,
        "scale": study.scale,
        "systems": study.systems,
        "judges": study.judges,
        "asked": study.asked,
        "controls": study.controls,
        "programs": study.is_program.tolist(),
        "documents": ballots.documents,
        "parameters": asdict(study.parameters),
        "days": study.days,
    }
    return {
        "study.json": json.dumps(values, ensure_ascii=False, indent=1) + "\n",
        "ballots.csv": written_columns(
            ("judge", "sentence", "versions", "seconds", "repeat"),
            ballots.judge, ballots.segment, ballots.sizes, ballots.seconds, study.is_repeat.astype(int),
        ),
        "answers.csv": written_columns(("candidate", "merit"), ballots.candidate, ballots.merit),
        "candidates.csv": written_candidates(ballots.candidates),
        "lengths.csv": written_columns(("characters",), study.lengths),
        "documents.csv": written_columns(("document",), ballots.document_of),
        "probes.csv": written_columns(
            ("judge", "sentence", "purpose", "ballot", "versions"),
            study.probes.ballots.judge, study.probes.ballots.segment, study.probes.purpose, study.probes.first,
            study.probes.ballots.sizes,
        ),
        "probe_answers.csv": written_columns(
            ("candidate", "merit"), study.probes.ballots.candidate, study.probes.ballots.merit
        ),
        "experiment.csv": written_columns(
            Experiment._fields, study.experiment.sentence, study.experiment.is_shown.astype(int),
            study.experiment.seconds, study.experiment.answers, study.experiment.same,
        ),
    }  # fmt: skip


def read(files: Mapping[str, str]) -> ProgramStudy:
    values = json.loads(files["study.json"])
    judge, segment, sizes, seconds, repeat = columns_of(files["ballots.csv"], 5)
    candidate, merit = columns_of(files["answers.csv"], 2)
    (lengths,), (document,) = (columns_of(files[name], 1) for name in ("lengths.csv", "documents.csv"))
    sentence, shown, taken, answers, same = columns_of(files["experiment.csv"], 5)
    experiment = Experiment(integers(sentence), integers(shown) > 0, numbers(taken), integers(answers), numbers(same))
    ballots = Ballots(
        systems=len(values["systems"]), judges=len(values["judges"]), documents=values["documents"],
        judge=integers(judge), segment=integers(segment), seconds=numbers(seconds), starts=starts_of(integers(sizes)),
        candidate=integers(candidate), merit=numbers(merit), candidates=read_candidates(files["candidates.csv"]),
        document_of=integers(document),
    )  # fmt: skip
    judge, segment, purpose, first, sizes = columns_of(files["probes.csv"], 5)
    candidate, merit = columns_of(files["probe_answers.csv"], 2)
    probes = replace(
        ballots, judge=integers(judge), segment=integers(segment), seconds=np.full(len(judge), np.nan),
        starts=starts_of(integers(sizes)), candidate=integers(candidate), merit=numbers(merit),
    )  # fmt: skip
    return ProgramStudy(
        values["scale"], ballots, integers(repeat) > 0, np.array(values["programs"], dtype=bool), integers(lengths),
        tuple(values["systems"]), tuple(values["judges"]),
        tuple((seen, passed) for seen, passed in values["controls"]), ProgramParameters.of(values["parameters"]),
        Probes(probes, integers(purpose), integers(first)), tuple(Asked(*one) for one in values["asked"]),
        tuple(Day(*day) for day in values["days"]), experiment,
    )  # fmt: skip


SECTIONS: Sections = {
    "counts": ProgramStudy.counts,
    "who judged what": sections.judged,
    "agreement with people": of_independent(sections.agreements),
    "alternative annotator test": of_independent(sections.annotator_test),
    "corrected numbers": sections.estimates,
    "corrected ranking": sections.ranking,
    "verdicts by sensitivity": sections.by_sensitivity,
    "judgments over time": lambda study: by_day(study.days),
    "habits": sections.habits,
    "assistance": sections.assistance,
}

PROGRAMS = StudyKind(ProgramStudy.kind, f"{__name__}:PROGRAMS", ProgramParameters, PRESETS, SECTIONS, written, read)
