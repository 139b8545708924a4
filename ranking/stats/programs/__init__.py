"""Reports on programs beside people: their sections in order."""

from ranking.stats.analysis import Sections, StudyKind, by_day, of_independent
from ranking.stats.programs import sections
from ranking.stats.programs.parameters import PRESETS, ProgramParameters
from ranking.stats.programs.study import ProgramStudy

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

PROGRAMS = StudyKind(ProgramStudy, f"{__name__}:PROGRAMS", ProgramParameters, PRESETS, SECTIONS)
