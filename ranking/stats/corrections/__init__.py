"""Reports on corrections: their sections in order."""

from ranking.stats.analysis import Sections, counts, judgments_over_time
from ranking.stats.corrections import judges, people
from ranking.stats.corrections.study import CorrectionStudy as CorrectionStudy

SECTIONS: Sections = {
    "counts": counts,
    "people and systems": people.people_and_systems,
    "edits by judge": judges.edits_by_judge,
    "judgments over time": judgments_over_time,
    "each against each": people.each_against_each,
    "categories": people.category_agreement,
    "fewer documents": people.fewer_documents,
    "agreement": judges.agreement,
}
