"""Reports on corrections."""

from ranking.charts.corrections import category_agreement, combinations, document_subsets, edits_by_category
from ranking.charts.judged import judgments_over_time
from ranking.reports.kinds.corrections.extract import extract, other_inputs
from ranking.reports.kinds.corrections.form import CorrectionsForm
from ranking.reports.kinds.kind import ChapterPlan, ReportKind
from ranking.stats.corrections import kind as pure

CHARTS = (judgments_over_time, combinations, category_agreement, document_subsets, edits_by_category)
CHAPTERS = (
    ChapterPlan(
        "people-and-systems", "People and systems against people",
        "More than one correction can be right, so scores rise with every judge who counts as right. What people "
        "reach against one another is what a system can be measured by.",
        ("combinations", "ratios_to_people", "document_subsets"), ("one_by_one",), ("combinations",),
    ),
    ChapterPlan(
        "categories", "Categories",
        "Every judge is held against others with the edits of one category alone.",
        ("category_agreement", "edits_by_category"), (), ("category_agreement",),
    ),
    ChapterPlan(
        "correcting-judges", "Agreement and judges who correct",
        "Two judges may both be right and write two things, so what counts is whether somebody else wrote the same.",
        (), ("same_as_others", "different_corrections", "correction_pairs", "edits_by_judge", "labels"),
        ("same_as_others", "correction_pairs"),
    ),
    ChapterPlan("judged", "What was judged", "", ("judgments_over_time",)),
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
    study=pure.CORRECTIONS,
    protocols=("correction",),
    does="sets people and systems against people by the corrections",
    headline="combinations",
    extract=extract,
    form=CorrectionsForm,
    charts=CHARTS,
    chapters=CHAPTERS,
    titles=TITLES,
    other_inputs=other_inputs,
)
