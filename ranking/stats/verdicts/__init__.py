"""Reports on verdicts: their sections in order."""

from ranking.stats.analysis import Sections, StudyKind, by_day, of_independent
from ranking.stats.verdicts.parameters import PRESETS, VerdictParameters

# Renamed, so as not to hide the modules of this package with the same names.
from ranking.stats.verdicts.sections import crowd as of_crowd
from ranking.stats.verdicts.sections import judges as of_judges
from ranking.stats.verdicts.sections import systems as of_systems
from ranking.stats.verdicts.study import VerdictStudy

SECTIONS: Sections = {
    "counts": VerdictStudy.counts,
    "measures": of_systems.measures,
    "agreement": of_independent(of_crowd.verdict_agreement),
    "judgments over time": lambda study: by_day(study.days),
    "crowd": of_crowd.crowd,
    "instances": of_crowd.usages,
    "agreement of the crowd": of_independent(of_crowd.agreement_histogram),
    "bins of agreement": of_systems.bins,
    "domains": of_systems.domains,
    "how many judgments are enough": of_independent(of_judges.enough),
    "experts": of_independent(of_judges.experts),
    "judges": of_independent(of_judges.judges),
}

VERDICTS = StudyKind(VerdictStudy, f"{__name__}:VERDICTS", VerdictParameters, PRESETS, SECTIONS)
