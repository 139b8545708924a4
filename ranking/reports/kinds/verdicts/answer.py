"""What a report on verdicts answers first."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from judgments.charts.numbers import in_words, number, span
from ranking.charts.lines import lines_of
from ranking.numbers.tables import Table
from ranking.reports.answers import Answer, facts_of
from ranking.reports.kinds.verdicts.paper import paper
from ranking.stats.verdicts.sections.systems import WEIGHTED

SCOPE = "these usages, judged by other judges of the same kind"


def answer(tables: Mapping[str, Table], parameters: Mapping[str, Any]) -> Answer | None:
    if "counts" not in tables:
        return None
    lines = lines_of(tables, "measures")
    by_f = [line for line in lines if line["by"] == WEIGHTED and line["f"] is not None]
    alphas = lines_of(tables, "verdict_agreement", "alpha")
    agreement = f"alpha {number(alphas[0]['alpha'])} between judges" if alphas else ""
    answered = Answer(_sentence(by_f, lines), tuple(facts_of(tables)), SCOPE, agreement, may_say=tuple(_may_say(by_f)),
                      may_not_say=tuple(_may_not_say(by_f)))  # fmt: skip
    return replace(answered, paper=paper(tables, parameters, answered)) if lines else answered


def _sentence(by_f: list[dict], lines: list[dict]) -> str:
    if not lines:
        return "The crowd has judged; no system is measured yet."
    if not by_f:
        return "No system found a usage that the crowd calls an error."
    best, *others = by_f
    if not others:
        return f"{_with_f(best)}."
    return f"{best['system']} has the highest F, {_f(best)}, of the {in_words(len(by_f))} systems."


def _with_f(line: dict) -> str:
    return f"{line['system']} has an F of {_f(line)}"


def _f(line: dict) -> str:
    return f"{number(line['f'])}{span(line['f_low'], line['f_high'])}"


def _may_say(by_f: list[dict]) -> list[str]:
    return [
        f"{line['system']} reaches a precision of {number(line['precision'])} and a recall of {number(line['recall'])} "
        "against the crowd."
        for line in by_f[:3]
    ]


def _may_not_say(by_f: list[dict]) -> list[str]:
    said = []
    if len(by_f) > 1:
        best, second = by_f[:2]
        covered = "" if best["instances"] == second["instances"] else " They did not cover the same usages."
        said.append(f"“{best['system']} is better than {second['system']}.” No test compares them.{covered}")
    said.append(f"“Other texts would give the same.” Intervals hold for {SCOPE}.")
    if by_f:
        said.append("“What else it marks is correct.” The crowd may be wrong, or undecided.")
    return said
