"""Reports on programs beside people: form, chart and chapters."""

from typing import ClassVar

from ranking.charts.judged import judgments_over_time
from ranking.charts.programs import program_estimates
from ranking.reports.kinds.form import ReportForm, choice_of
from ranking.reports.kinds.kind import Chapter, ReportKind
from ranking.reports.kinds.programs.answer import answer
from ranking.reports.kinds.programs.extraction import extract
from ranking.reports.kinds.verdicts import other_inputs
from ranking.stats.programs import SECTIONS
from ranking.stats.programs.alternative_annotator import EPSILON
from ranking.stats.programs.parameters import PRESETS
from ranking.stats.programs.study import ProgramStudy
from ranking.stats.unit_choices import UNITS


class ProgramsForm(ReportForm):
    preset_labels: ClassVar[dict[str, str]] = {
        "recommended": "Recommended: other sentences, and other judges from 5 on"
    }  # fmt: skip
    field_order = ("preset", "people", "unit", "replicates", "level", "answers", "seed")

    # People and programs are both read.
    judged_by = None  # type: ignore[assignment]
    people = choice_of(EPSILON, "Who judges: the more a person’s work costs, the less a program must reach.")
    unit = choice_of(UNITS, "What intervals are about: other sentences, or other sentences and judges.")


CHARTS = (program_estimates, judgments_over_time)
CHAPTERS = (
    Chapter(
        "corrected", "What people would say of all sentences",
        "People’s judgments of some sentences, corrected by the program’s of all. Whatever the program answers, the "
        "numbers stay those of people if chance decided which sentences people judged.",
        ("program_estimates",), ("program_ranking", "program_pairs", "program_verdicts"), ("program_estimates",),
    ),
    Chapter(
        "good-enough", "Is the program good enough?",
        "Each person is left out in turn: is the program at least as close to the others, and whom does it favour?",
        (), ("alternative_annotator", "alternative_annotator_by_judge", "program_agreement"), ("program_agreement",),
    ),
    Chapter(
        "habits", "Habits that should not matter",
        "Position and length on the sentences that both judged; what repeats and probes brought.",
        (), ("program_habits",), ("program_habits",),
    ),
    Chapter(
        "assistance", "What showing it to judges did",
        "Chance decided which screens showed what the program said: how much time that saved, and how far people were "
        "drawn towards it, right or wrong.", (), ("program_assistance",), ("program_assistance",),
    ),
    Chapter("judged", "Who judged what", "", ("judgments_over_time",), ("who_judged", "program_models")),
)  # fmt: skip
TITLES = {
    "program_estimates": "Corrected numbers",
    "program_ranking": "Ranks by people alone and corrected",
    "program_pairs": "Systems in pairs",
    "program_verdicts": "Verdicts of the program, converted",
    "alternative_annotator": "The alternative annotator test",
    "alternative_annotator_by_judge": "The test, person by person",
    "program_agreement": "Agreement with people, and of people",
    "program_assistance": "With and without the program in view",
    "program_habits": "Habits of programs and people",
    "program_models": "How programs were asked, and what that cost",
}

PROGRAMS = ReportKind(
    study=ProgramStudy,
    presets=PRESETS,
    sections=SECTIONS,
    does="compares programs with people, and corrects numbers of people by what programs judged",
    headline="program_estimates",
    answer=answer,
    extract=extract,
    form=ProgramsForm,
    charts=CHARTS,
    chapters=CHAPTERS,
    titles=TITLES,
    other_inputs=other_inputs,
    needs_programs=True,
)
