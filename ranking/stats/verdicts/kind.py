"""Reports on verdicts: all sections in the order in which they are made."""

from ranking.stats.analysis import StudyKind
from ranking.stats.verdicts import inputs
from ranking.stats.verdicts.parameters import PRESETS, VerdictParameters
from ranking.stats.verdicts.sections import crowd, judges, systems
from ranking.stats.verdicts.study import VerdictStudy

SECTIONS = {
    "judgments over time": crowd.judgments_over_time,
    "crowd": crowd.crowd,
    "instances": crowd.instances,
    "agreement of the crowd": crowd.agreement_histogram,
    "measures": systems.measures,
    "bins of agreement": systems.bins,
    "domains": systems.domains,
    "how many judgments are enough": judges.enough,
    "experts": judges.experts,
    "agreement": crowd.verdict_agreement,
    "judges": judges.judges,
}

VERDICTS = StudyKind(
    name=VerdictStudy.kind,
    place="ranking.stats.verdicts.kind:VERDICTS",
    parameters=VerdictParameters,
    presets=PRESETS,
    sections=SECTIONS,
    written=inputs.written,
    read=inputs.read,
)
