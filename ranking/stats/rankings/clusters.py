"""Clusters of systems that cannot be told apart, computed from rank ranges.

Systems are sorted by score. The published rules start a new cluster after a system whose worst rank is better than the
best rank of every later one (`all_later`, the pipeline of Tables 3b and 3c), or of the next one only (`next_only`, the
pipeline of single judges). Neither looks back, so clusters can overlap: with ranges 1-5, 2-3 | 4-6 a boundary follows
the second system although the first one reaches rank 5. `never_overlapping` uses the worst rank so far.
"""

from collections.abc import Callable, Sequence

from ranking.stats.rankings.ranges import RankRange

Rule = Callable[[Sequence[RankRange]], list[int]]


def never_overlapping(ranges: Sequence[RankRange]) -> list[int]:
    """The cluster of each system, from 1; a new one starts where no earlier range reaches a later one."""
    return _number(_worst_so_far(ranges), _best_to_come(ranges))


def all_later(ranges: Sequence[RankRange]) -> list[int]:
    """The published rule of the main tables."""
    return _number([each.worst for each in ranges], _best_to_come(ranges))


def next_only(ranges: Sequence[RankRange]) -> list[int]:
    """The published rule of single judges."""
    return _number([each.worst for each in ranges], [each.best for each in ranges[1:]])


RULES: dict[str, Rule] = {"never-overlapping": never_overlapping, "all-later": all_later, "next-only": next_only}


def _number(worst: Sequence[int], best_later: Sequence[int]) -> list[int]:
    clusters = [1] if worst else []
    for reached, later in zip(worst, best_later, strict=False):
        clusters.append(clusters[-1] + (reached < later))
    return clusters


def _worst_so_far(ranges: Sequence[RankRange]) -> list[int]:
    return [max(each.worst for each in ranges[: place + 1]) for place in range(len(ranges))]


def _best_to_come(ranges: Sequence[RankRange]) -> list[int]:
    """For each place, the best rank of all later systems."""
    return [min(each.best for each in ranges[place:]) for place in range(1, len(ranges))]
