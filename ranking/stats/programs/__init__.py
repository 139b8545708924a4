"""Reports on programs beside people: their sections in order."""

from ranking.stats.analysis import Sections, counts, judgments_over_time, needs_independent_answers
from ranking.stats.programs import agreement, habits, systems
from ranking.stats.programs.study import ProgramStudy as ProgramStudy

SECTIONS: Sections = {
    "counts": counts,
    "who judged what": habits.who_judged,
    "agreement with people": needs_independent_answers(agreement.agreement_with_people),
    "alternative annotator test": needs_independent_answers(agreement.annotator_test),
    "corrected numbers": systems.estimates,
    "corrected ranking": systems.ranking,
    "verdicts by sensitivity": systems.by_sensitivity,
    "judgments over time": judgments_over_time,
    "habits": habits.habits,
    "assistance": habits.assistance,
}
