"""Reports on whole texts: their sections in order."""

from ranking.stats.analysis import Sections, counts, judgments_over_time, needs_independent_answers
from ranking.stats.essays import judges, systems
from ranking.stats.essays.study import EssayStudy as EssayStudy

SECTIONS: Sections = {
    "counts": counts,
    "answers": judges.use_of_scales,
    "scales": systems.scales,
    "marked errors": systems.errors,
    "agreement on scales": needs_independent_answers(judges.agreement),
    "judgments over time": judgments_over_time,
    "correlations of scales": systems.correlations,
    "judges": needs_independent_answers(judges.judges),
}
