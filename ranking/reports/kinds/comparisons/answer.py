"""What a report on comparisons answers first."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ranking.charts.lines import lines_of
from ranking.numbers.tables import Table
from ranking.reports.answers import Answer, OtherMethod, facts_of
from ranking.reports.kinds.comparisons.claims import Findings, agreement_of, headline, may_not_say, may_say
from ranking.reports.kinds.comparisons.paper import paper
from ranking.stats.rankings.methods import METHODS
from ranking.stats.resampling import Unit


def answer(tables: Mapping[str, Table], parameters: Mapping[str, Any]) -> Answer | None:
    """The answer by the first method that could rank; None before there is a ranking."""
    if not {"counts", "standings", "pairs"} <= tables.keys():
        return None
    cited, unit = str(tables["standings"].rows[0][0]), Unit(str(tables["standings"].rows[0][1]))
    refused = [] if cited == parameters["methods"][0] else lines_of(tables, "standings_refused")
    found, level = Findings.of(tables, cited), parameters["level"]
    answered = Answer(
        sentence=headline(found),
        facts=tuple(facts_of(tables)),
        scope=unit.generalises_to,
        caution=unit.caution,
        refused=next((str(line["reason"]) for line in refused), ""),
        agreement=agreement_of(tables),
        cited=cited,
        may_say=tuple(may_say(found, level)),
        may_not_say=tuple(may_not_say(found, unit)),
        others=tuple(_others(tables, len(found.pairs))),
    )
    return replace(answered, paper=paper(tables, parameters, answered))


def _others(tables: Mapping[str, Table], pairs: int) -> list[OtherMethod]:
    _, *others = dict.fromkeys(map(str, tables["standings"].column("method")))
    differing = [line["other_method"] for line in lines_of(tables, "methods_compared")]
    return [OtherMethod(METHODS[name].label, pairs - differing.count(name), pairs) for name in others]
