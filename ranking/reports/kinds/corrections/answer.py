"""What a report on corrections answers first."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from judgments.charts.numbers import in_words, number, span
from ranking.charts.lines import lines_of
from ranking.numbers.tables import Table
from ranking.reports.answers import Answer, facts_of
from ranking.reports.kinds.corrections.paper import paper
from ranking.stats.corrections.scoring import DrawnBy
from ranking.stats.corrections.sections import PEOPLE, SYSTEM

SCOPES = {
    DrawnBy.SENTENCE: "other sentences of the same kind, corrected by these judges",
    DrawnBy.DOCUMENT: "other documents of the same kind, corrected by these judges",
}


def answer(tables: Mapping[str, Table], parameters: Mapping[str, Any]) -> Answer | None:
    if "counts" not in tables:
        return None
    scope = SCOPES[DrawnBy(parameters["unit"])]
    facts, same = tuple(facts_of(tables)), [line["same"] for line in lines_of(tables, "correction_pairs", "same")]
    agreement = f"two judges write the same for {number(sum(same) / len(same))} of sentences" if same else ""
    lines = lines_of(tables, "combinations")
    if not lines:
        return Answer("The judges' corrections cannot be compared yet.", facts, scope, agreement)
    gold = max(line["gold"] for line in lines if line["kind"] == PEOPLE)
    people = next(line for line in lines if line["kind"] == PEOPLE and line["gold"] == gold)
    systems = [line for line in lines if line["kind"] == SYSTEM and line["gold"] == gold]
    against = f"against {in_words(gold)} other judge{'s' * (gold != 1)}"
    answered = Answer(
        _sentence(people, systems, against, parameters["beta"]), facts, scope, agreement,
        may_say=tuple(_may_say(people, systems, against)), may_not_say=tuple(_may_not_say(systems, against, scope)),
    )  # fmt: skip
    return replace(answered, paper=paper(tables, parameters, answered))


def _sentence(people: dict, systems: list[dict], against: str, beta: float) -> str:
    score, reached = f"F{beta:g}", f"{number(people['f'])} {against}"
    best = max((line for line in systems if line["f"] is not None), key=lambda line: line["f"], default=None)
    if best is None:
        return f"People reach an {score} of {reached}."
    if best["ratio"] is None:
        return f"{best['who']}, the best system, reaches an {score} of {number(best['f'])}; people reach {reached}."
    return f"{best['who']}, the best system, reaches {number(100 * best['ratio'], 0)}% of people’s {score} ({reached})."


def _may_say(people: dict, systems: list[dict], against: str) -> list[str]:
    said = [f"{against.capitalize()}, people reach {number(people['f'])}{span(people['f_low'], people['f_high'])}."]
    ordered = sorted((line for line in systems if line["f"] is not None), key=lambda line: -line["f"])
    return said + [
        f"{line['who']} reaches {number(line['f'])}{span(line['f_low'], line['f_high'])} against the same number."
        for line in ordered[:2]
    ]


def _may_not_say(systems: list[dict], against: str, scope: str) -> list[str]:
    said = [f"“A perfect system reaches an F of 1.” Even people do not, {against}."]
    if len(systems) > 1:
        said.append("“One system is better than another.” No test compares them; look at their intervals.")
    return [*said, f"“Other judges would give the same.” The numbers hold for {scope}."]
