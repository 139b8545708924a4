"""What a report on edits answers first."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from judgments.charts.numbers import number, text_list
from ranking.charts.edits import of_both, percent, prediction_sentence, worth_sentence
from ranking.charts.lines import lines_of
from ranking.numbers.tables import Table
from ranking.reports.answers import Answer, counts_of, facts_of
from ranking.reports.kinds.edits.paper import paper
from ranking.stats.edits.clusters import FEWEST_SENTENCES
from ranking.stats.edits.parameters import EditParameters
from ranking.stats.edits.sections.judges import ALPHA_ACCEPTED
from ranking.stats.resampling import Unit

MOST_SAID = 5


def answer(tables: Mapping[str, Table], parameters: Mapping[str, Any]) -> Answer | None:
    if "counts" not in tables:
        return None
    judges = counts_of(tables).get("judges", 0)
    scope = Unit(EditParameters.of(parameters).fitted(judges).unit).generalises_to
    alphas = [line["value"] for line in lines_of(tables, "edit_agreement") if line["coefficient"] == ALPHA_ACCEPTED]
    agreement = f"alpha {number(alphas[0])} between judges on edits" if alphas else ""
    lines, pairs = lines_of(tables, "edit_systems", "precision"), lines_of(tables, "edit_pairs")
    worth, predicted = lines_of(tables, "edit_worth"), lines_of(tables, "edit_prediction")
    answered = Answer(
        _sentence(_enough(lines), lines, pairs), tuple(facts_of(tables)), scope, agreement,
        may_say=(*_may_say(pairs), *map(worth_sentence, of_both(worth)), *_predicted(predicted)),
        may_not_say=tuple(_may_not_say(_enough(lines), pairs, worth, scope)),
    )  # fmt: skip
    return replace(answered, paper=paper(tables, parameters, answered)) if lines else answered


def _enough(lines: list[dict]) -> list[dict]:
    """Systems with edits of which enough were judged to be named the best."""
    return [line for line in lines if line["sentences"] >= FEWEST_SENTENCES and line["edits"] >= FEWEST_SENTENCES]


def _sentence(enough: list[dict], lines: list[dict], pairs: list[dict]) -> str:
    if not lines:
        return "No edit of a system that takes part was judged yet."
    if not enough:
        return f"Too few edits were judged to compare systems: no system has {FEWEST_SENTENCES}, on as many sentences."
    best, *others = enough
    right = f"{_precision(best)} of them right"
    if not others:
        return f"People accept {_precision(best)} of the edits of {best['system']}."
    rivals = [line["system"] for line in others if not _is_resolved(pairs, best["system"], line["system"])]
    if rivals:
        return (
            f"{best['system']} has the highest share of edits that people accept, {_precision(best)}, but is not "
            f"separated from {text_list(rivals)}."
        )
    return f"{best['system']} has the most edits that people accept: {right}."


def _precision(line: dict) -> str:
    return percent(line["precision"], line["precision_low"], line["precision_high"])


def _is_resolved(pairs: list[dict], system: str, other: str) -> bool:
    return any(line["system"] == system and line["opponent"] == other and line["resolved"] for line in pairs)


def _may_say(pairs: list[dict]) -> list[str]:
    resolved = [line for line in pairs if line["resolved"]]
    return [
        f"People accept a larger share of the edits of {line['system']} than of {line['opponent']}."
        for line in resolved[:MOST_SAID]
    ]


def _predicted(lines: list[dict]) -> list[str]:
    return [prediction_sentence(lines)] if lines else []


def _may_not_say(enough: list[dict], pairs: list[dict], worth: list[dict], scope: str) -> list[str]:
    said = []
    if len(enough) > 1 and not _is_resolved(pairs, enough[0]["system"], enough[1]["system"]):
        said.append(
            f"“{enough[0]['system']} makes better edits than {enough[1]['system']}.” The data do not separate them."
        )
    said.append("“The system with the largest share of right edits is the best.” It may make few, or miss errors.")
    if worth:
        said.append(
            "“Edits cause preferences.” The same judges marked and ranked, so that a verdict may follow from the rank; "
            "look at what the marks of other judges predict."
        )
    return [*said, f"“Others would find the same.” The numbers hold for {scope}."]
