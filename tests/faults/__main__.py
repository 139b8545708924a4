"""Kill, pause and starve a running platform, and count what was lost: `python -m tests.faults`."""

import signal
import sys
from argparse import ArgumentDefaultsHelpFormatter, ArgumentParser
from functools import partial
from time import monotonic

from tests.faults.acts import ACTS
from tests.faults.experiment import Outcome
from tests.faults.volume import NoVolume


def main() -> int:
    wanted = _parser().parse_args()
    # So that everything that was started is stopped.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    faults = 0
    for name in wanted.acts or ACTS:
        print(f"== {name}: {ACTS[name].__doc__}")
        try:
            outcome = ACTS[name](wanted.judges, wanted.times, wanted.seed, partial(_say, monotonic()))
        except NoVolume as reason:
            print(f"   left out. {reason}")
            continue
        faults += len(outcome.faults)
        _print_outcome(outcome)
    return int(bool(faults))


def _parser() -> ArgumentParser:
    parser = ArgumentParser(prog="tests.faults", description=__doc__, formatter_class=ArgumentDefaultsHelpFormatter)
    parser.add_argument("acts", nargs="*", choices=[*ACTS, []], help="all of them where none is named")
    parser.add_argument("--judges", type=int, default=50)
    parser.add_argument("--times", type=int, default=1, help="how often everything is done")
    parser.add_argument("--seed", type=int, default=1)
    return parser


def _say(start: float, line: str) -> None:
    print(f"{monotonic() - start:7.1f} s  {line}", flush=True)


def _print_outcome(outcome: Outcome) -> None:
    print(f"   {outcome.disturbances} disturbances; up again by the supervisor: {outcome.revived or 'nothing'}")
    print(f"   {outcome.sent} answers sent, {outcome.confirmed} confirmed as saved, {outcome.asked_again} sent again")
    print(f"   {len(outcome.refused)} refused, such as {outcome.refused[:1]}")
    print(f"   {outcome.amounts}")
    print("   " + ("\n   ".join(outcome.faults) or "Nothing was lost, and nothing is there twice."))


if __name__ == "__main__":
    sys.exit(main())
