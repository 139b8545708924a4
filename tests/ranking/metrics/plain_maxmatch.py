"""MaxMatch the plain way, as the official program computes it, with every arc listed: the reference of the metric.

Paths that are equally good by the rule are told apart as there: by what a small cost adds up to in floating point, by
how often an arc is listed, and by which path is found first.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ranking.metrics.material import Edit

Node = tuple[int, int]
Edge = tuple[Node, Node]
# What every listing of an arc that changes something adds to its cost.
SMALL = 0.001


class Arc(NamedTuple):
    """The fewest steps found from one node to another, the words that these keep, and whether they change any."""

    steps: int
    kept: int
    changes: bool


def counted(source: str, output: str, edits: Sequence[Edit], unchanged: int = 2) -> tuple[int, int]:
    """Correct and proposed edits; those of the reference come from left to right."""
    before, after = source.split(), output.split()
    arcs, listed = joined(before, after, unchanged)
    costs = weighed(arcs, listed, edits, after)
    path = [edge for edge in cheapest(costs, listed, (len(before), len(after))) if arcs[edge].changes]
    correct = met = 0
    for edge in path:
        for place in range(met, len(edits)):
            if _is(edits[place], edge, after):
                correct, met = correct + 1, place + 1
    return correct, len(path)


def smallest(before: Sequence[str], after: Sequence[str], substitution: int) -> Iterator[Edge]:
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


def joined(before: Sequence[str], after: Sequence[str], unchanged: int) -> tuple[dict[Edge, Arc], list[Edge]]:
    """Edges by two costs of a substitution, joined to arcs; an arc is listed again if fewer steps are found for it.

    An edge by both costs is listed twice. Of any two nodes only one way is kept, so that one with fewer steps can hide
    another that keeps fewer words.
    """
    listed = sorted([*smallest(before, after, 1), *smallest(before, after, 2)])
    arcs = {}
    for (i, j), other in listed:
        keeps = other == (i + 1, j + 1) and before[i] == after[j]
        arcs[(i, j), other] = Arc(1, int(keeps), not keeps)
    nodes = sorted({node for edge in listed for node in edge})
    for middle in nodes:
        ahead = [(node, arcs[middle, node]) for node in nodes if (middle, node) in arcs]
        for first in [node for node in nodes if (node, middle) in arcs]:
            one = arcs[first, middle]
            for last, other in ahead:
                both = Arc(one.steps + other.steps, one.kept + other.kept, one.changes or other.changes)
                known = arcs.get((first, last))
                if both.kept <= unchanged and (known is None or both.steps < known.steps):
                    arcs[first, last] = both
                    listed.append((first, last))
    return arcs, list(_without_long_matches(arcs, listed))


def _without_long_matches(arcs: dict[Edge, Arc], listed: list[Edge]) -> Iterator[Edge]:
    """Drop arcs of several equal words, except right behind one that is dropped: the program removes as it goes."""
    was_dropped = False
    for edge in listed:
        was_dropped = not (was_dropped or arcs[edge].changes or arcs[edge].steps == 1)
        if not was_dropped:
            yield edge


def weighed(
    arcs: dict[Edge, Arc], listed: list[Edge], edits: Sequence[Edit], after: Sequence[str]
) -> dict[Edge, float]:
    """The cost of each arc: its steps and something small, or less than any path for an edit of the reference."""
    costs: dict[Edge, float] = {edge: arcs[edge].steps for edge in listed}
    insertions: dict[int, list[Edge]] = {}
    for edge in listed:
        (start, _), (end, _) = edge
        if start == end:
            insertions.setdefault(start, []).append(edge)
        elif any(_is(edit, edge, after) for edit in edits):
            costs[edge] = -len(listed)
        elif arcs[edge].changes:
            costs[edge] += SMALL
    for place, there in insertions.items():
        inserted = [edit for edit in edits if (edit.start, edit.end) == (place, place)]
        _weigh_insertions(costs, sorted(there), inserted, after, -len(listed))
    return costs


def _weigh_insertions(
    costs: dict[Edge, float], arcs: list[Edge], edits: list[Edit], after: Sequence[str], agreed: int
) -> None:
    """Insertions at one place agree once: from the left with edits in their order, from the right in reverse.

    The sides take turns until an arc agrees; then its side goes on with the arcs that follow (or precede) it directly.
    """
    low, high, is_left = 0, len(arcs) - 1, True
    while low <= high:
        is_left = is_left or low == high
        arc = arcs[low if is_left else high]
        order = range(len(edits)) if is_left else reversed(range(len(edits)))
        found = next((place for place in order if _is(edits[place], arc, after)), None)
        low, high = (low + 1, high) if is_left else (low, high - 1)
        if found is None:
            costs[arc] += SMALL
            is_left = not is_left
            continue
        costs[arc] = agreed
        edits = edits[found + 1 :] if is_left else edits[:found]
        while is_left and low < len(arcs) and arcs[low][0] != arc[1]:
            costs[arcs[low]] += SMALL
            low += 1
        while not is_left and high >= 0 and arcs[high][1] != arc[0]:
            costs[arcs[high]] += SMALL
            high -= 1


def cheapest(costs: dict[Edge, float], listed: list[Edge], goal: Node) -> list[Edge]:
    """The arcs of the cheapest path that is found first, going through the list until nothing changes."""
    reached: dict[Node, float] = {(0, 0): 0}
    come_from: dict[Node, Node] = {}
    before: dict[Node, float] = {}
    while reached != before:
        before = dict(reached)
        for edge in listed:
            one, other = edge
            if one in reached and reached[one] + costs[edge] < reached.get(other, float("inf")):
                reached[other], come_from[other] = reached[one] + costs[edge], one
    path = []
    while goal in come_from:
        path.append((come_from[goal], goal))
        goal = come_from[goal]
    return path[::-1]


def _is(edit: Edit, edge: Edge, after: Sequence[str]) -> bool:
    one, other = edge
    spans = (edit.start, edit.end) == (one[0], other[0])
    return spans and " ".join(after[one[1] : other[1]]) in edit.corrections
