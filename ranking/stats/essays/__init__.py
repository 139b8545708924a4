"""Reports on whole texts: their sections in order."""

from ranking.stats.analysis import Sections, StudyKind, by_day, of_independent
from ranking.stats.essays import sections
from ranking.stats.essays.parameters import PRESETS, EssayParameters
from ranking.stats.essays.study import EssayStudy

SECTIONS: Sections = {
    "counts": EssayStudy.counts,
    "answers": sections.answers,
    "scales": sections.scales,
    "marked errors": sections.errors,
    "agreement on scales": of_independent(sections.agreement),
    "judgments over time": lambda study: by_day(study.days),
    "correlations of scales": sections.correlations,
    "judges": of_independent(sections.judges),
}

ESSAYS = StudyKind(EssayStudy, f"{__name__}:ESSAYS", EssayParameters, PRESETS, SECTIONS)
