"""Paragraphs on a report on verdicts: what was done, and what came out."""

from collections.abc import Mapping
from typing import Any

from judgments.web.charts.numbers import number, span
from ranking.charts.drawing.sheets import lines_of
from ranking.numbers.tables import Table
from ranking.reports.answers import Answer, counts_of
from ranking.reports.papers.bibliography import PLATFORM
from ranking.reports.papers.paper import Paper
from ranking.stats.verdicts.sections.systems import WEIGHTED

MEASURED = ("precision", "recall", "f")


def paper(tables: Mapping[str, Table], parameters: Mapping[str, Any], answer: Answer) -> Paper:
    counts, level = counts_of(tables), f"{100 * parameters['level']:g}%"
    methods = (
        f"{counts['judges']:,} judges gave {counts['verdicts']:,} verdicts (error, OK or unknown) on "
        f"{counts['usages']:,} usages. Systems are measured against the crowd [@madnani2011]: every verdict counts, so "
        f"that a usage that some call an error is one in part. {level} intervals come from "
        f"{parameters['replicates']:,} bootstrap replicates [@efron1993] over judges. Agreement is Krippendorff's "
        f"alpha [@krippendorff2011]. The numbers were computed by Appraise GEC [@{PLATFORM}] with seed "
        f"{parameters['seed']}."
    )
    lines = [line for line in lines_of(tables, "measures") if line["by"] == WEIGHTED]
    table = Table.of("paper", ("System", "Precision", "Recall", "F"), map(_row, lines))
    results = " ".join([answer.sentence, *answer.may_say])
    return Paper(methods, results, f"Systems against the crowd, with {level} intervals.", table)


def _row(line: dict) -> list[str]:
    return [line["system"], *(f"{number(line[name])}{span(line[f'{name}_low'], line[f'{name}_high'])}"
                              for name in MEASURED)]  # fmt: skip
