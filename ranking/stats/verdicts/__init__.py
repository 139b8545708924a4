"""Reports on verdicts: their sections in order."""

from ranking.stats.analysis import Sections, counts, judgments_over_time, needs_independent_answers
from ranking.stats.verdicts import judges, systems, usages
from ranking.stats.verdicts.study import VerdictStudy as VerdictStudy

SECTIONS: Sections = {
    "counts": counts,
    "measures": systems.measures,
    "agreement": needs_independent_answers(usages.verdict_agreement),
    "judgments over time": judgments_over_time,
    "crowd": usages.crowd,
    "usages": usages.usages,
    "agreement of the crowd": needs_independent_answers(systems.agreement_histogram),
    "bins of agreement": systems.bins,
    "domains": systems.domains,
    "how many judgments are enough": needs_independent_answers(judges.enough),
    "experts": needs_independent_answers(judges.experts),
    "judges": needs_independent_answers(judges.judges),
}
