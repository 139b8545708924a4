"""Paragraphs on a report on edits: what was done, and what came out."""

from collections.abc import Mapping
from typing import Any

from judgments.charts.numbers import number, quantity, span
from ranking.charts.edits import percent
from ranking.charts.lines import lines_of
from ranking.numbers.tables import Table
from ranking.reports.answers import Answer, counts_of
from ranking.reports.papers.bibliography import computed_with
from ranking.reports.papers.paper import Paper

RATES = ("right_a_sentence", "wrong_a_sentence", "missed_a_sentence")


def paper(tables: Mapping[str, Table], parameters: Mapping[str, Any], answer: Answer) -> Paper:
    counts, level = counts_of(tables), f"{100 * parameters['level']:g}%"
    methods = (
        f"In total, {quantity(counts['judges'], 'judge')} gave {quantity(counts['verdicts'], 'verdict')} on "
        f"{quantity(counts['edits'], 'edit')} in {quantity(counts['sentences'], 'sentence')} [@kobayashi2024]. "
        f"Precision is the share of a system's edits that judges accept; its {level} intervals are Wilson intervals "
        f"[@wilson1927] for the effective number of edits [@korn1998], with the variance clustered [@cameron2011]; "
        f"they hold for {answer.scope}. "
        f"{_on_worth(tables)}Agreement is measured by Krippendorff's alpha [@krippendorff2011]. "
        f"{computed_with(parameters['seed'])}"
    )
    rows = [
        (line["system"], line["edits"], percent(line["precision"], line["precision_low"], line["precision_high"]),
         *(f"{number(line[name])}{span(line[f'{name}_low'], line[f'{name}_high'])}" for name in RATES))
        for line in lines_of(tables, "edit_systems", "precision")
    ]  # fmt: skip
    columns = ("System", "Edits", "Right", "Right per sentence", "Wrong per sentence", "Missed per sentence")
    caption = f"Edits that people accept, with {level} intervals ({', '.join(answer.facts)})."
    results = " ".join([answer.sentence, *answer.may_say])
    return Paper(methods, results, caption, Table.of("edits", columns, rows))


def _on_worth(tables: Mapping[str, Table]) -> str:
    if "edit_worth" not in tables:
        return ""
    return (
        "What an edit is worth is estimated by a Bradley-Terry model [@bradley1952] of preferences with the numbers of "
        "edits by verdict as covariates; the same judges marked and ranked. "
    )
