"""Try readers on thousands of spoiled files: `python -m tests.fuzz`; with --keep, what is found becomes a test."""

import re
import sys
from argparse import ArgumentDefaultsHelpFormatter, ArgumentParser
from collections import Counter
from time import monotonic

from tests.fuzz.targets import TARGETS
from tests.fuzz.trying import Found, keep, tried

AT_ONCE = 200
# Faults that differ in numbers alone are one.
DIGITS = re.compile(r"[0-9]+")


def main() -> int:
    """Rounds of all targets until the time is over; 1 where anything was found."""
    wanted = _parser().parse_args()
    end, seed, count = monotonic() + 60 * wanted.minutes, wanted.seed, 0
    faults: Counter[str] = Counter()
    while monotonic() < end:
        for name in wanted.targets or TARGETS:
            for found in tried(name, AT_ONCE, seed, wanted.seconds):
                what = f"{name}: {DIGITS.sub('0', found.fault)[:60]}"
                if not faults[what]:
                    _print_found(found)
                    if wanted.keep:
                        print(f"    {keep(found)}")
                faults[what] += 1
            count += AT_ONCE
        seed += 1
    print(f"{count:,} files were tried; {len(faults)} faults were found.")
    return int(bool(faults))


def _print_found(found: Found) -> None:
    print(f"{found.target}: {found.fault}\n    {found.content[:200]!r}", flush=True)


def _parser() -> ArgumentParser:
    parser = ArgumentParser(prog="tests.fuzz", description=__doc__, formatter_class=ArgumentDefaultsHelpFormatter)
    parser.add_argument("targets", nargs="*", choices=[*TARGETS, []], help="all of them where none is named")
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--seconds", type=float, default=1, help="how long a file may take of the processor")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", action="store_true", help="write what is found into tests/fuzz/corpus")
    return parser


if __name__ == "__main__":
    sys.exit(main())
