"""Reports on corrections: form, charts and chapters."""

from typing import ClassVar

from django import forms

from ranking.charts.corrections import category_agreement, combinations, document_subsets, edits_by_category
from ranking.charts.judged import judgments_over_time
from ranking.reports.kinds.corrections.answer import answer
from ranking.reports.kinds.corrections.extraction import extract, other_inputs
from ranking.reports.kinds.form import ReportForm, choice_of
from ranking.reports.kinds.kind import Chapter, ReportKind
from ranking.stats.corrections import SECTIONS
from ranking.stats.corrections.parameters import FEWEST_SUBSETS, MOST_SUBSETS, PRESETS
from ranking.stats.corrections.scoring import DrawnBy
from ranking.stats.corrections.study import CorrectionStudy


class CorrectionsForm(ReportForm):
    preset_labels: ClassVar[dict[str, str]] = {
        "recommended": "Recommended: resample sentences",
        "bryant2015": "As Bryant and Ng (2015): every judge saw every sentence; resample documents",
    }
    field_order = (
        "preset", "beta", "unit", "replicates", "level", "most_subsets", "documents", "least_edits", "least_share",
        "judged_by", "seed",
    )  # fmt: skip

    beta = forms.FloatField(required=False, help_text="The weight of recall in F; empty: 0.5.")
    unit = choice_of(DrawnBy, "The unit of resampling, which shows how certain the numbers are.")
    most_subsets = forms.IntegerField(
        required=False,
        min_value=FEWEST_SUBSETS,
        max_value=MOST_SUBSETS,
        help_text="The most subsets of judges used as gold standard; of more, a sample. Empty: 4096, all of 12 judges.",
    )
    documents = forms.IntegerField(
        required=False,
        min_value=0,
        help_text="Also compare the first documents alone, up to this many; 0: none. Empty: 10.",
    )
    least_edits = forms.IntegerField(required=False, min_value=1, help_text="Leave out categories with fewer edits.")
    least_share = forms.FloatField(
        required=False,
        help_text="Compare only judges who corrected or skipped this share of the judged sentences, such as 0.5.",
    )


CHARTS = (judgments_over_time, combinations, category_agreement, document_subsets, edits_by_category)
CHAPTERS = (
    Chapter(
        "people-and-systems", "People and systems against people",
        "More than one correction can be right, so scores rise with every judge in the gold standard. The scores that "
        "people reach against one another are the yardstick for systems.",
        ("combinations", "ratios_to_people", "document_subsets"), ("one_by_one",), ("combinations",),
    ),
    Chapter(
        "categories", "Categories",
        "Every judge is compared with others by the edits of one category alone.",
        ("category_agreement", "edits_by_category"), (), ("category_agreement",),
    ),
    Chapter(
        "correcting-judges", "Agreement and judges who correct",
        "Two judges may both be right and differ, so what counts is whether somebody else wrote the same.",
        (), ("same_as_others", "different_corrections", "correction_pairs", "edits_by_judge", "labels"),
        ("same_as_others", "correction_pairs"),
    ),
    Chapter("judged", "What was judged", "", ("judgments_over_time",)),
)  # fmt: skip
TITLES = {
    "one_by_one": "Against each judge alone",
    "same_as_others": "The same as one of others",
    "different_corrections": "Different corrections of a sentence",
    "correction_pairs": "Judges in pairs",
    "edits_by_judge": "Edits by judge",
    "labels": "Sentences left as they are",
    "category_agreement": "People against people by category",
    "judges": "The judges",
}

CORRECTIONS = ReportKind(
    study=CorrectionStudy,
    presets=PRESETS,
    sections=SECTIONS,
    does="compares the corrections of judges and systems",
    headline="combinations",
    answer=answer,
    extract=extract,
    form=CorrectionsForm,
    charts=CHARTS,
    chapters=CHAPTERS,
    titles=TITLES,
    other_inputs=other_inputs,
)
