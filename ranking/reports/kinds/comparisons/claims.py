"""What a ranking supports: who is best, what may be said, and what may not, from the tables of a report alone.

A pair of systems is separated if its test among all pairs is significant (`resolved` in pairs.csv), so that all
sentences about pairs hold together. Rank ranges hold for one system at a time.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from judgments.charts.numbers import chance, in_words, number, text_list
from judgments.rules.files.names import is_source_name
from ranking.charts.lines import lines_of
from ranking.numbers.tables import Table
from ranking.stats.comparisons.sections.judges import OVERALL
from ranking.stats.resampling import Unit

MOST_NAMED = 3
# A chance to be best that readers may take for proof.
LIKELY = 0.5
Pair = tuple[str, str]


@dataclass(frozen=True)
class Findings:
    """The standings by one method, best first, and its pairs, the better one first."""

    lines: tuple[dict, ...]
    pairs: tuple[dict, ...]

    @classmethod
    def of(cls, tables: Mapping[str, Table], method: str) -> "Findings":
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

    @property
    def next_group(self) -> list[str]:
        """The second system, and those after it as long as no two of them are separated."""
        group = self.systems[1:2]
        for system in self.systems[2:]:
            if any((better, system) in self.separated for better in group):
                break
            group.append(system)
        return group


def agreement_of(tables: Mapping[str, Table]) -> str:
    """Kappa between judges, and of judges with themselves, as far as they are known."""
    kappas = {line["kind"]: line["kappa"] for line in lines_of(tables, "agreement", "kappa")}
    known = [f"{number(kappas[kind])} {between}" for kind, between in OVERALL.items() if kind in kappas]
    return f"kappa {', '.join(known)}" if known else ""


def headline(found: Findings) -> str:
    """The sentence to quote."""
    first, *others = found.systems
    beside = found.not_separated_from(first)
    if not found.separated:
        return f"The judgments do not separate {_all(found.systems)}."
    if len(found.leaders) > 1:
        return f"{text_list(found.leaders)} share the highest score; the judgments do not separate them."
    if beside:
        return f"{first} scores highest; the judgments do not separate it from {_named(beside, others)}."
    if not others[1:]:
        return f"{first} is better than {others[0]}."
    return f"{first} is best; {_next(found, others)}."


def _all(systems: Sequence[str]) -> str:
    return " and ".join(systems) if len(systems) == 2 else f"any of the {in_words(len(systems))} systems"


def _named(some: Sequence[str], of: Sequence[str]) -> str:
    """Name a few systems, or count them."""
    if len(some) == len(of) > 1:
        return f"any of the other {in_words(len(of))}"
    return text_list(some) if len(some) <= MOST_NAMED else f"{in_words(len(some))} others"


def _next(found: Findings, others: Sequence[str]) -> str:
    group = found.next_group
    if len(group) == len(others):
        return f"the judgments do not separate the other {in_words(len(others))}"
    if len(group) > 1:
        return f"the judgments do not separate the next {in_words(len(group))}"
    beside = found.not_separated_from(others[0])
    if not beside:
        return f"{others[0]} is second"
    return f"the judgments do not separate {others[0]} from {_named(beside, others[1:])}"


def may_say(found: Findings, level: float) -> list[str]:
    first, *others = found.systems
    beaten = [other for other in others if (first, other) in found.separated]
    said = []
    if beaten:
        which = f"all {in_words(len(others))} other systems" if len(beaten) == len(others) > 1 else text_list(beaten, 6)
        said.append(f"{first} is better than {which}.")
    elif found.separated:
        line = max((line for line in found.pairs if line["resolved"]), key=lambda line: line["difference"])
        said.append(f"{line['system']} is better than {line['opponent']}.")
    said.append(_count_of_pairs(found, level))
    source = next(filter(is_source_name, found.systems), None)
    if equivalent := [f"{line['system']} and {line['opponent']}" for line in found.pairs if line["equivalent"]]:
        said.append(f"Equally good within the margin fixed beforehand: {text_list(equivalent, 4)}.")
    else:
        said.append(_against_source(found, source) if source else _rank_of_first(found))
    return said


def _against_source(found: Findings, source: str) -> str:
    better = [system for system in found.systems if (system, source) in found.separated]
    if len(better) > MOST_NAMED:
        who = f"{in_words(len(better)).capitalize()} systems are"
    else:
        who = f"{text_list(better)} {'is' if len(better) == 1 else 'are'}" if better else "No system is shown to be"
    named = "the source" if source.casefold() == "source" else f"{source}, the source"
    return f"{who} better than {named}."


def _count_of_pairs(found: Findings, level: float) -> str:
    total, some = len(found.pairs), len(found.separated)
    if not some:
        return f"None of the {total:,} pairs of systems differs significantly, all tested together."
    return (
        f"{some:,} of {total:,} pairs of systems differ; all are tested together, so that the probability of any false "
        f"difference among them is at most {100 * (1 - level):.3g}%."
    )


def _rank_of_first(found: Findings) -> str:
    line = found.lines[0]
    low, high = line["rank_low"], line["rank_high"]
    ranks = f"rank {low}" if low == high else f"rank {low} to {high}"
    best = "" if line["p_best"] is None else f" and is the best system with a probability of {chance(line['p_best'])}"
    return f"Taken alone, {line['system']} has {ranks}{best}."


BEYOND = {
    Unit.PAIR: "Other sentences or other judges",
    Unit.RANKING: "Other sentences or other judges",
    Unit.SENTENCE: "Other judges",
    Unit.JUDGE: "Other sentences",
    Unit.SENTENCE_AND_JUDGE: "Another kind of text or of judges",
}


def may_not_say(found: Findings, unit: Unit) -> list[str]:
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
