"""Reports on verdicts: form, charts and chapters."""

from typing import ClassVar

from django import forms

from ranking.charts.judged import judgments_over_time
from ranking.charts.verdicts import agreement_histogram, bins, enough, measures, stability, verdict_judges
from ranking.reports.kinds.form import ReportForm, choice_of
from ranking.reports.kinds.kind import ChapterPlan, ReportKind
from ranking.reports.kinds.verdicts.answer import answer
from ranking.reports.kinds.verdicts.extraction import extract, other_inputs
from ranking.stats import verdicts as pure
from ranking.stats.verdicts.parameters import AUTHORITIES, MOST_DRAWS, MOST_JUDGES


class VerdictsForm(ReportForm):
    study = pure.VERDICTS
    preset_labels: ClassVar[dict[str, str]] = {
        "recommended": "Recommended: the crowd against the majority of experts",
        "madnani2011": "As Madnani et al. (2011): the crowd against each expert, on average",
    }
    field_order = ("preset", "cuts", "experts", "most_judges", "draws", "replicates", "level", "judged_by", "seed")

    cuts = forms.CharField(
        required=False,
        max_length=200,
        label="Bins of agreement",
        help_text="Upper ends of the bins, from 0.5 to at most 1, separated by commas; empty: 0.5, 0.75, 0.9, 1.",
    )
    experts = choice_of(
        AUTHORITIES, "Compare majorities of the crowd with the majority of experts, or with each of them in turn."
    )
    most_judges = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=MOST_JUDGES,
        help_text="The most judges to consider when asking how many are enough; empty: 20, or as many as there are.",
    )
    draws = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=MOST_DRAWS,
        help_text="How often to draw each number of judges; empty: 100.",
    )

    def clean_cuts(self) -> tuple[float, ...] | None:
        """Parse numbers; the parameters check whether they can be ends of bins."""
        given = self.cleaned_data["cuts"].replace(",", " ").split()
        try:
            return tuple(map(float, given)) or None
        except ValueError as reason:
            raise forms.ValidationError("Write numbers separated by commas, such as 0.5, 0.75, 0.9, 1.") from reason


CHARTS = (judgments_over_time, measures, bins, stability, agreement_histogram, enough, verdict_judges)
CHAPTERS = (
    ChapterPlan(
        "systems", "Systems against the crowd",
        "In weighted measures every verdict of the crowd counts; in unweighted ones only the majority "
        "counts. An interval shows what other judges might have given.",
        ("measures", "stability"), ("domains",), ("measures", "stability"),
    ),
    ChapterPlan(
        "agreement-bins", "Clear cases and contested ones",
        "Systems need not do as well where people disagree. Within a bin, the majority counts.",
        ("agreement_histogram", "bins", "bins_kappa"), (), ("bins", "bins_kappa"),
    ),
    ChapterPlan(
        "enough", "How many judgments are enough",
        "How well the majority of a few judges matches experts or the known answers.",
        ("enough",), ("experts",), ("enough",),
    ),
    ChapterPlan(
        "verdict-judges", "Agreement and judges of verdicts",
        "Alpha is the agreement beyond chance: 1 is perfect, and 0 is as good as chance.",
        ("verdict_judges",), ("verdict_agreement",), ("verdict_agreement",),
    ),
    ChapterPlan("judged", "What was judged", "", ("judgments_over_time",), ("crowd", "instances")),
)  # fmt: skip
TITLES = {
    "domains": "By domain",
    "experts": "Experts among themselves",
    "verdict_agreement": "Agreement of all",
    "crowd": "The crowd",
    "instances": "Usage by usage",
    "stability": "How measures vary with other judges",
    "judges": "The judges",
}

VERDICTS = ReportKind(
    study=pure.VERDICTS,
    does="measures the systems by the verdicts",
    headline="measures",
    answer=answer,
    extract=extract,
    form=VerdictsForm,
    charts=CHARTS,
    chapters=CHAPTERS,
    titles=TITLES,
    other_inputs=other_inputs,
)
