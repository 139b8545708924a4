"""Clusters of two rankings of the same systems: which split, which joined, who was overtaken.

Toy: with clusters {A, B}, {C} before and {A}, {B, C} now, cluster 1 split (A is now ahead of B), and B and C joined (B
is no longer ahead of C).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

Group = tuple[str, ...]


class Kind(StrEnum):
    """What became of a cluster."""

    SPLIT = "split"
    JOINED = "joined"
    OVERTAKEN = "overtaken"


@dataclass(frozen=True)
class Regrouping:
    """Groups of systems, the best first: of one earlier cluster, of one later one, or a system and whom it overtook."""

    kind: Kind
    cluster: int
    groups: tuple[Group, ...]

    def sentence(self) -> str:
        """What happened, in words."""
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
    """What became of clusters, from that of each system before and now; who has none in both is passed over."""
    common = [system for system in now if system in before]
    split = [Regrouping(Kind.SPLIT, *found) for found in _apart(common, before, now)]
    joined = [Regrouping(Kind.JOINED, *found) for found in _apart(common, now, before)]
    return split + joined + _overtaken(common, before, now)


def listed(names: Sequence[str]) -> str:
    """Names as a sentence has them: A, B and C."""
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def _apart(
    systems: Sequence[str], inside: Mapping[str, int], by: Mapping[str, int]
) -> list[tuple[int, tuple[Group, ...]]]:
    """Each cluster of one ranking whose systems stand in several of the other, and how they stand there."""
    found = []
    for cluster in sorted({inside[system] for system in systems}):
        members = [system for system in systems if inside[system] == cluster]
        groups = _groups(members, by)
        if len(groups) > 1:
            found.append((cluster, groups))
    return found


def _groups(systems: Sequence[str], by: Mapping[str, int]) -> tuple[Group, ...]:
    clusters = sorted({by[system] for system in systems})
    return tuple(tuple(system for system in systems if by[system] == cluster) for cluster in clusters)


def _overtaken(systems: Sequence[str], before: Mapping[str, int], now: Mapping[str, int]) -> list[Regrouping]:
    found = []
    for system in systems:
        passed = tuple(other for other in systems if before[system] > before[other] and now[system] < now[other])
        if passed:
            found.append(Regrouping(Kind.OVERTAKEN, now[system], ((system,), passed)))
    return found
