"""Paragraphs on a report on comparisons: what was done, and what came out."""

import re
from collections.abc import Mapping
from typing import Any

from judgments.charts.numbers import number, quantity, ranks
from ranking.charts.lines import lines_of
from ranking.numbers.tables import Table
from ranking.reports.answers import Answer, counts_of
from ranking.reports.papers.bibliography import computed_with
from ranking.reports.papers.paper import Paper
from ranking.stats.comparisons.parameters import ANY_TIME, MODERATED
from ranking.stats.rankings.methods import METHODS
from ranking.stats.resampling import Unit

SOURCES = {
    "expected-wins": "bojar2013",
    "expected-wins-published": "grundkiewicz2015",
    "trueskill-published": "herbrich2007; @grundkiewicz2015",
    "trueskill": "herbrich2007",
    "bradley-terry": "bradley1952; @davidson1970",
    "hierarchical": "thurstone1927",
    "mean-score": "napoles2019",
    "z-score": "graham2013",
    "mixed-model": "patterson1971",
}
DRAWN = {
    Unit.PAIR: "single comparisons",
    Unit.RANKING: "judgments",
    Unit.SENTENCE: "sentences",
    Unit.JUDGE: "judges",
    Unit.SENTENCE_AND_JUDGE: "sentences, with the variance between judges added [@cameron2011]",
}
# Papers do not begin a sentence with digits.
COUNT_FIRST = re.compile(r"^(?=[\d,]+ of )")


def paper(tables: Mapping[str, Table], parameters: Mapping[str, Any], answer: Answer) -> Paper:
    standings = [line for line in lines_of(tables, "standings") if line["method"] == answer.cited]
    label, level = METHODS[answer.cited].label, f"{100 * parameters['level']:g}%"
    table = Table.of(
        "ranking", ("System", "Score", f"{level} interval", "Ranks", "Cluster"),
        [
            (line["system"], line["score"], f"{number(line['score_low'], 3)} to {number(line['score_high'], 3)}",
             ranks(line["rank_low"], line["rank_high"]), line["cluster"])
            for line in standings
        ],
    )  # fmt: skip
    basis = ", ".join(answer.facts)
    caption = f"Systems ranked by {label}, with {level} intervals, rank ranges and clusters ({basis})."
    return Paper(_methods(tables, parameters, answer), _results(tables, answer), caption, table)


def _methods(tables: Mapping[str, Table], parameters: Mapping[str, Any], answer: Answer) -> str:
    alpha, unit = 100 * (1 - parameters["level"]), Unit(str(tables["standings"].rows[0][1]))
    counts = counts_of(tables)
    answers = "rating" if METHODS[answer.cited].for_ratings else "judgment"
    intervals = f"The {100 * parameters['level']:g}% intervals and rank ranges"
    said = [
        f"In total, {quantity(counts['judges'], 'judge')} made {quantity(counts['judgments'], answers)} of the outputs "
        f"of {quantity(counts['systems'], 'system')} for {quantity(counts['sentences'], 'sentence')}.",
        *(["The other systems that were judged are not analysed."] if parameters.get("systems") else []),
        f"Systems are ranked by {METHODS[answer.cited].label} [@{SOURCES[answer.cited]}].",
    ]
    if METHODS[answer.cited].is_posterior:
        said.append(f"{intervals} are computed from draws from the posterior distribution.")
    elif parameters["looks"] == ANY_TIME:
        said.append(f"{intervals} are confidence sequences, valid at any time [@waudbysmith2024].")
    else:
        is_moderated = parameters["intervals"] == MODERATED
        moderated = "; they are moderated for systems with few sentences [@smyth2004]" if is_moderated else ""
        said.append(
            f"{intervals} come from {parameters['replicates']:,} bootstrap replicates [@efron1993] that resample "
            f"{DRAWN[unit]}{moderated}. They hold for {unit.generalises_to}."
        )
    said.append(
        "All pairs of systems are compared with a step-down multiple testing procedure [@romano2005], which controls "
        f"the familywise error rate at {alpha:.3g}%."
    )
    if parameters["delta"]:
        said.append(
            f"Equivalence within a margin of {parameters['delta']:g} is assessed with two one-sided tests "
            "[@schuirmann1987]."
        )
    if "agreement" in tables:
        said.append(
            "Agreement is measured by kappa on pairs of outputs, with the agreement expected by chance estimated from "
            "all judges together [@grundkiewicz2015]."
        )
    return " ".join([*said, computed_with(parameters["seed"])])


def _results(tables: Mapping[str, Table], answer: Answer) -> str:
    said = [COUNT_FIRST.sub("Altogether, ", sentence) for sentence in (answer.sentence, *answer.may_say)]
    _, *others = dict.fromkeys(map(str, tables["standings"].column("method")))
    said += [
        f"{other.label} [@{SOURCES[name]}] leads to the same conclusion for {other.same} of {other.pairs} pairs."
        for name, other in zip(others, answer.others, strict=True)
    ]
    if answer.agreement:
        said.append(f"The judges' agreement is {answer.agreement}.")
    return " ".join(said)
