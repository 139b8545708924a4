"""Working out p, the chance that a draw takes a sentence, for every sentence of a campaign.

The reference lists every set of outputs that fits on a screen, as the formula is written, for a few sentences; its time
for all of them is extrapolated from these.
"""

from collections.abc import Sequence
from itertools import combinations
from math import isclose

from benchmarks.maker import multiplicities
from benchmarks.processes import apart
from benchmarks.table import Row
from judgments.assignment.rules.sampling import probabilities, weights

SCREEN_SIZE = 5
SIZES = ((1312, 13), (10_000, 30))
SMALL_SIZES = ((100, 6), (200, 8))
LISTED = 100


def measure(small: bool) -> list[Row]:
    """One pair of rows a size."""
    return [row for sentences, systems in (SMALL_SIZES if small else SIZES) for row in _rows(sentences, systems)]


def _rows(sentences: int, systems: int) -> list[Row]:
    material = multiplicities(sentences, systems)
    patterns = len({tuple(sorted(of)) for of in material})
    found = apart(probabilities, material, SCREEN_SIZE)
    # Every so many sentences, so that the few are like the rest.
    few = material[:: sentences // LISTED][:LISTED]
    listed = apart(weights_by_listing, few, SCREEN_SIZE)
    _agree(listed.value, weights(few, SCREEN_SIZE))
    listing = listed.seconds * sentences / len(few)
    size = f"{sentences:,} x {systems}"
    return [
        Row(f"reference: listing sets, from {len(few)} sentences", size, listing, listed.megabytes, 1),
        Row(f"p of {patterns:,} patterns", size, found.seconds, found.megabytes, found.seconds / listing),
    ]


def weights_by_listing(multiplicities: Sequence[Sequence[int]], size: int) -> list[float]:
    """p' as the formula says it: from every set of at most `size` outputs that stands for at least `size` systems."""
    return [_weight_by_listing(of, min(size, sum(of))) for of in multiplicities]


def _weight_by_listing(of: Sequence[int], size: int) -> float:
    sets = (sum(chosen) for count in range(1, size + 1) for chosen in combinations(of, count))
    covered = [systems for systems in sets if systems >= size]
    cover = sum(covered) / len(covered)
    return size * (size - 1) / (cover * (cover - 1))


def _agree(listed: Sequence[float], found: Sequence[float]) -> None:
    """A fast way to another answer would be worth nothing."""
    if not all(map(isclose, listed, found)):
        raise SystemExit("Listing the sets gives other weights than the rules do.")
