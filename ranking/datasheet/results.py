"""What the plan of analysis and the newest report say about the questions of a datasheet."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from judgments.models import Campaign
from judgments.rules.datasheet.sheet import Answer, Known
from judgments.web.charts.numbers import counted, listed, number, span
from ranking.models import AnalysisPlan, Report
from ranking.numbers.tables import Table
from ranking.reports.downloads import tables_of
from ranking.reports.kinds.registry import kind_of
from ranking.reports.papers.paper import CITATION
from ranking.stats.comparisons.sections.judges import OVERALL

CITATIONS = re.compile(rf" {CITATION.pattern}")


def of_results(campaign: Campaign) -> Iterator[tuple[str, Known]]:
    plan = AnalysisPlan.objects.filter(campaign=campaign).order_by("pk").first()
    if plan:
        made = counted(plan.judgments, "judgment")
        fixed = f"A plan of analysis was fixed on {plan.fixed_at:%Y-%m-%d}, after {made}."
        yield "3.3.1", Known(Answer(fixed), "the plan of analysis")
    report = Report.objects.of(campaign).select_related("campaign").filter(state=Report.State.DONE).first()
    if report:
        origin = f"the report of {report.created_at:%Y-%m-%d}"
        for numbered, words in _of_report(report):
            yield numbered, Known(Answer(words), origin)


def _of_report(report: Report) -> Iterator[tuple[str, str]]:
    tables, kind = tables_of(report), kind_of(report)
    answer = kind.answer(tables, report.parameters)
    if answer:
        yield "4.3.9", CITATIONS.sub("", kind.paper(tables, report.parameters, answer).methods)
        yield "4.3.10", f"As described in 4.3.9, with these choices: {_choices(report.parameters)}."
    if words := agreement(tables):
        yield "4.3.11", words


def _choices(parameters: Mapping[str, Any]) -> str:
    return "; ".join(
        f"{name.replace('_', ' ')} {', '.join(map(str, value)) if isinstance(value, list) else value}"
        for name, value in parameters.items()
    )


def agreement(tables: Mapping[str, Table]) -> str:
    """Say how far judges agree, by the measure of the kind of report; empty if none was computed."""

    def lines(name: str) -> list[dict[str, Any]]:
        return list(tables[name].dicts()) if name in tables else []

    kappas = {line["kind"]: line["kappa"] for line in lines("agreement")}
    overall = [f"{number(kappas[kind])} {name}" for kind, name in OVERALL.items() if kappas.get(kind) is not None]
    if overall:
        return f"Cohen's kappa over pairs of outputs: {listed(overall)}."
    alphas = [
        f"{number(line['alpha'])}{span(line['low'], line['high'])} of the {line['who']} on {line['answers']}"
        for line in lines("verdict_agreement")
    ]
    if alphas:
        return f"Krippendorff's alpha: {'; '.join(alphas)}."
    shares = [line["same"] for line in lines("correction_pairs")]
    if shares:
        return f"Two judges write the same correction for {number(sum(shares) / len(shares))} of their sentences."
    return ""
