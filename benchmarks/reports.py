"""Whole reports on the judgments of Grundkiewicz et al. (2015), or on made ones like them.

The reference lists every comparison once and counts it in plain Python, which a report does in effect some thousand
times. Kernels are compiled beforehand.
"""

from ranking.stats.parameters import PRESETS, Parameters

from benchmarks.ballots import published_or_made
from benchmarks.counting import seconds_to_count
from benchmarks.processes import apart
from benchmarks.studies import report
from benchmarks.table import Row

ALONE = ("expected-wins",)
THEIRS, OURS = PRESETS["grundkiewicz2015"], PRESETS["recommended"]
REPORTS = {
    "grundkiewicz2015, Expected Wins alone, no folds": THEIRS.changed(methods=ALONE, folds="none"),
    "grundkiewicz2015, Expected Wins alone": THEIRS.changed(methods=ALONE),
    "grundkiewicz2015, no folds": THEIRS.changed(folds="none"),
    "grundkiewicz2015": THEIRS,
    "recommended": OURS,
}
IN_SECTIONS = ("grundkiewicz2015", "recommended")
SMALL_REPLICATES = 20


def measure(small: bool) -> list[Row]:
    """One row a report, and for two of them one a section."""
    ballots, told = published_or_made(small)
    counted = apart(seconds_to_count, ballots)
    rows = [Row("reference: count one by one", told, counted.value, counted.megabytes, 1)]
    for name, parameters in REPORTS.items():
        found = apart(report, ballots, _sized(parameters, small)).value
        rows.append(Row(name, told, found.seconds, found.megabytes, found.seconds / counted.value))
        if name in IN_SECTIONS:
            rows += [
                Row(f"  {section}", told, seconds, found.megabytes, seconds / counted.value)
                for section, seconds in found.value.sections.items()
            ]
    return rows


def _sized(parameters: Parameters, small: bool) -> Parameters:
    return parameters.changed(replicates=SMALL_REPLICATES) if small else parameters
