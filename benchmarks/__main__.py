"""Run benchmarks by name, or all of them, and print a table each."""

from argparse import ArgumentParser
from collections.abc import Callable

from benchmarks import (
    claiming,
    errant,
    expected_wins,
    exports,
    extraction,
    growth,
    imeasure,
    import_outputs,
    judging,
    maxmatch,
    ngrams,
    pages,
    reports,
    sampling,
    scoring,
    trueskill,
)
from benchmarks.table import Row, median_rows, table

BENCHMARKS: dict[str, Callable[[bool], list[Row]]] = {
    "import_outputs": import_outputs.measure,
    "sampling": sampling.measure,
    "claiming": claiming.measure,
    "judging": judging.measure,
    "extraction": extraction.measure,
    "expected_wins": expected_wins.measure,
    "trueskill": trueskill.measure,
    "reports": reports.measure,
    "ngrams": ngrams.measure,
    "growth": growth.measure,
    "exports": exports.measure,
    "pages": pages.measure,
    "scoring": scoring.measure,
    "maxmatch": maxmatch.measure,
    "imeasure": imeasure.measure,
    "errant": errant.measure,
}


def main() -> None:
    """Read the command line and measure."""
    parser = ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{', '.join(BENCHMARKS)} (default: all)")
    parser.add_argument("--small", action="store_true", help="sizes that take seconds, to see that it runs")
    parser.add_argument("--runs", type=int, default=1, metavar="N", help="run each N times and print medians")
    options = parser.parse_args()
    if unknown := [name for name in options.names if name not in BENCHMARKS]:
        parser.error(f"there is no benchmark {unknown[0]!r}; choose from {', '.join(BENCHMARKS)}")
    if options.runs < 1:
        parser.error("--runs must be at least 1")
    for name in options.names or BENCHMARKS:
        runs = [BENCHMARKS[name](options.small) for _ in range(options.runs)]
        title = f"{name}, median of {options.runs} runs" if options.runs > 1 else name
        print(table(title, median_rows(runs)), flush=True)


# A measured process imports this module again; only the first one may measure.
if __name__ == "__main__":
    main()
