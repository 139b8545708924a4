"""What an organiser chooses for a report: a form for each kind, of what all kinds have and what is its own."""

from dataclasses import fields
from typing import Any, ClassVar

from django import forms

from judgments.models import Campaign
from ranking.stats.choices import JUDGED_BY, LARGEST_SEED, MOST_REPLICATES, PEOPLE, ParametersError
from ranking.stats.corrections.parameters import FEWEST_SUBSETS, MOST_SUBSETS
from ranking.stats.corrections.scoring import DrawnBy
from ranking.stats.kinds import COMPARISONS, CORRECTIONS, VERDICTS, Kind, kind_for
from ranking.stats.parameters import CORRELATIONS, FOLDINGS, SCORES, TESTS
from ranking.stats.rankings.clusters import RULES
from ranking.stats.rankings.methods import METHODS
from ranking.stats.resampling import Unit
from ranking.stats.verdicts.parameters import AUTHORITIES, MOST_DRAWS, MOST_JUDGES

RECOMMENDED = "recommended"
UNCHANGED = ("", "as the preset")


class ReportForm(forms.Form):
    """A preset, and what should be otherwise; empty fields stay as the preset has them."""

    kind: ClassVar[Kind]
    preset_labels: ClassVar[dict[str, str]]

    preset = forms.ChoiceField(required=False, initial=RECOMMENDED)
    replicates = forms.IntegerField(
        required=False, min_value=1, max_value=MOST_REPLICATES, help_text="How often; empty: 1000."
    )
    level = forms.FloatField(required=False, min_value=0.5, max_value=0.9999, help_text="Such as 0.95.")
    judged_by = forms.ChoiceField(
        required=False,
        choices=[("", "people"), *((name, name) for name in JUDGED_BY if name != PEOPLE)],
        help_text="Whose judgments count; programs that judge are never mixed with people unless you say so.",
    )
    seed = forms.IntegerField(
        required=False, min_value=0, max_value=LARGEST_SEED, help_text="The same seed gives the same numbers."
    )

    def __init__(self, *given: Any, **named: Any) -> None:
        """The presets are those of the kind."""
        super().__init__(*given, **named)
        self.fields["preset"].choices = [  # type: ignore[attr-defined]
            (name, self.preset_labels[name]) for name in self.kind.presets
        ]

    def clean(self) -> dict[str, Any]:
        """Parameters, from the preset and what was changed."""
        given = super().clean() or {}
        if self.errors:
            return given
        given["preset"] = given["preset"] or RECOMMENDED
        names = {field.name for field in fields(self.kind.parameters)}
        changes = {name: value for name, value in given.items() if name in names and value not in (None, "", [])}
        try:
            given["parameters"] = self.kind.preset(given["preset"]).changed(**changes)
        except ParametersError as reason:
            raise forms.ValidationError(str(reason)) from reason
        return given


class ComparisonsForm(ReportForm):
    """What a ranking is made by."""

    kind = COMPARISONS
    preset_labels: ClassVar[dict[str, str]] = {
        "recommended": "Recommended: sentences are drawn, clusters never overlap",
        "grundkiewicz2015": "As Grundkiewicz et al. (2015): single comparisons are drawn",
        "napoles2019": "As Napoles et al. (2019): ratings",
    }
    field_order = (
        "preset", "methods", "unit", "replicates", "level", "clusters", "test", "folds", "scores", "correlations",
        "judged_by", "seed",
    )  # fmt: skip

    methods = forms.MultipleChoiceField(
        required=False,
        choices=[(name, method.label) for name, method in METHODS.items()],
        widget=forms.CheckboxSelectMultiple,
        help_text="None: those of the preset.",
    )
    unit = forms.ChoiceField(
        required=False,
        choices=[UNCHANGED, *((unit.value, unit.value) for unit in Unit)],
        help_text="What is drawn again and again to see how sure the ranking is.",
    )
    clusters = forms.ChoiceField(required=False, choices=[UNCHANGED, *((name, name) for name in RULES)])
    test = forms.ChoiceField(
        required=False,
        choices=[UNCHANGED, *((name, name) for name in TESTS)],
        help_text="By which two systems are told apart: what each sentence says, or every comparison by itself (sign).",
    )
    folds = forms.ChoiceField(
        required=False,
        choices=[UNCHANGED, *((name, name) for name in FOLDINGS)],
        help_text="Which judgments are foretold for accuracy; none leaves accuracy out, which is much faster.",
    )
    scores = forms.ChoiceField(
        required=False,
        choices=[UNCHANGED, *((name, name) for name in SCORES)],
        help_text="Whether a score is that of the judgments themselves, or the mean of all replicates as in 2015.",
    )
    correlations = forms.ChoiceField(
        required=False,
        choices=[UNCHANGED, *((name, name) for name in CORRELATIONS)],
        help_text="Of metrics with people: plain, or as in 2015, from three decimals and without shared ranks.",
    )


class CorrectionsForm(ReportForm):
    """What people and systems are set against people by."""

    kind = CORRECTIONS
    preset_labels: ClassVar[dict[str, str]] = {
        "recommended": "Recommended: sentences are drawn",
        "bryant2015": "As Bryant and Ng (2015): every judge saw every sentence, documents are drawn",
    }
    field_order = (
        "preset", "beta", "unit", "replicates", "level", "most_subsets", "documents", "least_edits", "least_share",
        "judged_by", "seed",
    )  # fmt: skip

    beta = forms.FloatField(required=False, help_text="The weight of recall in F; empty: 0.5.")
    unit = forms.ChoiceField(
        required=False,
        choices=[UNCHANGED, *((unit.value, unit.value) for unit in DrawnBy)],
        help_text="What is drawn again and again to see how sure the numbers are.",
    )
    most_subsets = forms.IntegerField(
        required=False,
        min_value=FEWEST_SUBSETS,
        max_value=MOST_SUBSETS,
        help_text="Of judges as the gold standard; of more some are drawn. Empty: 4096, all of 12 judges.",
    )
    documents = forms.IntegerField(
        required=False, min_value=0, help_text="How the first documents alone compare; 0: not at all. Empty: 10."
    )
    least_edits = forms.IntegerField(
        required=False, min_value=1, help_text="How many edits a category needs to be told of."
    )
    least_share = forms.FloatField(
        required=False,
        help_text="Of the judged sentences that a judge must have corrected or skipped to be compared, such as 0.5.",
    )


class VerdictsForm(ReportForm):
    """What systems are measured by against a crowd."""

    kind = VERDICTS
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


FORMS: dict[str, type[ReportForm]] = {form.kind.name: form for form in (ComparisonsForm, VerdictsForm, CorrectionsForm)}


def form_for(campaign: Campaign) -> type[ReportForm]:
    """The form for reports on a campaign."""
    return FORMS[kind_for(campaign.protocol).name]
