"""Reports on whole texts: form, charts and chapters."""

from typing import ClassVar

from ranking.charts.essays import CHARTS_OF_SCALES, essay_errors, essay_scales
from ranking.charts.judged import judgments_over_time
from ranking.reports.kinds.corrections.extraction import other_inputs
from ranking.reports.kinds.essays.answer import answer
from ranking.reports.kinds.essays.extraction import extract
from ranking.reports.kinds.form import ReportForm, choice_of
from ranking.reports.kinds.kind import Chapter, ReportKind
from ranking.stats.essays import SECTIONS
from ranking.stats.essays.parameters import PRESETS
from ranking.stats.essays.study import EssayStudy
from ranking.stats.unit_choices import UNITS


class EssaysForm(ReportForm):
    preset_labels: ClassVar[dict[str, str]] = {"recommended": "Recommended: other texts, and other judges from 5 on"}
    field_order = ("preset", "unit", "replicates", "level", "judged_by", "answers", "seed")

    unit = choice_of(UNITS, "What intervals are about: other texts (sentence), or other texts and judges.")


CHARTS = (essay_scales, essay_errors, judgments_over_time)
CHAPTERS = (
    Chapter(
        "scales", "Systems by scale",
        "Means in the numbers of each scale; z-scores, which take off how each judge uses the scale; and mixed models, "
        "which take off judges and texts. Pairs are tested on all scales together.",
        CHARTS_OF_SCALES, ("essay_pairs", "essay_answers"), CHARTS_OF_SCALES,
    ),
    Chapter(
        "marked-errors", "Marked errors", "A version’s errors, each with the weight of its severity: the fewer the "
        "better.", ("essay_errors",), ("essay_error_pairs",), ("essay_errors",),
    ),
    Chapter(
        "correlations-of-scales", "Correlations of scales", "The same judge rates a version on all scales, which makes "
        "them go together.", (), ("essay_correlations",), ("essay_correlations",),
    ),
    Chapter(
        "judges-of-texts", "Agreement and judges of texts",
        "Alpha and ICC are the agreement beyond chance: 1 is perfect, and 0 is as good as chance.",
        (), ("essay_agreement", "essay_judges"), ("essay_agreement", "essay_judges"),
    ),
    Chapter("judged", "What was judged", "", ("judgments_over_time",)),
)  # fmt: skip
TITLES = {
    "essay_pairs": "Systems in pairs",
    "essay_answers": "How the scales were used",
    "essay_error_pairs": "Systems in pairs, by errors",
    "essay_correlations": "Scales in pairs",
    "essay_agreement": "Agreement on each scale",
    "essay_judges": "The judges",
}

ESSAYS = ReportKind(
    study=EssayStudy,
    presets=PRESETS,
    sections=SECTIONS,
    does="measures the systems by scale and by the errors marked in whole texts",
    headline="essay_scales",
    answer=answer,
    extract=extract,
    form=EssaysForm,
    charts=CHARTS,
    chapters=CHAPTERS,
    titles=TITLES,
    other_inputs=other_inputs,
)
