"""Differences between two reports on one campaign, in parameters and conclusions.

Toy: with clusters {A, B}, {C} before and {A}, {B, C} now, cluster 1 split (A is now ahead of B), and B and C joined (B
is no longer ahead of C).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import chain
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
    "method_before", "method", "system", "cluster_before", "cluster", "rank_before", "rank", "rank_low_before",
    "rank_high_before", "rank_low", "rank_high", "score_before", "score", "moved",
)  # fmt: skip
CHANGED_PAIRS = (
    "method_before", "method", "system", "opponent", "verdict_before", "verdict", "difference_before", "difference",
    "p_value_before", "p_value",
)  # fmt: skip
COMPARED = ("standings", "pairs")
WON, LOST, UNDECIDED = "better", "worse", "not separated"

Line = dict[str, Cell]


@dataclass(frozen=True)
class Conclusion:
    """What a report concluded and from what; sentences call it by its name, such as "report 3"."""

    name: str
    tables: Mapping[str, Table]
    choices: Mapping[str, object]

    def lines(self, table: str, method: str = "") -> list[Line]:
        lines = self.tables[table].dicts() if table in self.tables else []
        return [line for line in lines if method in ("", line["method"])]

    @property
    def methods(self) -> list[str]:
        """The one to cite first."""
        return list(dict.fromkeys(str(line["method"]) for line in self.lines("standings")))


class Rankings(NamedTuple):
    """The methods by which the earlier and the later report rank, if these rankings are compared."""

    before: str
    now: str

    @property
    def label(self) -> str:
        return listed([METHODS[method].label for method in dict.fromkeys(self)])

    @property
    def have_one_method(self) -> bool:
        return self.before == self.now


class Choice(NamedTuple):
    """A parameter that differs; empty if a report did not have it."""

    name: str
    before: str
    now: str


@dataclass(frozen=True)
class Changes:
    """All differences. The rankings to cite come first, and pairs are compared by them."""

    choices: tuple[Choice, ...]
    only_in_one: tuple[str, ...]
    moves: Table
    regroupings: Mapping[Rankings, tuple[Regrouping, ...]]
    all_pairs: Table

    def moves_of(self, rankings: Rankings) -> list[Line]:
        return [line for line in self.moves.dicts() if (line["method_before"], line["method"]) == rankings]

    @property
    def pairs(self) -> Table:
        """Those whose verdict changed."""
        lines = zip(self.all_pairs.rows, self.all_pairs.dicts(), strict=True)
        changed = tuple(row for row, pair in lines if pair["verdict_before"] != pair["verdict"])
        return replace(self.all_pairs, rows=changed)

    @property
    def separated_in_both(self) -> dict[str, Group]:
        """Each system that is better than others in both reports, with these."""
        found: dict[str, Group] = {}
        for pair in self.all_pairs.dicts():
            if pair["verdict_before"] == pair["verdict"] == WON:
                system = str(pair["system"])
                found[system] = (*found.get(system, ()), str(pair["opponent"]))
        return found

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
            *(f"{rankings.label}: {one.sentence()}" for rankings, found in self.regroupings.items() for one in found),
            *map(_pair_sentence, self.pairs.dicts()),
            *(["No cluster and no pair changed."] if self.conclusions_stand else []),
        ]


def compare(earlier: Conclusion, later: Conclusion) -> Changes:
    before, now = earlier.choices, later.choices
    moves = {rankings: list(_moves(earlier, later, rankings)) for rankings in _compared(earlier, later)}
    return Changes(
        choices=tuple(
            Choice(name.replace("_", " "), _text(before.get(name)), _text(now.get(name)))
            for name in dict.fromkeys([*before, *now])
            if before.get(name) != now.get(name)
        ),
        only_in_one=tuple(_only_in_one(earlier, later)),
        moves=Table.of("changes", CHANGES, ([line[name] for name in CHANGES] for line in chain(*moves.values()))),
        regroupings={
            rankings: tuple(regroupings(_clusters(lines, "cluster_before"), _clusters(lines, "cluster")))
            for rankings, lines in moves.items()
        },
        all_pairs=Table.of(
            "changed_pairs", CHANGED_PAIRS, (row for cited in [*moves][:1] for row in _pairs(earlier, later, cited))
        ),
    )


def has_changed(move: Line) -> bool:
    """Whether any number did; scores by two methods are not compared."""
    names = MOVING if move["method_before"] == move["method"] else MOVING[:-1]
    return any(move[f"{name}_before"] != move[name] for name in names)


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
    for one, other in ((earlier, later), (later, earlier)):
        only = [f"by {METHODS[name].label}" for name in one.methods if name not in other.methods]
        systems = [str(name) for name in dict.fromkeys(line["system"] for line in one.lines("standings"))]
        known = {line["system"] for line in other.lines("standings")}
        if known and (missing := [name for name in systems if name not in known]):
            only.insert(0, listed(missing))
        if only:
            yield f"Only {one.name} ranks {listed(only)}."


def _compared(earlier: Conclusion, later: Conclusion) -> list[Rankings]:
    """The rankings to cite, whatever their methods, then those by every method of both."""
    cited = zip(earlier.methods[:1], later.methods[:1], strict=False)
    common = ((method, method) for method in later.methods if method in earlier.methods)
    return list(dict.fromkeys(Rankings(*both) for both in chain(cited, common)))


def _moves(earlier: Conclusion, later: Conclusion, rankings: Rankings) -> Iterator[Line]:
    """Yield every system that is in both rankings, in the later order."""
    was = {line["system"]: line for line in earlier.lines("standings", rankings.before)}
    for now in later.lines("standings", rankings.now):
        if before := was.get(now["system"]):
            moved = int(before["rank"] or 0) - int(now["rank"] or 0)
            yield now | {f"{name}_before": before[name] for name in ("method", *MOVING)} | {"moved": moved}


def _clusters(moves: Sequence[Line], column: str) -> dict[str, int]:
    return {str(line["system"]): int(line[column] or 0) for line in moves}


def _pairs(earlier: Conclusion, later: Conclusion, rankings: Rankings) -> Iterator[tuple[Cell, ...]]:
    """Yield each pair for the system that is better now or, if neither is, was before."""
    was = {_pair(line): line for line in earlier.lines("pairs", rankings.before)}
    for line in later.lines("pairs", rankings.now):
        if (before := was.get(_pair(line))) is None:
            continue
        better = [one["system"] if one["resolved"] else None for one in (before, line)]
        system = better[1] or better[0] or line["system"]
        opponent = next(name for name in (line["system"], line["opponent"]) if name != system)
        verdicts = (UNDECIDED if one is None else WON if one == system else LOST for one in better)
        yield (*rankings, system, opponent, *verdicts, _ahead(before, system), _ahead(line, system),
               before["p_value"], line["p_value"])  # fmt: skip


def _pair(line: Line) -> frozenset[Cell]:
    return frozenset((line["system"], line["opponent"]))


def _ahead(line: Line, system: Cell) -> float:
    """How much a system of the pair scores higher."""
    return float(line["difference"] or 0) * (1 if line["system"] == system else -1)
