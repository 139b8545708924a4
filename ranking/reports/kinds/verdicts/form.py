"""What an organiser chooses for a report on verdicts."""

from typing import ClassVar

from django import forms

from ranking.reports.kinds.form import UNCHANGED, ReportForm
from ranking.stats.verdicts.kind import VERDICTS
from ranking.stats.verdicts.parameters import AUTHORITIES, MOST_DRAWS, MOST_JUDGES


class VerdictsForm(ReportForm):
    """What systems are measured by against a crowd."""

    study = VERDICTS
    preset_labels: ClassVar[dict[str, str]] = {
        "recommended": "Recommended: the crowd against the majority of experts",
        "madnani2011": "As Madnani et al. (2011): the crowd against each expert, on average",
    }
    field_order = ("preset", "cuts", "experts", "most_judges", "draws", "replicates", "level", "judged_by", "seed")

    cuts = forms.CharField(
        required=False,
        max_length=200,
        label="Bins of agreement",
        help_text="Where they end, from 0.5 to 1 at most, separated by commas; empty: 0.5, 0.75, 0.9, 1.",
    )
    experts = forms.ChoiceField(
        required=False,
        choices=[UNCHANGED, *((name, name) for name in AUTHORITIES)],
        help_text="What majorities of the crowd are held against: the majority of experts, or each of them in turn.",
    )
    most_judges = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=MOST_JUDGES,
        help_text="Up to how many judges it is asked how many are enough; empty: 20, or as many as there are.",
    )
    draws = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=MOST_DRAWS,
        help_text="How often that many judges are drawn; empty: 100.",
    )

    def clean_cuts(self) -> tuple[float, ...] | None:
        """Numbers; whether they can be ends of bins, the parameters say."""
        told = self.cleaned_data["cuts"].replace(",", " ").split()
        try:
            return tuple(map(float, told)) or None
        except ValueError as reason:
            raise forms.ValidationError("Write numbers separated by commas, such as 0.5, 0.75, 0.9, 1.") from reason
