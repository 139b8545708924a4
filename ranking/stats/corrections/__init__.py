"""Reports on corrections: their sections in order."""

from ranking.stats.analysis import Sections, StudyKind, by_day
from ranking.stats.corrections import sections
from ranking.stats.corrections.parameters import PRESETS, CorrectionParameters
from ranking.stats.corrections.study import CorrectionStudy

SECTIONS: Sections = {
    "counts": CorrectionStudy.counts,
    "people and systems": sections.people_and_systems,
    "edits by judge": sections.edits_by_judge,
    "judgments over time": lambda study: by_day(study.days),
    "each against each": sections.each_against_each,
    "categories": sections.category_agreement,
    "fewer documents": sections.fewer_documents,
    "agreement": sections.agreement,
}

CORRECTIONS = StudyKind(CorrectionStudy, f"{__name__}:CORRECTIONS", CorrectionParameters, PRESETS, SECTIONS,
    holds_texts=True,
)  # fmt: skip
