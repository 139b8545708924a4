"""Reports on verdicts."""

from ranking.charts.judged import judgments_over_time
from ranking.charts.verdicts.bins import agreement_histogram, bins
from ranking.charts.verdicts.enough import enough
from ranking.charts.verdicts.judges import verdict_judges
from ranking.charts.verdicts.measures import measures, stability
from ranking.reports.kinds.kind import ChapterPlan, ReportKind
from ranking.reports.kinds.verdicts.extract import extract, other_inputs
from ranking.reports.kinds.verdicts.form import VerdictsForm
from ranking.stats.verdicts import kind as pure

CHARTS = (judgments_over_time, measures, bins, stability, agreement_histogram, enough, verdict_judges)
CHAPTERS = (
    ChapterPlan(
        "systems", "Systems against the crowd",
        "Every verdict of the crowd counts for what it is worth where measures are weighted; the majority alone where "
        "they are not. An interval says what other judges might have brought.",
        ("measures", "stability"), ("domains",), ("measures", "stability"),
    ),
    ChapterPlan(
        "agreement-bins", "Clear cases and contested ones",
        "A system need not do as well where people disagree. Within a bin the majority counts.",
        ("agreement_histogram", "bins", "bins_kappa"), (), ("bins", "bins_kappa"),
    ),
    ChapterPlan(
        "enough", "How many judgments are enough",
        "What a majority of a few judges is worth, against experts or gold.",
        ("enough",), ("experts",), ("enough",),
    ),
    ChapterPlan(
        "verdict-judges", "Agreement and judges of verdicts",
        "Alpha is the agreement beyond chance: 1 is perfect, and 0 is what chance gives.",
        ("verdict_judges",), ("verdict_agreement",), ("verdict_agreement",),
    ),
    ChapterPlan("judged", "What was judged", "", ("judgments_over_time",), ("crowd", "instances")),
)  # fmt: skip
TITLES = {
    "domains": "By domain",
    "experts": "Experts among themselves",
    "verdict_agreement": "Agreement of all",
    "crowd": "The crowd",
    "instances": "Instance by instance",
    "stability": "How far measures move with other judges",
    "judges": "The judges",
}

VERDICTS = ReportKind(
    study=pure.VERDICTS,
    protocols=("verdict",),
    does="measures the systems by the verdicts",
    headline="measures",
    extract=extract,
    form=VerdictsForm,
    charts=CHARTS,
    chapters=CHAPTERS,
    titles=TITLES,
    other_inputs=other_inputs,
)
