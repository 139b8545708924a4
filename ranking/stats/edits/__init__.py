"""Reports on edits: their sections in order."""

from ranking.stats.analysis import Sections, counts, judgments_over_time, needs_independent_answers
from ranking.stats.edits import judges, metrics, systems, worth
from ranking.stats.edits.study import EditStudy as EditStudy

SECTIONS: Sections = {
    "counts": counts,
    "systems": systems.systems,
    "what an edit is worth": worth.edit_worth,
    "agreement on edits": needs_independent_answers(judges.agreement),
    "judgments over time": judgments_over_time,
    "categories": systems.categories,
    "judges": needs_independent_answers(judges.judges),
    "metrics against edits": metrics.metrics,
    "edits in references": metrics.references,
}
