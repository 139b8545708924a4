"""Reports on whole texts: their sections in order."""

from ranking.stats.analysis import Sections, counts, judgments_over_time, needs_independent_answers
from ranking.stats.essays import sections
from ranking.stats.essays.study import EssayStudy as EssayStudy

SECTIONS: Sections = {
    "counts": counts,
    "answers": sections.answers,
    "scales": sections.scales,
    "marked errors": sections.errors,
    "agreement on scales": needs_independent_answers(sections.agreement),
    "judgments over time": judgments_over_time,
    "correlations of scales": sections.correlations,
    "judges": needs_independent_answers(sections.judges),
}
