"""The recommended report on up to a million rankings of five candidates among 50 systems, honest folds included.

Once every system has a candidate of its own, so that a ranking makes 10 comparisons; once equal outputs are one
candidate, as they are on this platform, and a ranking makes about 320. The reference counts as many comparisons one by
one in Python, once, extrapolated from a few rankings. Kernels are compiled beforehand.
"""

from ranking.stats.parameters import PRESETS

from benchmarks.ballots import Shape, made_ballots
from benchmarks.counting import seconds_to_count
from benchmarks.processes import apart
from benchmarks.studies import report_of
from benchmarks.table import Row

SIZES, SMALL_SIZES = (1_000, 10_000, 100_000, 1_000_000), (100, 200)
SYSTEMS, JUDGES = 50, 40
SMALL_SYSTEMS, SMALL_JUDGES = 5, 3
COUNTED, SMALL_COUNTED = 1_000, 20
SMALL_REPLICATES = 20
KINDS = {"of their own": False, "equal ones together": True}


def measure(small: bool) -> list[Row]:
    """A pair of rows for each size and kind of candidates."""
    parameters = PRESETS["recommended"]
    sizes, few = (SMALL_SIZES, SMALL_COUNTED) if small else (SIZES, COUNTED)
    systems, judges = (SMALL_SYSTEMS, SMALL_JUDGES) if small else (SYSTEMS, JUDGES)
    if small:
        parameters = parameters.changed(replicates=SMALL_REPLICATES)
    rows = []
    for kind, collapsed in KINDS.items():
        counted = apart(seconds_to_count, made_ballots(Shape(few, systems, judges, collapsed)))
        for rankings in sizes:
            found = apart(report_of, Shape(rankings, systems, judges, collapsed), parameters).value
            reference = counted.value / few * rankings
            size = f"{rankings:,} rankings"
            rows += [
                Row(f"reference: count one by one, {kind}", size, reference, counted.megabytes, 1),
                Row(f"recommended, candidates {kind}", size, found.seconds, found.megabytes, found.seconds / reference),
            ]
    return rows
