"""What the plan of analysis and a report say about the questions of a datasheet."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from judgments.models import Campaign
from judgments.rules.datasheet.sheet import Answer, Known
from ranking.models import AnalysisPlan, Report
from ranking.reports.downloads import tables_of
from ranking.reports.kinds.registry import answer_of
from ranking.reports.papers import CITATION
from ranking.reports.plans import known_before

CITATIONS = re.compile(rf" {CITATION.pattern}")


def of_results(campaign: Campaign, report: Report | None) -> Iterator[tuple[str, Known]]:
    plan = AnalysisPlan.objects.filter(campaign=campaign).order_by("pk").first()
    if plan:
        known = known_before(plan, campaign)
        when = f"after {known}, so it is not a preregistration" if known else "before the first judgment"
        fixed = f"A plan of analysis was fixed on {plan.fixed_at:%Y-%m-%d}, {when}."
        yield "3.3.1", Known(Answer(fixed), "the plan of analysis")
    if report:
        for numbered, words in _of_report(report):
            yield numbered, Known(Answer(words), report.name)


def _of_report(report: Report) -> Iterator[tuple[str, str]]:
    answer = answer_of(report, tables_of(report))
    if answer and answer.paper:
        yield "4.3.9", CITATIONS.sub("", answer.paper.methods)
        yield "4.3.10", f"As described in 4.3.9, with these choices: {_choices(report.parameters)}."
    if answer and answer.agreement:
        yield "4.3.11", f"Agreement of the judges: {answer.agreement}."


def _choices(parameters: Mapping[str, Any]) -> str:
    return "; ".join(
        f"{name.replace('_', ' ')} {', '.join(map(str, value)) if isinstance(value, list) else value}"
        for name, value in parameters.items()
    )
