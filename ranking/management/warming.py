"""Compile the kernels of all metrics and reports, which otherwise happens when the first of them is needed.

Numba keeps the compiled code beside the modules, or in the folder NUMBA_CACHE_DIR, for this kind of processor.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, TextIO

import numpy as np

from judgments.management.naming import program
from ranking.management.progress import compiling_told
from ranking.metrics.catalogue import METRICS, metric_of
from ranking.metrics.errant.parsing import is_installed
from ranking.metrics.material import Material
from ranking.metrics.scoring import score

# Settings that need kernels of their own.
OTHERS = ("m2:ignore_case_and_space=yes", "i-measure:mixing=yes")
# With more mixtures of references than the I-measure lists, so that it cuts the sentence.
TIMES = 8
SOURCE = ["She go to school . " * TIMES]
REFERENCES = [["She goes to the school . " * TIMES], ["She went to school . " * TIMES]]
OUTPUTS = [["She goes to school . " * TIMES], ["She go at a school . " * TIMES]]
REPORTS = "reports"


def main(words: list[str]) -> int:
    ArgumentParser(f"{program()} warm-up", description=__doc__).parse_args(words)
    run(print, sys.stderr)
    return 0


def run(say: Callable[[str], Any], errors: TextIO) -> None:
    for name, use in uses():
        with compiling_told(name, errors):
            use()
        say(f"{name}: ready")


def uses() -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield every metric, and what reports need, with a use of it that reaches its kernels."""
    for name in (*METRICS, *OTHERS):
        if name != "errant" or is_installed():
            yield name, partial(score, metric_of(name), Material.of_texts(SOURCE, REFERENCES), ["A", "B"], OUTPUTS)
    yield REPORTS, _count_ballots


def _count_ballots() -> None:
    """Count, draw, rate and compare two rankings of three systems."""
    from ranking.stats.agreement.pairs import pairs_of
    from ranking.stats.ballots import Ballots, Candidates
    from ranking.stats.rankings.trueskill import passed, sampled
    from ranking.stats.resampling import Unit, resample
    from ranking.stats.tally import tally

    two, three = np.arange(2), np.arange(3)
    ballots = Ballots(
        systems=3, judges=2, documents=1, judge=two, segment=two, seconds=np.ones(2),
        starts=np.array([0, 3, 6]), candidate=np.tile(three, 2), merit=np.array([3.0, 2, 1, 2, 3, 1]),
        candidates=Candidates(np.arange(4), three), document_of=np.zeros(2, np.int64),
    )  # fmt: skip
    counted = tally(ballots)
    resample(ballots, Unit.SENTENCE, 2, seed=0)
    sampled(counted, 1, seed=0)
    passed(counted, 1, seed=0)
    pairs_of(ballots)
