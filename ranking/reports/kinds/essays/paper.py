"""Paragraphs on a report on whole texts: what was done, and what came out."""

from collections.abc import Mapping
from typing import Any

from judgments.charts.numbers import quantity
from ranking.charts.essays import mean_of, means_by_scale
from ranking.charts.lines import lines_of
from ranking.numbers.tables import Table
from ranking.reports.answers import Answer, counts_of
from ranking.reports.papers.bibliography import computed_with
from ranking.reports.papers.paper import Paper
from ranking.stats.resampling import Unit


def paper(tables: Mapping[str, Table], parameters: Mapping[str, Any], answer: Answer) -> Paper:
    counts, level, means = counts_of(tables), f"{100 * parameters['level']:g}%", means_by_scale(tables)
    methods = (
        f"In total, {quantity(counts['judges'], 'judge')} rated versions of {quantity(counts['texts'], 'text')} on "
        f"{quantity(len(means), 'scale')}, in {quantity(counts['judgments'], 'judgment')}. Systems have mean scores; "
        f"their {level} intervals come from {parameters['replicates']:,} bootstrap replicates [@efron1993] that draw "
        f"texts, {_on_judges(tables)}with moderated variances [@smyth2004]; they hold for {answer.scope}. Pairs of "
        f"systems are tested on all scales together [@romano2005]. {_on_errors(tables)}{_on_agreement(tables)}"
        f"{computed_with(parameters['seed'])}"
    )
    found = {(scale, line["system"]): mean_of(line) for scale, lines in means.items() for line in lines}
    systems = dict.fromkeys(system for _, system in found)
    rows = [(system, *(found.get((scale, system)) for scale in means)) for system in systems]
    caption = f"Means by scale, with {level} intervals ({', '.join(answer.facts)})."
    results = " ".join([answer.sentence, *answer.may_say])
    return Paper(methods, results, caption, Table.of("essays", ("System", *means), rows))


def _on_judges(tables: Mapping[str, Table]) -> str:
    units = {line["unit"] for line in lines_of(tables, "essay_scales")}
    return "with what other judges would change [@cameron2011] and " if Unit.SENTENCE_AND_JUDGE in units else ""


def _on_agreement(tables: Mapping[str, Table]) -> str:
    if "essay_agreement" not in tables:
        return ""
    return "Agreement is measured by ordinal alpha [@krippendorff2011] and intraclass correlation [@shrout1979]. "


def _on_errors(tables: Mapping[str, Table]) -> str:
    weights = {line["severity"]: line["weight"] for line in lines_of(tables, "essay_errors", "weight")}
    if not weights:
        return ""
    named = ", ".join(f"{severity} {weight:g}" for severity, weight in weights.items())
    return f"Marked errors [@kocmi2024] count by severity ({named}). "
