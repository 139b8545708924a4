"""Reports by the path that the platform takes, without its database: a study in, tables out, section by section."""

from itertools import pairwise
from time import perf_counter
from typing import NamedTuple

from ranking.stats.parameters import Parameters
from ranking.stats.sections.comparisons import SECTIONS
from ranking.stats.study import Names, Study

from benchmarks.ballots import Shape, made_ballots
from benchmarks.processes import Measured, timed
from ranking.stats.analysis import analyse
from ranking.stats.ballots import Ballots

WARMING_UP = Shape(rankings=60)


class Reported(NamedTuple):
    """The seconds of each section, and what could not be made."""

    sections: dict[str, float]
    gaps: dict[str, str]


def report_of(shape: Shape, parameters: Parameters) -> Measured[Reported]:
    """The report of made ballots; making them is not timed."""
    return report(made_ballots(shape), parameters)


def report(ballots: Ballots, parameters: Parameters) -> Measured[Reported]:
    """The whole report of ballots, after kernels were compiled for a small one."""
    _analysed(made_ballots(WARMING_UP), parameters.changed(replicates=1, folds="none"))
    found = timed(lambda: _analysed(ballots, parameters))
    if found.value.gaps:
        raise SystemExit(f"The report is not whole: {found.value.gaps}")
    return found


def _analysed(ballots: Ballots, parameters: Parameters) -> Reported:
    systems = tuple(f"system {number}" for number in range(ballots.systems))
    names = Names(systems, tuple(f"judge {number}" for number in range(ballots.judges)))
    began: list[float] = []
    made = analyse(Study(ballots, names, parameters), lambda name, done: began.append(perf_counter()))
    seconds = [end - start for start, end in pairwise([*began, perf_counter()])]
    return Reported(dict(zip(SECTIONS, seconds, strict=True)), made.gaps)
