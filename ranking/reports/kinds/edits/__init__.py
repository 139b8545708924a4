"""Reports on edits: form, charts and chapters."""

from typing import ClassVar

from ranking.charts.edits import edit_categories, edit_prediction, edit_systems, edit_worth
from ranking.charts.judged import judgments_over_time
from ranking.reports.kinds.edits.answer import answer
from ranking.reports.kinds.edits.extraction import extract, other_inputs
from ranking.reports.kinds.form import ReportForm, choice_of
from ranking.reports.kinds.kind import ChapterPlan, ReportKind
from ranking.stats import edits as pure
from ranking.stats.edits.parameters import CATEGORIES
from ranking.stats.unit_choices import UNITS


class EditsForm(ReportForm):
    study = pure.EDITS
    preset_labels: ClassVar[dict[str, str]] = {
        "recommended": "Recommended: other sentences, and other judges from 5 on"
    }
    field_order = ("preset", "unit", "categories", "replicates", "level", "judged_by", "answers", "seed")

    unit = choice_of(UNITS, "What intervals are about: other sentences, or other sentences and judges.")
    categories = choice_of(
        CATEGORIES,
        "Of edits: ERRANT’s where it is installed and the sentences are in English, or plain ones such as insertion. "
        "ERRANT needs about a minute for 15,000 edits.",
    )


CHARTS = (edit_systems, edit_worth, edit_prediction, edit_categories, judgments_over_time)
CHAPTERS = (
    ChapterPlan(
        "edits-of-systems", "Edits that people accept",
        "Every verdict of a judge counts, for every system that made the edit.",
        ("edit_systems", "edit_rates"), ("edit_pairs", "edit_verdicts"), ("edit_systems",),
    ),
    ChapterPlan(
        "worth", "What an edit is worth",
        "How the odds of being preferred change with one more edit, and how many preferences edits predict. The same "
        "judges marked and ranked, so numbers for edits that other judges marked are the fairer ones.",
        ("edit_worth", "edit_prediction"), (), ("edit_worth",),
    ),
    ChapterPlan("edit-categories", "Categories", "", ("edit_categories",), (), ("edit_categories",)),
    ChapterPlan(
        "metrics-and-edits", "Metrics against edits",
        "Whether metrics prefer what people accept: of systems, of the versions of a sentence, and of single edits.",
        (), ("edit_metrics", "edit_references"), ("edit_metrics", "edit_references"),
    ),
    ChapterPlan(
        "judges-of-edits", "Agreement and judges of edits",
        "Kappa and alpha are the agreement beyond chance: 1 is perfect, and 0 is as good as chance.",
        (), ("edit_agreement", "edit_judge_pairs", "edit_judges"), ("edit_agreement", "edit_judges"),
    ),
    ChapterPlan("judged", "What was judged", "", ("judgments_over_time",)),
)  # fmt: skip
TITLES = {
    "edit_pairs": "Systems in pairs",
    "edit_verdicts": "Verdicts by system",
    "edit_metrics": "Metrics, systems and sentences",
    "edit_references": "Edits that references make",
    "edit_agreement": "Agreement on edits",
    "edit_judge_pairs": "Judges in pairs",
    "edit_judges": "The judges",
}

EDITS = ReportKind(
    study=pure.EDITS,
    does="measures the systems by the edits that people accept",
    headline="edit_systems",
    answer=answer,
    extract=extract,
    form=EditsForm,
    charts=CHARTS,
    chapters=CHAPTERS,
    titles=TITLES,
    other_inputs=other_inputs,
)
