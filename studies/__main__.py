"""Run studies by name, or all of them, and print a table each."""

from argparse import ArgumentParser
from collections.abc import Callable

from ranking.numbers.tables import Table
from studies.adaptive import adaptive, bias, stops
from studies.alarms import alarms_study
from studies.best import best
from studies.calibration import calibration
from studies.coverage import coverage
from studies.edits import edits
from studies.essays import essays
from studies.looks import looks
from studies.metric_tests import metric_tests
from studies.metrics import correlations, metrics
from studies.power import power
from studies.programs import programs
from studies.questions import questions
from studies.sampling import kinds, sampling
from studies.seldom import seldom, sparse
from studies.verdicts import verdicts

STUDIES: dict[str, Callable[[int, int], Table]] = {
    "coverage": coverage, "seldom": seldom, "sparse": sparse, "questions": questions, "best": best,
    "looks": looks, "calibration": calibration, "alarms": alarms_study, "power": power,
    "sampling": sampling, "kinds": kinds, "verdicts": verdicts, "edits": edits, "essays": essays,
    "programs": programs,
    "metrics": metrics, "correlations": correlations, "metric-tests": metric_tests, "adaptive": adaptive, "bias": bias,
    "stops": stops,
}  # fmt: skip


def main() -> None:
    parser = ArgumentParser(prog="python -m studies", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{', '.join(STUDIES)} (default: all)")
    parser.add_argument("--campaigns", type=int, default=200, metavar="N", help="simulated campaigns a line")
    parser.add_argument("--replicates", type=int, default=400, metavar="N", help="replicates a campaign")
    options = parser.parse_args()
    if unknown := [name for name in options.names if name not in STUDIES]:
        parser.error(f"there is no study {unknown[0]!r}; choose from {', '.join(STUDIES)}")
    for name in options.names or STUDIES:
        print(as_text(STUDIES[name](options.campaigns, options.replicates)), flush=True)


def as_text(table: Table) -> str:
    """A table to read in a terminal: columns as wide as their longest cell, shares with three digits."""
    rows = ([f"{cell:.3f}" if isinstance(cell, float) else str(cell) for cell in row] for row in table.rows)
    lines = [list(table.columns), *rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    padded = ("  ".join(map(str.ljust, line, widths)).rstrip() for line in lines)
    return "\n".join([table.name, *(f"  {line}" for line in padded)])


if __name__ == "__main__":
    main()
