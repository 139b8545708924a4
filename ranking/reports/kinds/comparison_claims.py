"""What a ranking supports: who is best, what may be said, and what may not, from the tables of a report alone.

A pair of systems is separated if its test among all pairs is significant (`resolved` in pairs.csv), so that all
sentences about pairs hold together. Rank ranges hold for one system at a time.

From this come what a report on comparisons answers first, and the paragraphs for a paper.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from judgments.charts.numbers import chance, in_words, number, quantity, ranks, text_list
from judgments.rules.files.names import is_source_name
from ranking.charts.lines import kappas_of, lines_of
from ranking.numbers.tables import Table
from ranking.reports.answers import Answer, OtherMethod, counts_of, facts_of
from ranking.reports.papers import Paper, computed_with
from ranking.stats.comparisons.judges import OVERALL
from ranking.stats.comparisons.study import ANY_TIME, MODERATED
from ranking.stats.rankings.methods import METHODS
from ranking.stats.resampling import Unit

MOST_NAMED = 3
# A chance to be best that readers may take for proof.
LIKELY = 0.5
Pair = tuple[str, str]


@dataclass(frozen=True)
class MethodFindings:
    """The standings by one method, best first, and its pairs, the better one first."""

    lines: tuple[dict, ...]
    pairs: tuple[dict, ...]

    @classmethod
    def of(cls, tables: Mapping[str, Table], method: str) -> "MethodFindings":
        standings, pairs = (
            tuple(line for line in lines_of(tables, name) if line["method"] == method)
            for name in ("standings", "pairs")
        )
        return cls(standings, pairs)

    @cached_property
    def systems(self) -> list[str]:
        return [str(line["system"]) for line in self.lines]

    @cached_property
    def separated(self) -> set[Pair]:
        return {(line["system"], line["opponent"]) for line in self.pairs if line["resolved"]}

    @cached_property
    def leaders(self) -> list[str]:
        """The systems with the highest score."""
        return [str(line["system"]) for line in self.lines if line["score"] == self.lines[0]["score"]]

    def not_separated_from(self, system: str) -> list[str]:
        return [
            other
            for other in self.systems
            if other != system and not {(system, other), (other, system)} & self.separated
        ]


def headline(found: MethodFindings) -> str:
    """The sentence to quote."""
    first, *others = found.systems
    beside = found.not_separated_from(first)
    if not found.separated:
        many = f"any of the {in_words(len(found.systems))} systems"
        return f"The judgments do not separate {' and '.join(found.systems) if len(others) == 1 else many}."
    if len(found.leaders) > 1:
        return f"{text_list(found.leaders)} share the highest score; the judgments do not separate them."
    if beside:
        return f"{first} scores highest; the judgments do not separate it from {_name_or_count(beside, others)}."
    if len(others) == 1:
        return f"{first} is better than {others[0]}."
    # The second system, and those after it as long as no two of them are separated.
    group = others[:1]
    for system in others[1:]:
        if any((better, system) in found.separated for better in group):
            break
        group.append(system)
    if len(group) > 1:
        which = "other" if len(group) == len(others) else "next"
        return f"{first} is best; the judgments do not separate the {which} {in_words(len(group))}."
    if beside := found.not_separated_from(others[0]):
        also = _name_or_count(beside, others[1:])
        return f"{first} is best; the judgments do not separate {others[0]} from {also}."
    return f"{first} is best; {others[0]} is second."


def _name_or_count(some: Sequence[str], of: Sequence[str]) -> str:
    if len(some) == len(of) > 1:
        return f"any of the other {in_words(len(of))}"
    return text_list(some) if len(some) <= MOST_NAMED else f"{in_words(len(some))} others"


def may_say(found: MethodFindings, level: float) -> list[str]:
    first, *others = found.systems
    said = []
    if beaten := [other for other in others if (first, other) in found.separated]:
        which = f"all {in_words(len(others))} other systems" if len(beaten) == len(others) > 1 else text_list(beaten, 6)
        said.append(f"{first} is better than {which}.")
    elif found.separated:
        line = max((line for line in found.pairs if line["resolved"]), key=lambda line: line["difference"])
        said.append(f"{line['system']} is better than {line['opponent']}.")
    total, some = len(found.pairs), len(found.separated)
    said.append(
        f"{some:,} of {total:,} pairs of systems differ; all are tested together, so that the probability of any false "
        f"difference among them is at most {100 * (1 - level):.3g}%."
        if some
        else f"None of the {total:,} pairs of systems differs significantly, all tested together."
    )
    source = next(filter(is_source_name, found.systems), None)
    if equivalent := [f"{line['system']} and {line['opponent']}" for line in found.pairs if line["equivalent"]]:
        said.append(f"Equally good within the margin fixed beforehand: {text_list(equivalent, 4)}.")
    elif source:
        better = [system for system in found.systems if (system, source) in found.separated]
        if len(better) > MOST_NAMED:
            who = f"{in_words(len(better)).capitalize()} systems are"
        else:
            who = f"{text_list(better)} {'is' if len(better) == 1 else 'are'}" if better else "No system is shown to be"
        said.append(f"{who} better than {'the source' if source.casefold() == 'source' else f'{source}, the source'}.")
    else:
        low, high, p_best = (found.lines[0][column] for column in ("rank_low", "rank_high", "p_best"))
        has = f"rank {low}" if low == high else f"rank {low} to {high}"
        best = "" if p_best is None else f" and is the best system with a probability of {chance(p_best)}"
        said.append(f"Taken alone, {first} has {has}{best}.")
    return said


BEYOND = {
    Unit.PAIR: "Other sentences or other judges",
    Unit.RANKING: "Other sentences or other judges",
    Unit.SENTENCE: "Other judges",
    Unit.JUDGE: "Other sentences",
    Unit.SENTENCE_AND_JUDGE: "Another kind of text or of judges",
}


def may_not_say(found: MethodFindings, unit: Unit) -> list[str]:
    said = []
    if pairs := [line for line in found.pairs if not line["resolved"]]:
        first, *others = found.systems
        beside = found.not_separated_from(first)
        if len(others) > 1 and 0 < len(beside) < len(others):
            likely = found.lines[0]["p_best"] or 0
            proof = f"; its chance to be best is {chance(likely)}" if likely > LIKELY else ""
            said.append(f"“{first} is the best system.” It is not separated from {text_list(beside, 8)}{proof}.")
        else:
            said.append(f"“{pairs[0]['system']} is better than {pairs[0]['opponent']}.” They are not separated.")
        if all(line["equivalent"] is None for line in found.pairs):
            closest = min(pairs, key=lambda line: line["difference"])
            pair = f"{closest['system']} and {closest['opponent']}"
            said.append(f"“{pair} are equally good.” Not separated is not equal.")
    said.append(f"“{BEYOND[unit]} would give the same.”")
    return said


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
    standings, counts = tables["standings"].dicts(), counts_of(tables)
    method, unit = METHODS[answer.cited], Unit(str(standings[0]["unit"]))
    level, alpha = f"{100 * parameters['level']:g}%", f"{100 * (1 - parameters['level']):.3g}%"
    intervals = f"The {level} intervals and rank ranges"
    if method.is_posterior:
        intervals += " are computed from draws from the posterior distribution."
    elif parameters["looks"] == ANY_TIME:
        intervals += " are confidence sequences, valid at any time [@waudbysmith2024]."
    else:
        is_moderated = parameters["intervals"] == MODERATED
        moderated = "; they are moderated for systems with few sentences [@smyth2004]" if is_moderated else ""
        intervals += (
            f" come from {parameters['replicates']:,} bootstrap replicates [@efron1993] that resample "
            f"{DRAWN[unit]}{moderated}. They hold for {unit.generalises_to}."
        )
    methods = [
        f"In total, {quantity(counts['judges'], 'judge')} made "
        f"{quantity(counts['judgments'], 'rating' if method.for_ratings else 'judgment')} of the outputs "
        f"of {quantity(counts['systems'], 'system')} for {quantity(counts['sentences'], 'sentence')}.",
        *(["The other systems that were judged are not analysed."] if parameters.get("systems") else []),
        f"Systems are ranked by {method.label} [@{method.sources}].",
        intervals,
        "All pairs of systems are compared with a step-down multiple testing procedure [@romano2005], which controls "
        f"the familywise error rate at {alpha}.",
    ]
    if parameters["delta"]:
        methods.append(
            f"Equivalence within a margin of {parameters['delta']:g} is assessed with two one-sided tests "
            "[@schuirmann1987]."
        )
    if "agreement" in tables:
        methods.append(
            "Agreement is measured by kappa on pairs of outputs, with the agreement expected by chance estimated from "
            "all judges together [@grundkiewicz2015]."
        )
    methods.append(computed_with(parameters["seed"]))

    results = [COUNT_FIRST.sub("Altogether, ", sentence) for sentence in (answer.sentence, *answer.may_say)]
    _, *others = dict.fromkeys(str(line["method"]) for line in standings)
    results += [
        f"{other.label} [@{METHODS[name].sources}] leads to the same conclusion for {other.same} of {other.pairs} "
        "pairs."
        for name, other in zip(others, answer.others, strict=True)
    ]
    if answer.agreement:
        results.append(f"The judges' agreement is {answer.agreement}.")

    table = Table.of(
        "ranking", ("System", "Score", f"{level} interval", "Ranks", "Cluster"),
        [
            (line["system"], line["score"], f"{number(line['score_low'], 3)} to {number(line['score_high'], 3)}",
             ranks(line["rank_low"], line["rank_high"]), line["cluster"])
            for line in lines_of(tables, "standings") if line["method"] == answer.cited
        ],
    )  # fmt: skip
    basis = ", ".join(answer.facts)
    caption = f"Systems ranked by {method.label}, with {level} intervals, rank ranges and clusters ({basis})."
    return Paper(" ".join(methods), " ".join(results), caption, table)


def answer(tables: Mapping[str, Table], parameters: Mapping[str, Any]) -> Answer | None:
    """The answer by the first method that could rank; None before there is a ranking."""
    if not {"counts", "standings", "pairs"} <= tables.keys():
        return None
    cited, *others = dict.fromkeys(map(str, tables["standings"].column("method")))
    unit = Unit(str(tables["standings"].rows[0][1]))
    refused = [] if cited == parameters["methods"][0] else lines_of(tables, "standings_refused")
    found, level = MethodFindings.of(tables, cited), parameters["level"]
    # Kappa between judges, and of judges with themselves, as far as they are known.
    kappas = {line["kind"]: line["kappa"] for line in kappas_of(tables) if line["kappa"] is not None}
    known = [f"{number(kappas[kind])} {between}" for kind, between in OVERALL.items() if kind in kappas]
    differing, pairs = [line["other_method"] for line in lines_of(tables, "methods_compared")], len(found.pairs)
    answered = Answer(
        sentence=headline(found),
        facts=tuple(facts_of(tables)),
        scope=unit.generalises_to,
        caution=unit.caution,
        refused=next((str(line["reason"]) for line in refused), ""),
        agreement=f"kappa {', '.join(known)}" if known else "",
        cited=cited,
        may_say=tuple(may_say(found, level)),
        may_not_say=tuple(may_not_say(found, unit)),
        others=tuple(OtherMethod(METHODS[name].label, pairs - differing.count(name), pairs) for name in others),
    )
    return replace(answered, paper=paper(tables, parameters, answered))
