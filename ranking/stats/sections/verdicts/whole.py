"""All sections of a report on verdicts, in the order in which they are made."""

from ranking.stats.sections.verdicts import crowd, judges, systems

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
