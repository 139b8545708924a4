"""MaxMatch the plain way, with every arc of the lattice listed: the reference of the metric."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from ranking.metrics.material import Edit

Node = tuple[int, int]
Edge = tuple[Node, Node]
# Arcs of the reference, counted down; steps; edits.
Cost = tuple[int, int, int]
START: Node = (0, 0)


class Outcome(NamedTuple):
    """What a path has met so far: edits of the reference up to one, how many of them, and how many edits it has."""

    met: int
    correct: int
    proposed: int


def outcomes(source: str, output: str, edits: Sequence[Edit], unchanged: int = 2) -> set[tuple[int, int]]:
    """Correct and proposed edits of every best path; there is more than one where equally good paths differ."""
    before, after = source.split(), output.split()
    edges = lattice(before, after)
    arcs = phrases(edges, before, after, unchanged)
    golden = set(agreeing(arcs, edges, edits, after))
    into: dict[Node, list[tuple[Node, Cost, bool]]] = {}
    for (one, other), twice in edges.items():
        is_unchanged = _keeps(one, other, before, after)
        into.setdefault(other, []).append((one, (0, 1, 0 if is_unchanged else 1 + twice), not is_unchanged))
    for (one, other), length in arcs.items():
        cost = (-1, 0, 0) if (one, other) in golden else (0, length, 1)
        if (one, other) not in edges or cost[0]:
            into.setdefault(other, []).append((one, cost, True))
    best: dict[Node, Cost] = {START: (0, 0, 0)}
    found = {START: {Outcome(0, 0, 0)}}
    for node in sorted(into):
        ways = [(_sum(best[one], cost), one, is_edit) for one, cost, is_edit in into[node]]
        best[node] = min(cost for cost, _, _ in ways)
        found[node] = {
            _met(outcome, edits, one, node, after) if is_edit else outcome
            for cost, one, is_edit in ways
            if cost == best[node]
            for outcome in found[one]
        }
    return {(outcome.correct, outcome.proposed) for outcome in found[len(before), len(after)]}


def lattice(before: Sequence[str], after: Sequence[str]) -> dict[Edge, bool]:
    """The edges of all smallest differences by two costs of a substitution, and whether both have them."""
    one, other = (set(_smallest(before, after, cost)) for cost in (1, 2))
    return {edge: edge in one and edge in other for edge in one | other}


def phrases(edges: Iterable[Edge], before: Sequence[str], after: Sequence[str], unchanged: int) -> dict[Edge, int]:
    """Every arc that changes something and keeps few enough words, and how many edges it takes."""
    out: dict[Node, list[Node]] = {}
    for one, other in edges:
        out.setdefault(one, []).append(other)
    arcs: dict[Edge, int] = {}
    for start in out:
        reached, length = {(start, 0, False)}, 0
        seen = set(reached)
        while reached:
            length += 1
            further = set()
            for node, keeping, changed in reached:
                for other in out.get(node, ()):
                    keeps = _keeps(node, other, before, after)
                    if keeping + keeps <= unchanged:
                        further.add((other, keeping + keeps, changed or not keeps))
            reached = further - seen
            seen |= reached
            for node, _, changed in reached:
                if changed:
                    arcs.setdefault((start, node), length)
    return arcs


def agreeing(
    arcs: Iterable[Edge], edges: dict[Edge, bool], edits: Sequence[Edit], after: Sequence[str]
) -> Iterator[Edge]:
    """The arcs that are edits of the reference."""
    by_place = groupby(sorted(arcs, key=lambda arc: (arc[0][0], arc[1][0])), lambda arc: (arc[0][0], arc[1][0]))
    for (start, end), group in by_place:
        there = [edit for edit in edits if (edit.start, edit.end) == (start, end)]
        if start < end:
            yield from (arc for arc in group if any(_is(edit, *arc, after) for edit in there))
        else:
            yield from _in_turn(sorted(arc for arc in group for _ in range(1 + edges.get(arc, False))), there, after)


def _smallest(before: Sequence[str], after: Sequence[str], substitution: int) -> Iterator[Edge]:
    """The edges of all smallest differences."""

    def ways(i: int, j: int) -> Iterator[tuple[int, Node]]:
        if i and j:
            yield distance[i - 1][j - 1] + (0 if before[i - 1] == after[j - 1] else substitution), (i - 1, j - 1)
        if i:
            yield distance[i - 1][j] + 1, (i - 1, j)
        if j:
            yield distance[i][j - 1] + 1, (i, j - 1)

    distance = [[0] * (len(after) + 1) for _ in range(len(before) + 1)]
    for i in range(len(before) + 1):
        for j in range(len(after) + 1):
            distance[i][j] = min((cost for cost, _ in ways(i, j)), default=0)
    used, waiting = set(), [(len(before), len(after))]
    while waiting:
        i, j = waiting.pop()
        for cost, node in ways(i, j):
            if cost == distance[i][j]:
                yield node, (i, j)
                if node not in used:
                    used.add(node)
                    waiting.append(node)


def _in_turn(arcs: list[Edge], there: list[Edit], after: Sequence[str]) -> Iterator[Edge]:
    """Insertions at one place: arcs from the left meet edits in their order, those from the right in reverse."""
    from_left = True
    while arcs and there:
        arc = arcs.pop(0 if from_left else -1)
        places = range(len(there)) if from_left else reversed(range(len(there)))
        met = next((place for place in places if _is(there[place], *arc, after)), None)
        if met is not None:
            yield arc
            there = there[met + 1 :] if from_left else there[:met]
            while arcs and (arcs[0][0] != arc[1] if from_left else arcs[-1][1] != arc[0]):
                arcs.pop(0 if from_left else -1)
        from_left = not from_left


def _met(outcome: Outcome, edits: Sequence[Edit], one: Node, other: Node, after: Sequence[str]) -> Outcome:
    """Those of the remaining edits that an arc agrees with are met."""
    met = [place for place in range(outcome.met, len(edits)) if _is(edits[place], one, other, after)]
    return Outcome(max(met, default=outcome.met - 1) + 1, outcome.correct + len(met), outcome.proposed + 1)


def _is(edit: Edit, one: Node, other: Node, after: Sequence[str]) -> bool:
    spans = (edit.start, edit.end) == (one[0], other[0])
    return spans and " ".join(after[one[1] : other[1]]) in edit.corrections


def _keeps(one: Node, other: Node, before: Sequence[str], after: Sequence[str]) -> bool:
    is_diagonal = one[0] < other[0] and one[1] < other[1]
    return is_diagonal and before[one[0]] == after[one[1]]


def _sum(one: Cost, other: Cost) -> Cost:
    return one[0] + other[0], one[1] + other[1], one[2] + other[2]
