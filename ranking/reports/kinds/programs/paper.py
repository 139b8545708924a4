"""Paragraphs on a report on programs: what was done, and what came out."""

from collections.abc import Mapping, Sequence
from typing import Any

from judgments.charts.numbers import number, quantity, span
from ranking.numbers.tables import Table
from ranking.reports.answers import Answer, counts_of
from ranking.reports.papers.bibliography import computed_with
from ranking.reports.papers.paper import Paper
from ranking.stats.resampling import Unit


def paper(
    tables: Mapping[str, Table], parameters: Mapping[str, Any], answer: Answer, main: Sequence[dict]
) -> Paper:  # fmt: skip
    counts, level = counts_of(tables), f"{100 * parameters['level']:g}%"
    others = "with what other judges would change [@cameron2011] and " * (main[0]["unit"] == Unit.SENTENCE_AND_JUDGE)
    converted = (
        "The programs' verdicts are also converted by sensitivity and specificity [@rogan1978], with intervals that "
        "count the uncertainty of both [@lang2014]. "
    ) * ("program_verdicts" in tables)
    methods = (
        f"In total, {quantity(counts['judges'], 'judge')} gave {quantity(counts['judgments'], 'judgment')}, and "
        f"{quantity(counts['programs'], 'program')} {counts['judgments of programs']:,}. Whether a program can stand "
        "in for people is tested by leaving each person out in turn [@calderon2025], with false discoveries controlled "
        "[@benjamini2001]. Numbers of people are corrected by a program's judgments of more sentences than people "
        "judged [@angelopoulos2023], with the weight of least variance [@angelopoulos2023b]. The "
        f"{level} intervals of these numbers come from {parameters['replicates']:,} bootstrap replicates [@efron1993] "
        f"that draw sentences, {others}with moderated variances [@smyth2004]; they hold for {answer.scope}. {converted}"
        f"{computed_with(parameters['seed'])}"
    )
    rows = [(line["program"], line["system"], classical_of(line), corrected_of(line)) for line in main]
    table = Table.of("programs", ("Program", "System", "People", "Corrected"), rows)
    caption = f"Numbers of people, and corrected by programs, with {level} intervals ({', '.join(answer.facts)})."
    return Paper(methods, " ".join([answer.sentence, *answer.may_say]), caption, table)


def corrected_of(line: dict) -> str:
    return f"{number(line['corrected'])}{span(line['corrected_low'], line['corrected_high'])}"


def classical_of(line: dict) -> str:
    return f"{number(line['classical'])}{span(line['classical_low'], line['classical_high'])}"
