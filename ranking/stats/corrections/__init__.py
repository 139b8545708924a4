"""Reports on corrections: their sections in order."""

from ranking.stats.analysis import Sections, counts, judgments_over_time
from ranking.stats.corrections import sections
from ranking.stats.corrections.study import CorrectionStudy as CorrectionStudy

SECTIONS: Sections = {
    "counts": counts,
    "people and systems": sections.people_and_systems,
    "edits by judge": sections.edits_by_judge,
    "judgments over time": judgments_over_time,
    "each against each": sections.each_against_each,
    "categories": sections.category_agreement,
    "fewer documents": sections.fewer_documents,
    "agreement": sections.agreement,
}
