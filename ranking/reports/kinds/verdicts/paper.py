"""Paragraphs on a report on verdicts: what was done, and what came out."""

from collections.abc import Mapping
from typing import Any

from judgments.charts.numbers import number, quantity, span
from ranking.charts.lines import lines_of
from ranking.numbers.tables import Table
from ranking.reports.answers import Answer, counts_of
from ranking.reports.papers.bibliography import computed_with
from ranking.reports.papers.paper import Paper
from ranking.stats.verdicts.sections.systems import WEIGHTED

MEASURED = ("precision", "recall", "f")


def paper(tables: Mapping[str, Table], parameters: Mapping[str, Any], answer: Answer) -> Paper:
    counts, level = counts_of(tables), f"{100 * parameters['level']:g}%"
    methods = (
        f"In total, {quantity(counts['judges'], 'judge')} gave {quantity(counts['verdicts'], 'verdict')} (error, OK or "
        f"unknown) on {quantity(counts['usages'], 'usage')}. Systems are measured against the crowd [@madnani2011]: "
        "each usage counts as an error in proportion to the verdicts that call it one. "
        f"The {level} intervals come from {parameters['replicates']:,} bootstrap replicates [@efron1993] that resample "
        "judges. Agreement is measured by Krippendorff's alpha [@krippendorff2011]. "
        f"{computed_with(parameters['seed'])}"
    )
    lines = [line for line in lines_of(tables, "measures") if line["by"] == WEIGHTED]
    table = Table.of("verdicts", ("System", "Precision", "Recall", "F"), map(_row, lines))
    results = " ".join([answer.sentence, *answer.may_say])
    caption = f"Systems measured against the crowd, with {level} intervals ({', '.join(answer.facts)})."
    return Paper(methods, results, caption, table)


def _row(line: dict) -> list[str]:
    return [line["system"], *(f"{number(line[name])}{span(line[f'{name}_low'], line[f'{name}_high'])}"
                              for name in MEASURED)]  # fmt: skip
