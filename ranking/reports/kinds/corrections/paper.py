"""Paragraphs on a report on corrections: what was done, and what came out."""

from collections.abc import Mapping
from typing import Any

from judgments.web.charts.numbers import number, span
from ranking.charts.drawing.sheets import lines_of
from ranking.numbers.tables import Table
from ranking.reports.answers import Answer, counts_of
from ranking.reports.papers.bibliography import PLATFORM
from ranking.reports.papers.paper import Paper


def paper(tables: Mapping[str, Table], parameters: Mapping[str, Any], answer: Answer) -> Paper:
    counts, level, score = counts_of(tables), f"{100 * parameters['level']:g}%", f"F{parameters['beta']:g}"
    methods = (
        f"{counts['judges']:,} judges wrote {counts['judgments']:,} corrections of {counts['sentences']:,} sentences. "
        f"Judges and systems are scored by {score} of M2 against the corrections of other judges, averaged over all "
        f"subsets of a size [@bryant2015]. {level} intervals come from {parameters['replicates']:,} bootstrap "
        f"replicates [@efron1993] over {parameters['unit']}s. The numbers were computed by Appraise GEC [@{PLATFORM}] "
        f"with seed {parameters['seed']}."
    )
    rows = [
        (line["who"], line["gold"], f"{number(line['f'])}{span(line['f_low'], line['f_high'])}",
         None if line["ratio"] is None else f"{number(line['ratio'])}{span(line['ratio_low'], line['ratio_high'])}")
        for line in lines_of(tables, "combinations")
    ]  # fmt: skip
    table = Table.of("paper", ("Who", "Judges in the gold standard", score, "Ratio to people"), rows)
    results = " ".join([answer.sentence, *answer.may_say])
    return Paper(methods, results, f"People and systems against people, with {level} intervals.", table)
