"""Reports on verdicts, section by section: a crowd of 20, three experts, three systems, as many instances as in 2011.

The reference counts the crowd of every instance once, verdict by verdict in plain Python, which drawing judges again
does in effect a thousand times.
"""

from collections import Counter
from itertools import pairwise
from time import perf_counter
from typing import NamedTuple

import numpy as np
from ranking.stats.sections.verdicts.whole import SECTIONS

from benchmarks.processes import apart, timed
from benchmarks.table import Row
from ranking.stats.analysis import analyse
from ranking.stats.verdicts.crowd import Verdicts
from ranking.stats.verdicts.parameters import PRESETS
from ranking.stats.verdicts.study import Document, VerdictNames, VerdictStudy

CROWD, EXPERTS, SYSTEMS = 20, 3, 3
SIZES, SMALL = (1_000, 50_000), (100,)
HARD, SURE, UNSURE = 0.25, 0.93, 0.6


class Reported(NamedTuple):
    """The seconds of each section, and of the reference."""

    sections: dict[str, float]
    reference: float


def measure(small: bool) -> list[Row]:
    """For each size the reference, the whole, and a row a section."""
    rows = []
    for instances in SMALL if small else SIZES:
        told = f"{instances:,} x {CROWD}"
        found = apart(report, instances)
        sections, reference = found.value
        rows.append(Row("reference: count one by one", told, reference, found.megabytes, 1))
        whole = sum(sections.values())
        rows.append(Row("madnani2011", told, whole, found.megabytes, whole / reference))
        rows += [
            Row(f"  {name}", told, seconds, found.megabytes, seconds / reference) for name, seconds in sections.items()
        ]
    return rows


def report(instances: int) -> Reported:
    """The report of a made crowd."""
    study = made_study(instances)
    reference = timed(lambda: counted_one_by_one(study.of_crowd)).seconds
    began: list[float] = []
    found = analyse(study, lambda name, done: began.append(perf_counter()))
    seconds = [end - start for start, end in pairwise([*began, perf_counter()])]
    if found.gaps:
        raise SystemExit(f"The report is not whole: {found.gaps}")
    return Reported(dict(zip(SECTIONS, seconds, strict=True)), reference)


def counted_one_by_one(verdicts: Verdicts) -> Counter[tuple[int, int]]:
    """How many found what in which instance."""
    return Counter(zip(verdicts.instance.tolist(), verdicts.finding.tolist(), strict=True))


def made_study(instances: int, seed: int = 1) -> VerdictStudy:
    """Half of the instances are errors; a quarter is hard, and there judges differ."""
    random = np.random.default_rng(seed)
    judges = CROWD + EXPERTS
    truth = random.random(instances) < 0.5
    skill = np.where(random.random(instances) < HARD, UNSURE, SURE)
    finding = np.where(random.random((instances, judges)) < skill[:, None], truth[:, None], ~truth[:, None])
    instance, judge = np.indices(finding.shape)
    said = Verdicts(instance.ravel(), judge.ravel(), finding.ravel().astype(np.int64), instances, judges)
    classes = np.where(random.random((SYSTEMS, instances)) < 0.75, truth, ~truth).astype(float)
    names = VerdictNames(
        tuple(f"system {number}" for number in range(SYSTEMS)),
        tuple(f"judge {number}" for number in range(judges)),
        tuple(map(str, range(instances))),
        (Document("essays", "first year"), Document("letters", "second year")),
    )
    return VerdictStudy(
        said=said,
        seconds=np.full(len(said), 4.0),
        is_repeat=np.zeros(len(said), dtype=bool),
        is_control=np.zeros(len(said), dtype=bool),
        gold=np.full(instances, np.nan),
        document=np.arange(instances) % 2,
        is_expert=np.arange(judges) >= CROWD,
        skipped=np.zeros(judges, dtype=np.int64),
        classes=classes,
        names=names,
        parameters=PRESETS["madnani2011"],
    )
