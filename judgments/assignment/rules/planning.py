"""The preview of a plan: screens, assignments, batches, hours, and how often systems are compared.

Toy: one screen of two candidates, {A, B} and {C}, seen by two judges: A and C are compared twice, B and C too, A and B
never, as they are one candidate.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from statistics import median
from typing import NamedTuple

from judgments.assignment.rules.assigning import PlannedBatch
from judgments.rules.authored.pay import SECONDS_AN_HOUR


class Pair(NamedTuple):
    one: str
    other: str
    comparisons: int


@dataclass(frozen=True)
class PlanSummary:
    """A plan in numbers: comparisons of each pair of systems, with the fewest, the median and the most.

    `longest` is what a judge sees in the longest batch, with repeats; `controls` the number of screens that are
    controls; `shown` how many sentences they show, one of them on `most_screens`.
    """

    screens: int
    automatic: int
    assignments: int
    batches: int
    longest: int
    hours: float
    fewest: int
    median: float
    most: int
    apart: tuple[tuple[str, str], ...]
    pairs: tuple[Pair, ...]
    controls: int
    shown: int
    most_screens: int


def plan_of(
    batches: Sequence[PlannedBatch], automatic: int, behind: Mapping[int, Sequence[str]], seconds: float
) -> PlanSummary:
    """The plan for batches, given the names of the systems behind each candidate and the seconds a screen takes."""
    assignments = sum(len(batch.assignments) for batch in batches)
    shown = Counter((screen.segment, screen.usage) for batch in batches for screen in batch.screens)
    met: Counter[tuple[str, str]] = Counter()  # how often judges will compare each pair of systems, with repeats
    for batch in batches:
        judged = Counter(assignment.screen for assignment in batch.assignments)
        for number, screen in enumerate(batch.screens):
            for one, other in combinations(screen.candidates, 2):
                for pair in product(behind.get(one, ()), behind.get(other, ())):
                    met[min(pair), max(pair)] += judged[number]
    systems = sorted({name for names in behind.values() for name in names})
    pairs = tuple(Pair(one, other, met[one, other]) for one, other in combinations(systems, 2))
    counts = [pair.comparisons for pair in pairs]
    return PlanSummary(
        screens=sum(len(batch.screens) for batch in batches),
        automatic=automatic,
        assignments=assignments,
        batches=len(batches),
        longest=max((sum(not one.round for one in batch.assignments) for batch in batches), default=0),
        hours=assignments * seconds / SECONDS_AN_HOUR,
        fewest=min(counts, default=0),
        median=median(counts) if counts else 0,
        most=max(counts, default=0),
        apart=tuple((pair.one, pair.other) for pair in pairs if not pair.comparisons),
        pairs=tuple(sorted(pairs, key=lambda pair: pair.comparisons)),
        controls=sum(screen.has_control for batch in batches for screen in batch.screens),
        shown=len(shown),
        most_screens=max(shown.values(), default=0),
    )
