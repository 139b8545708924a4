"""Judgments of one sentence and how they group systems; notes on those that group them otherwise than the outputs."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from judgments.exchange.importers.rules.recorded import Recorded

MOST_PAIRS, MOST_LISTED = 10, 10

Systems = tuple[str, ...]
# For each line (from 0), a value for each system's text; equal texts have equal values.
Outputs = Mapping[int, Mapping[str, Hashable]]
# The systems that share an output with a system.
Together = Callable[[str], frozenset[str]]


class Matched(NamedTuple):
    """A recorded judgment matched with a line (from 0): the systems behind each output, and its rank or score.

    `regrouped` are the groups of systems that are no output of the campaign. `whole` is what the file says of each
    system, those that the campaign lacks too, so that a judgment keeps its key however much of it is taken.
    """

    recorded: Recorded
    position: int
    groups: tuple[tuple[Systems, Any], ...]
    regrouped: frozenset[Systems] = frozenset()
    whole: tuple[tuple[str, Any], ...] = ()


def listed(found: Sequence[object]) -> str:
    more = f" and {len(found) - MOST_LISTED} more" if len(found) > MOST_LISTED else ""
    return ", ".join(map(str, found[:MOST_LISTED])) + more


def otherwise(systems: Systems, together: Together) -> str:
    equal = " ".join(sorted(together(systems[0])))
    return f"recorded as one output: {' '.join(systems)}; equal in the outputs: {equal}"


def note(file: str, regrouped: Sequence[tuple[Matched, Together]], ranked: int, others: str) -> list[str]:
    """Return a note on how many judgments group systems otherwise, and which systems."""
    pairs = Counter(pair for one, together in regrouped for pair in set(_pairs(one, together)))
    if not regrouped:
        return []
    shown = [f"{one} and {other} {how} ({times})" for (one, other, how), times in pairs.most_common(MOST_PAIRS)]
    more = f" and {len(pairs) - MOST_PAIRS} more" if len(pairs) > MOST_PAIRS else ""
    what = f"{len(regrouped)} of {ranked} judgments group systems otherwise than {others}, and are kept as they are"
    return [f"{file}: {what}: {', '.join(shown)}{more}"]


def _pairs(one: Matched, together: Together) -> Iterable[tuple[str, str, str]]:
    """Yield the pairs of systems that a judgment shows together or apart, unlike the others."""
    for systems in one.regrouped:
        for first, second in combinations(systems, 2):
            if second not in together(first):
                yield first, second, "together"
        for first in systems:
            for second in together(first) - set(systems):
                yield min(first, second), max(first, second), "apart"
