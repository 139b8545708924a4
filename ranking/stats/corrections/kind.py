"""Reports on corrections: all sections in the order in which they are made."""

from ranking.stats.analysis import StudyKind
from ranking.stats.corrections import inputs, sections
from ranking.stats.corrections.parameters import PRESETS, CorrectionParameters
from ranking.stats.corrections.study import CorrectionStudy

SECTIONS = {
    "edits by judge": sections.edits_by_judge,
    "judgments over time": sections.judgments_over_time,
    "people and systems": sections.people_and_systems,
    "each against each": sections.each_against_each,
    "categories": sections.category_agreement,
    "fewer documents": sections.fewer_documents,
    "agreement": sections.agreement,
}

CORRECTIONS = StudyKind(
    name=CorrectionStudy.kind,
    place="ranking.stats.corrections.kind:CORRECTIONS",
    parameters=CorrectionParameters,
    presets=PRESETS,
    sections=SECTIONS,
    written=inputs.written,
    read=inputs.read,
)
