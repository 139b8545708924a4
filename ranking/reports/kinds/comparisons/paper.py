"""Paragraphs on a report on comparisons: what was done, and what came out."""

from collections.abc import Mapping
from typing import Any

from judgments.web.charts.numbers import number, ranks
from ranking.charts.drawing.sheets import lines_of
from ranking.numbers.tables import Table
from ranking.reports.answers import Answer, counts_of
from ranking.reports.papers.bibliography import PLATFORM
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


def paper(tables: Mapping[str, Table], parameters: Mapping[str, Any], answer: Answer) -> Paper:
    standings = [line for line in lines_of(tables, "standings") if line["method"] == answer.cited]
    label, level = METHODS[answer.cited].label, f"{100 * parameters['level']:g}%"
    table = Table.of(
        "paper", ("System", "Score", "Interval", "Ranks", "Cluster"),
        [
            (line["system"], line["score"], f"{number(line['score_low'], 3)} to {number(line['score_high'], 3)}",
             ranks(line["rank_low"], line["rank_high"]), line["cluster"])
            for line in standings
        ],
    )  # fmt: skip
    caption = f"Systems ranked by {label}, with {level} intervals, rank ranges and clusters."
    return Paper(_methods(tables, parameters, answer), _results(tables, answer), caption, table)


def _methods(tables: Mapping[str, Table], parameters: Mapping[str, Any], answer: Answer) -> str:
    alpha, unit = 100 * (1 - parameters["level"]), Unit(str(tables["standings"].rows[0][1]))
    counts = counts_of(tables)
    answers = "ratings" if METHODS[answer.cited].for_ratings else "judgments"
    intervals = f"{100 * parameters['level']:g}% intervals and rank ranges"
    said = [
        f"{counts['judges']:,} judges made {counts['judgments']:,} {answers} of the outputs of {counts['systems']} "
        f"systems for {counts['sentences']:,} sentences.",
        f"Systems are ranked by {METHODS[answer.cited].label} [@{SOURCES[answer.cited]}].",
    ]
    if METHODS[answer.cited].is_posterior:
        said.append(f"{intervals} are those of draws from the posterior distribution.")
    elif parameters["looks"] == ANY_TIME:
        said.append(f"{intervals} are confidence sequences, valid at any time [@waudbysmith2024].")
    else:
        is_moderated = parameters["intervals"] == MODERATED
        moderated = ", and moderated for systems with few sentences [@smyth2004]" if is_moderated else ""
        said.append(
            f"{intervals} come from {parameters['replicates']:,} bootstrap replicates [@efron1993] that draw "
            f"{DRAWN[unit]}{moderated}; they hold for {unit.generalises_to}."
        )
    said.append(
        "All pairs of systems are tested together by a step-down procedure [@romano2005], so that the chance of any "
        f"false difference is at most {alpha:.3g}%."
    )
    if parameters["delta"]:
        said.append(f"Equivalence within {parameters['delta']:g} is tested by two one-sided tests [@schuirmann1987].")
    if "agreement" in tables:
        said.append(
            "Agreement is kappa over pairs of outputs, with the chance of all judges together [@grundkiewicz2015]."
        )
    return " ".join([*said, f"The numbers were computed by Appraise GEC [@{PLATFORM}] with seed {parameters['seed']}."])


def _results(tables: Mapping[str, Table], answer: Answer) -> str:
    said = [answer.sentence, *answer.may_say]
    said += [f"{other.label} concludes the same for {other.same} of {other.pairs} pairs." for other in answer.others]
    if answer.agreement:
        said.append(f"Agreement of the judges: {answer.agreement}.")
    return " ".join(said)
