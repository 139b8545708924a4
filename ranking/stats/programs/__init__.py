"""Reports on programs beside people: their sections in order."""

from ranking.stats.analysis import Sections, counts, judgments_over_time, needs_independent_answers
from ranking.stats.programs import sections
from ranking.stats.programs.study import ProgramStudy as ProgramStudy

SECTIONS: Sections = {
    "counts": counts,
    "who judged what": sections.judged,
    "agreement with people": needs_independent_answers(sections.agreements),
    "alternative annotator test": needs_independent_answers(sections.annotator_test),
    "corrected numbers": sections.estimates,
    "corrected ranking": sections.ranking,
    "verdicts by sensitivity": sections.by_sensitivity,
    "judgments over time": judgments_over_time,
    "habits": sections.habits,
    "assistance": sections.assistance,
}
