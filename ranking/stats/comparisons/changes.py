"""Differences between two reports on one campaign, in parameters and conclusions.

Toy: with clusters {A, B}, {C} before and {A}, {B, C} now, cluster 1 split (A is now ahead of B), and B and C joined (B
is no longer ahead of C).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from ranking.numbers.tables import Cell, Table
from ranking.stats.rankings.methods import METHODS

Group = tuple[str, ...]


class Kind(StrEnum):
    SPLIT = "split"
    JOINED = "joined"
    OVERTAKEN = "overtaken"


@dataclass(frozen=True)
class Regrouping:
    """Groups of systems, the best first: from one earlier or one later cluster, or a system and those it overtook."""

    kind: Kind
    cluster: int
    groups: tuple[Group, ...]

    def sentence(self) -> str:
        first, second, *others = self.groups
        ahead = f"{listed(first)} {'is' if len(first) == 1 else 'are'}"
        pairs = list(zip(self.groups[1:], others, strict=False))
        if self.kind is Kind.SPLIT:
            further = "".join(f", and {listed(better)} of {listed(worse)}" for better, worse in pairs)
            return f"Cluster {self.cluster} split: {ahead} now ahead of {listed(second)}{further}."
        if self.kind is Kind.JOINED:
            further = "".join(f", nor {listed(better)} of {listed(worse)}" for better, worse in pairs)
            return f"Joined in cluster {self.cluster}: {ahead} no longer ahead of {listed(second)}{further}."
        return f"Overtaken: {ahead} now ahead of {listed(second)}, and was behind."


def regroupings(before: Mapping[str, int], now: Mapping[str, int]) -> list[Regrouping]:
    """Compare clusters, given the cluster of each system before and now; ignore systems in only one of them."""
    common = [system for system in now if system in before]
    split = [Regrouping(Kind.SPLIT, *found) for found in _apart(common, before, now)]
    joined = [Regrouping(Kind.JOINED, *found) for found in _apart(common, now, before)]
    passed = {
        system: tuple(other for other in common if before[system] > before[other] and now[system] < now[other])
        for system in common
    }
    overtaken = [
        Regrouping(Kind.OVERTAKEN, now[system], ((system,), others)) for system, others in passed.items() if others
    ]
    return split + joined + overtaken


def listed(names: Sequence[str]) -> str:
    """Join names as in a sentence: A, B and C."""
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def _apart(
    systems: Sequence[str], inside: Mapping[str, int], by: Mapping[str, int]
) -> list[tuple[int, tuple[Group, ...]]]:
    """Return the clusters of one ranking that the other splits, each with its groups."""
    found: dict[int, dict[int, list[str]]] = {}
    for system in systems:
        found.setdefault(inside[system], {}).setdefault(by[system], []).append(system)
    return [
        (cluster, tuple(tuple(members) for _, members in sorted(groups.items())))
        for cluster, groups in sorted(found.items())
        if len(groups) > 1
    ]


# The columns of standings that are compared.
MOVING = ("cluster", "rank", "rank_low", "rank_high", "score")
CHANGES = (
    "method", "system", "cluster_before", "cluster", "rank_before", "rank", "rank_low_before", "rank_high_before",
    "rank_low", "rank_high", "score_before", "score", "moved",
)  # fmt: skip
CHANGED_PAIRS = (
    "method", "system", "opponent", "verdict_before", "verdict", "difference_before", "difference", "p_value_before",
    "p_value",
)  # fmt: skip
COMPARED = ("standings", "pairs")
WON, LOST, UNDECIDED = "better", "worse", "not separated"

Line = dict[str, Cell]


@dataclass(frozen=True)
class Conclusion:
    tables: Mapping[str, Table]
    choices: Mapping[str, object]

    def lines(self, table: str) -> list[Line]:
        return self.tables[table].dicts() if table in self.tables else []


class Choice(NamedTuple):
    """A parameter that differs; empty if a report did not have it."""

    name: str
    before: str
    now: str


@dataclass(frozen=True)
class Changes:
    """All differences; the tables hold every system, but only pairs whose verdict changed."""

    choices: tuple[Choice, ...]
    only_in_one: tuple[str, ...]
    moves: Table
    regroupings: Mapping[str, tuple[Regrouping, ...]]
    pairs: Table

    @property
    def conclusions_stand(self) -> bool:
        """Whether there are rankings to compare, with the same clusters and verdicts, whatever the numbers."""
        return bool(self.moves.rows) and not self._conclusions_differ

    @property
    def is_empty(self) -> bool:
        return not (self._conclusions_differ or self.choices or any(map(has_changed, self.moves.dicts())))

    @property
    def _conclusions_differ(self) -> bool:
        return bool(self.only_in_one or any(self.regroupings.values()) or self.pairs.rows)

    def sentences(self) -> list[str]:
        if self.is_empty:
            return ["Nothing changed."]
        return [
            *(
                f"{name}: {before or 'not chosen'} before, {now or 'not chosen'} now."
                for name, before, now in self.choices
            ),
            *self.only_in_one,
            *(
                f"{METHODS[method].label}: {one.sentence()}"
                for method, found in self.regroupings.items()
                for one in found
            ),
            *map(_pair_sentence, self.pairs.dicts()),
            *(["No cluster and no pair changed."] if self.conclusions_stand else []),
        ]


def compare(earlier: Conclusion, later: Conclusion) -> Changes:
    before, now = earlier.choices, later.choices
    moves = Table.of("changes", CHANGES, _moves(earlier, later))
    clusters: dict[str, tuple[dict[str, int], dict[str, int]]] = {}
    for line in moves.dicts():
        for of_method, column in zip(
            clusters.setdefault(str(line["method"]), ({}, {})), ("cluster_before", "cluster"), strict=True
        ):
            of_method[str(line["system"])] = int(line[column] or 0)
    return Changes(
        choices=tuple(
            Choice(name.replace("_", " "), _text(before.get(name)), _text(now.get(name)))
            for name in dict.fromkeys([*before, *now])
            if before.get(name) != now.get(name)
        ),
        only_in_one=tuple(_only_in_one(earlier, later)),
        moves=moves,
        regroupings={method: tuple(regroupings(*both)) for method, both in clusters.items()},
        pairs=Table.of("changed_pairs", CHANGED_PAIRS, _changed_pairs(earlier, later)),
    )


def has_changed(move: Line) -> bool:
    return any(move[f"{name}_before"] != move[name] for name in MOVING)


def _pair_sentence(pair: Line) -> str:
    if pair["verdict"] == UNDECIDED:
        return f"{pair['system']} is no longer separated from {pair['opponent']}."
    lost = ", which was better before" if pair["verdict_before"] == LOST else ""
    return f"{pair['system']} is now better than {pair['opponent']}{lost}."


def _text(chosen: object) -> str:
    if isinstance(chosen, list | tuple):
        return ", ".join(map(str, chosen))
    return "" if chosen is None else str(chosen)


def _only_in_one(earlier: Conclusion, later: Conclusion) -> Iterator[str]:
    for label, one, other in (("earlier", earlier, later), ("later", later, earlier)):
        lines = one.lines("standings")
        known = other.lines("standings")
        for name in _missing(lines, known, "method"):
            yield f"Only the {label} report ranks by {METHODS[name].label}."
        if known and (systems := _missing(lines, known, "system")):
            yield f"Only the {label} report ranks {listed(systems)}."


def _missing(lines: list[Line], others: list[Line], column: str) -> list[str]:
    known = {line[column] for line in others}
    return [str(name) for name in dict.fromkeys(line[column] for line in lines) if name not in known]


def _moves(earlier: Conclusion, later: Conclusion) -> Iterator[tuple[Cell, ...]]:
    """Yield every system that both reports rank by a method, in the later order."""
    was = {(line["method"], line["system"]): line for line in earlier.lines("standings")}
    for now in later.lines("standings"):
        if before := was.get((now["method"], now["system"])):
            line = now | {f"{name}_before": before[name] for name in MOVING}
            line["moved"] = int(before["rank"] or 0) - int(now["rank"] or 0)
            yield tuple(line[column] for column in CHANGES)


def _changed_pairs(earlier: Conclusion, later: Conclusion) -> Iterator[tuple[Cell, ...]]:
    """Yield each pair by the first method of both, for the system that is better now or, if neither is, was before."""
    known = {line["method"] for line in earlier.lines("pairs")}
    method = next((line["method"] for line in later.lines("pairs") if line["method"] in known), None)
    was = {_pair(line): line for line in earlier.lines("pairs") if line["method"] == method}
    for line in later.lines("pairs"):
        if line["method"] != method or _pair(line) not in was:
            continue
        before = was[_pair(line)]
        better = [one["system"] if one["resolved"] else None for one in (before, line)]
        if better[0] == better[1]:
            continue
        system = better[1] or better[0]
        opponent = next(name for name in (line["system"], line["opponent"]) if name != system)
        verdicts = (UNDECIDED if one is None else WON if one == system else LOST for one in better)
        yield (method, system, opponent, *verdicts, _ahead(before, system), _ahead(line, system), before["p_value"],
               line["p_value"])  # fmt: skip


def _pair(line: Line) -> frozenset[Cell]:
    return frozenset((line["system"], line["opponent"]))


def _ahead(line: Line, system: Cell) -> float:
    """How much a system of the pair scores higher."""
    return float(line["difference"] or 0) * (1 if line["system"] == system else -1)
