"""Paragraphs on a report on corrections: what was done, and what came out."""

from collections.abc import Mapping
from typing import Any

from judgments.charts.numbers import number, quantity, span
from ranking.charts.lines import lines_of
from ranking.numbers.tables import Table
from ranking.reports.answers import Answer, counts_of
from ranking.reports.papers.bibliography import computed_with
from ranking.reports.papers.paper import Paper


def paper(tables: Mapping[str, Table], parameters: Mapping[str, Any], answer: Answer) -> Paper:
    counts, level, score = counts_of(tables), f"{100 * parameters['level']:g}%", f"F{parameters['beta']:g}"
    methods = (
        f"In total, {quantity(counts['judges'], 'judge')} wrote {quantity(counts['judgments'], 'correction')} of "
        f"{quantity(counts['sentences'], 'sentence')}. Judges and systems are scored by the {score} of the M2 "
        "scorer [@dahlmeier2012] against the corrections of other judges, averaged over all subsets of these judges of "
        f"the same size [@bryant2015]. The {level} intervals come from {parameters['replicates']:,} bootstrap "
        f"replicates [@efron1993] that resample {parameters['unit']}s. {computed_with(parameters['seed'])}"
    )
    rows = [
        (line["who"], line["gold"], f"{number(line['f'])}{span(line['f_low'], line['f_high'])}",
         None if line["ratio"] is None else f"{number(line['ratio'])}{span(line['ratio_low'], line['ratio_high'])}")
        for line in lines_of(tables, "combinations")
    ]  # fmt: skip
    table = Table.of("corrections", ("Corrected by", "Gold judges", score, "Ratio to people"), rows)
    results = " ".join([answer.sentence, *answer.may_say])
    caption = f"People and systems scored against people, with {level} intervals ({', '.join(answer.facts)})."
    return Paper(methods, results, caption, table)
