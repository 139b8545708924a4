"""What an organiser chooses for a report on corrections."""

from typing import ClassVar

from django import forms

from ranking.reports.kinds.form import UNCHANGED, ReportForm
from ranking.stats.corrections.kind import CORRECTIONS
from ranking.stats.corrections.parameters import FEWEST_SUBSETS, MOST_SUBSETS
from ranking.stats.corrections.scoring import DrawnBy


class CorrectionsForm(ReportForm):
    """What people and systems are set against people by."""

    study = CORRECTIONS
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
