"""Compile the kernels of all metrics and reports, which otherwise happens when the first of them is needed.

Numba keeps the compiled code beside the modules, or in the folder NUMBA_CACHE_DIR, for this kind of processor. Where
Numba is not installed there is nothing to do.
"""

import os
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from judgments.management.naming import program
from ranking.management.metrics import compiling_told
from ranking.metrics.catalogue import METRICS, metric_of
from ranking.metrics.errant import COLUMNS, KINDS, Errant
from ranking.metrics.errant_edits import align
from ranking.metrics.errant_parser import ParsedSentence, WordArrays
from ranking.metrics.material import Material
from ranking.metrics.scoring import score
from ranking.numbers import kernels
from ranking.numbers.version import VERSION
from ranking.stats.analysis import analyse
from ranking.stats.ballots import BallotCandidates, Ballots
from ranking.stats.comparisons import SECTIONS
from ranking.stats.comparisons.study import PRESETS, ComparisonStudy, Covariates, Names
from ranking.stats.rankings.methods import METHODS

# Settings that need kernels of their own.
OTHERS = ("m2:ignore_case_and_space=yes", "i-measure:mixing=yes")
# With more mixtures of references than the I-measure lists, so that it cuts the sentence.
TIMES = 8
SOURCE = ["She go to school . " * TIMES]
REFERENCES = [["She goes to the school . " * TIMES], ["She went to school . " * TIMES]]
OUTPUTS = [["She goes to school . " * TIMES], ["She go at a school . " * TIMES]]
REPORTS = RANKINGS, HIERARCHICAL = "reports", "hierarchical"


def main(words: list[str]) -> int:
    parser = ArgumentParser(f"{program()} warm-up", description=__doc__)
    parser.add_argument("--once", action="store_true", help="only if this installation has not done so to the end")
    if (parser.parse_args(words).once and _stamp().exists()) or not find_spec("numba"):
        return 0
    run(print, sys.stderr)
    with suppress(OSError):  # where nobody may write, Numba keeps nothing either, or elsewhere
        _stamp().touch()
    return 0


def _stamp() -> Path:
    """A file beside compiled code that says for which files it was compiled."""
    source = Path(kernels.__file__)
    folder = Path(os.environ.get("NUMBA_CACHE_DIR") or source.parent / "__pycache__")
    return folder / f"warm-{VERSION}-{sys.implementation.cache_tag}-{int(source.stat().st_mtime)}"


def run(say: Callable[[str], Any], errors: TextIO) -> None:
    for name, use in uses():
        with compiling_told(name, errors):
            use()
        say(f"{name}: ready")


def uses() -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield what reports need, and every metric, with a use of it that reaches its kernels."""
    yield RANKINGS, partial(_report, [name for name in METHODS if name != HIERARCHICAL])
    for name in (*METRICS, *OTHERS):
        material = Material.of_texts(SOURCE, REFERENCES)
        yield name, _errant if name == "errant" else partial(score, metric_of(name), material, ["A", "B"], OUTPUTS)
    yield HIERARCHICAL, partial(_report, [HIERARCHICAL])


def _errant() -> None:
    """Reach the kernels of ERRANT without its parser, which may not be installed."""
    words = SOURCE[0].split()
    numbers, nowhere = np.arange(len(words)), np.zeros(len(words), dtype=bool)
    parsed = ParsedSentence(None, words, WordArrays(numbers, numbers, numbers, numbers, nowhere))
    align(parsed, parsed)
    counts, chosen = np.zeros((1, 1, len(KINDS), COLUMNS), np.int16), np.zeros((1, 1), np.int32)
    Errant().of_systems(counts, chosen)
    Errant().of_candidates(counts)


def _report(methods: list[str]) -> None:
    """Compute a report on twelve rankings of three systems by these methods."""
    sentences, judges, systems = 6, 2, 3
    ballot, row = np.arange(sentences * judges, dtype=np.int32), np.arange(sentences * judges * systems, dtype=np.int32)
    member = np.arange(sentences * systems, dtype=np.int32) % systems
    ballots = Ballots(
        systems=systems, judges=judges, documents=sentences, judge=ballot // sentences, segment=ballot % sentences,
        seconds=np.ones(len(ballot)), starts=np.arange(0, len(row) + 1, systems), candidate=row % len(member),
        merit=row * 7 % 5 % 3.0, candidates=BallotCandidates(np.arange(len(member) + 1), member),
        document_of=np.arange(sentences, dtype=np.int32),
    )  # fmt: skip
    chosen = PRESETS["recommended"].with_changes(methods=tuple(methods), replicates=200)
    covariates = Covariates(weights=ballot + 1.0)
    analyse(ComparisonStudy(ballots, Names(("A", "B", "C"), ("1", "2")), chosen, covariates=covariates), SECTIONS)
