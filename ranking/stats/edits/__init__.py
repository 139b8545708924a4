"""Reports on edits: their sections in order."""

from ranking.stats.analysis import Sections, StudyKind, by_day, of_independent
from ranking.stats.edits.parameters import PRESETS, EditParameters

# Renamed, so as not to hide the module of this package with the same name.
from ranking.stats.edits.sections import judges, metrics, systems
from ranking.stats.edits.sections import worth as of_worth
from ranking.stats.edits.study import EditStudy

SECTIONS: Sections = {
    "counts": EditStudy.counts,
    "systems": systems.systems,
    "what an edit is worth": of_worth.edit_worth,
    "agreement on edits": of_independent(judges.agreement),
    "judgments over time": lambda study: by_day(study.days),
    "categories": systems.categories,
    "judges": of_independent(judges.judges),
    "metrics against edits": metrics.metrics,
    "edits in references": metrics.references,
}

EDITS = StudyKind(EditStudy, f"{__name__}:EDITS", EditParameters, PRESETS, SECTIONS)
