"""Run benchmarks by name, or all of them, and print a table each."""

from argparse import ArgumentParser
from pathlib import Path

from benchmarks.harness import apart, measure, median_rows, table, write, write_machine

# The benchmarks of each module.
MODULES = {
    "starting": ("starting",),
    "material": ("import_outputs", "sampling"),
    "judging": ("judging",),
    "load": ("load",),
    "organising": ("pages", "exports", "backups"),
    "replicates": ("expected_wins", "trueskill"),
    "reports": ("reports", "growth", "verdicts", "corrections", "edits", "essays"),
    "metrics": ("metrics", "errant"),
    "commands": ("commands",),
}
BENCHMARKS = {name: module for module, names in MODULES.items() for name in names}


def main() -> None:
    parser = ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{', '.join(BENCHMARKS)} (default: all)")
    parser.add_argument("--small", action="store_true", help="sizes that take seconds, to check that it runs")
    parser.add_argument("--runs", type=int, default=1, metavar="N", help="run each N times and print medians")
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the tables into this page, too")
    options = parser.parse_args()
    if unknown := [name for name in options.names if name not in BENCHMARKS]:
        parser.error(f"there is no benchmark {unknown[0]!r}; choose from {', '.join(BENCHMARKS)}")
    if options.runs < 1:
        parser.error("--runs must be at least 1")
    for name in options.names or BENCHMARKS:
        # Each in a fresh process: a child's memory is at least what its parent had.
        rows = median_rows([apart(measure, BENCHMARKS[name], name, options.small).value for _ in range(options.runs)])
        print(table(f"{name}, median of {options.runs} runs" if options.runs > 1 else name, rows), flush=True)
        if options.write:
            write(options.write, name, rows)
            write_machine(options.write)


# Spawned processes import this module and must not measure.
if __name__ == "__main__":
    main()
