"""Systems that detect errors, against the crowd: precision and recall, by its agreement, by domain, and how they vary.

With c the system's class of a usage (1 error, 0 fine; or its probability of an error) and p the crowd's proportion,

    hits = sum c p    misses = sum (1 - c) p    false positives = sum c (1 - p)
    precision = hits / (hits + false positives)    recall = hits / (hits + misses)

The weighted measures use p itself, so that a contentious case counts less than a clear one; the unweighted ones use 1
where most found an error and 0 where most found none (Madnani et al. 2011, equations 1 to 3). Usages with only
unknown verdicts are left out; the unweighted measures also leave out those without a majority.

Toy: p = .9 .56 .2 and classes 1 1 0: hits 1.46, misses .2, false positives .54; precision .73, recall .8795.

The stability of these measures is their spread when judges are drawn with replacement, all verdicts of a judge
together. The crowd of a replicate consists of the judges drawn, each as often as drawn; a replicate in which a system
has no usage with a verdict has no measures. An unweighted measure jumps when a majority changes; a weighted one
changes by the one verdict alone (Madnani et al. 2011, section 4.1).

The interval of a measure for other judges, of whom n gave verdicts, follows from its spread s over these replicates,

    measure -+ t s sqrt(n / (n - 1)),    t the quantile of Student's t with n - 1 degrees of freedom,

because n judges drawn from n vary less than others would, and a few say little of how much. The replicates alone would
hold the truth in half of all cases with two judges, and in .82 with six; so it is .92 to .98 (80 usages, 2 to 20 judges
who differ in strictness).

Toy: six judges and a spread of .02: t = 2.57, and the interval reaches 2.57 x .02 x sqrt(6 / 5) = .056 to either side.
8 of 15 judges find an error that a system found. If one of them had not, the majority would make it a false
positive, 1 instead of 0; weighted, it would be 8/15 of one instead of 7/15.

A bin holds the usages with agreement in one range (Figures 1 and 2), which includes its lower end but not its upper
one; the last range includes both. Within a bin, and within a domain, precision and recall are against the majority,
because the bin already fixes the agreement; kappa is Cohen's, of the system with the majority. So systems can be
compared on clear and on contentious cases separately, even if they were tested on different data. These measures are of
classes, as in the paper: a probability of at least one half counts as an error. Precision and recall are shares of
usages, with Wilson's interval (1927); the interval of kappa comes from resampling usages. Both treat the usages of the
bin as a sample and the majority as fixed.

Toy: probabilities .9 .6 .4 where the majority finds error, OK, error: hits 1, false positives 1, misses 1.
"""

from collections.abc import Iterator
from itertools import pairwise
from math import sqrt
from typing import Any

import numpy as np
import scipy as sp

from ranking.numbers.intervals import NOT_KNOWN, interval_of, wilson
from ranking.numbers.tables import Gap, StatisticsError, Table
from ranking.stats.agreement.kappa import beyond_chance, kappa
from ranking.stats.answers import Answers
from ranking.stats.choices import ADJUDICATED, NOT_INDEPENDENT
from ranking.stats.resampling import draw, resample_sums
from ranking.stats.verdicts.crowd import ERROR, UNKNOWN, Crowd
from ranking.stats.verdicts.study import LEAST_AGREEMENT, VerdictParameters, VerdictStudy

WEIGHTED, UNWEIGHTED = BY = ("weighted", "unweighted")
NAMES = HITS, MISSES, FALSE_POSITIVES, PRECISION, RECALL, F = (
    "hits", "misses", "false_positives", "precision", "recall", "f",
)  # fmt: skip
RATIOS = NAMES[3:]
ENDS = "", "_low", "_high", "_spread"
MEASURES = "system", "by", "usages", *NAMES[:3], *(f"{name}{end}" for name in RATIOS for end in ENDS)
STRATUM = ("usages", "errors", "precision", "precision_low", "precision_high", "recall", "recall_low",
           "recall_high", "f", "kappa", "kappa_low", "kappa_high")  # fmt: skip
HISTOGRAM = ("low", "high", "usages", "share")
NO_SYSTEM = "There is no system yet. Upload the classes that systems give the usages, then make a new report."
BARS = 10
# Kappas that differ by no more are the same but for rounding.
SAME = 1e-9
# A system finds an error from this probability on.
ERROR_FROM = 0.5
# The largest number of usages times replicates held in memory.
CELLS_AT_ONCE = 4_000_000


def measures(study: VerdictStudy) -> Iterator[Table | Gap]:
    """Hits, misses, false positives and ratios, weighted by the crowd and by its majority; and their stability."""
    names, chosen, usable = study.names.systems, study.parameters, study.measurable
    if left := [name for number, name in enumerate(names) if number not in usable]:
        yield Gap("systems not measured", f"The crowd has no majority on any usage of {', '.join(left)}.")
    if not usable:
        raise StatisticsError(NO_SYSTEM if not names else "No system covers a usage with a majority.")
    found = measures_of(study.classes, study.crowd)
    ordered = sorted(usable, key=lambda system: (-found[system, 0, NAMES.index(F)], names[system]))
    spread = reach = np.full((len(ordered), len(BY), len(RATIOS)), np.nan)
    try:
        # Where judges differed, one adjudicated answer is left, by somebody who was not drawn.
        if chosen.answers == ADJUDICATED:
            raise StatisticsError(NOT_INDEPENDENT)
        drawn = drawn_measures(study.classes[ordered], study.crowd_verdicts, chosen.replicates, chosen.seed)
        spread, reach = np.nanstd(drawn, axis=-1), reach_of(drawn, study.crowd_verdicts, chosen.level)
    except StatisticsError as reason:
        yield Gap("stability", str(reason))
    rows: list[tuple] = []
    covered = np.isfinite(study.classes).astype(int)
    usages = np.stack(
        [covered @ there for there in (study.crowd.is_decided, np.isfinite(study.crowd.majority))], axis=1
    )
    for place, system in enumerate(ordered):
        ratios_of = found[system][:, NAMES.index(PRECISION) :]
        ends = np.clip([ratios_of - reach[place], ratios_of + reach[place]], 0, 1)
        of_ratios = np.stack([ratios_of, *ends, spread[place]], axis=-1)
        for by, values, many, cells in zip(BY, found[system], usages[system], of_ratios, strict=True):
            rows.append((names[system], by, int(many), *values[: NAMES.index(PRECISION)], *cells.ravel()))
    yield Table.of("measures", MEASURES, rows)


def measures_of(classes: np.ndarray, crowd: Crowd) -> np.ndarray:
    """Systems by (weighted, unweighted) by NAMES; NaN where a system has no usage with a verdict."""
    return np.stack([
        measure(classes, right[:, None], np.isfinite(right)[:, None])[..., 0]
        for right in (crowd.proportion, crowd.majority)
    ], axis=1)  # fmt: skip


def measure(classes: np.ndarray, right: np.ndarray, known: np.ndarray) -> np.ndarray:
    """Systems by NAMES by columns of `right`, the share of errors of each usage (row) where it is known."""
    covered = np.isfinite(classes)
    found, whole = np.where(covered, classes, 0.0), known.astype(float)
    p = np.where(known, right, 0.0)
    sums = found @ p, (covered - found) @ p, found @ (whole - p)
    measures = np.stack([*sums, *ratios(*sums)], axis=1)
    return np.where((covered.astype(float) @ whole > 0)[:, None], measures, np.nan)


def ratios(hits: Any, misses: Any, false_positives: Any) -> tuple[Any, Any, Any]:
    """Precision, recall and F of numbers or arrays; 0 / 0 is 1, as nothing was wrong."""
    precision, recall = (
        np.divide(hits, hits + wrong, out=np.ones(np.shape(wrong)), where=hits + wrong > 0)
        for wrong in (false_positives, misses)
    )
    both = precision + recall
    return precision, recall, np.divide(2 * precision * recall, both, out=np.zeros(np.shape(both)), where=both > 0)


def drawn_measures(classes: np.ndarray, verdicts: Answers, replicates: int, seed: int) -> np.ndarray:
    """Systems by (weighted, unweighted) by RATIOS by replicates, which draw judges."""
    decided = verdicts.choose(verdicts.value != UNKNOWN)
    present, judge = np.unique(decided.judge, return_inverse=True)
    if len(present) < 2:
        raise StatisticsError("Only one judge has decided verdicts, so drawing judges says nothing about chance.")
    shape = (decided.units, len(present))
    everything, errors = (
        sp.sparse.csr_array(sp.sparse.coo_array((values.astype(float), (decided.unit, judge)), shape=shape))
        for values in (np.ones(len(decided)), decided.value == ERROR)
    )
    step = max(1, CELLS_AT_ONCE // decided.units)
    parts = []
    for at in range(0, replicates, step):
        weights = draw(len(present), min(step, replicates - at), seed, at)
        many, found = everything @ weights, errors @ weights
        share = np.divide(found, many, out=np.zeros_like(found), where=many > 0)
        ways = (share, many > 0), ((2 * found > many).astype(float), (many > 0) & (2 * found != many))
        parts.append(np.stack([measure(classes, *way)[:, 3:] for way in ways], axis=1))
    return np.concatenate(parts, axis=-1)


def reach_of(drawn: np.ndarray, verdicts: Answers, level: float) -> np.ndarray:
    """How far an interval for other judges reaches to either side, from replicates (the last axis)."""
    judges = len(np.unique(verdicts.judge[verdicts.value != UNKNOWN]))
    few = sp.special.stdtrit(judges - 1, (1 + level) / 2) * sqrt(judges / (judges - 1))
    return np.asarray(few * np.nanstd(drawn, axis=-1))


def bins(study: VerdictStudy) -> Iterator[Table]:
    """Each system by the agreement of the crowd (Figure 2), with kappa for systems on different data."""
    cuts, agreement = study.parameters.cuts, study.crowd.agreement
    ranges = [(low, high, within(agreement, low, high, high == cuts[-1])) for low, high in pairwise(cuts)]
    rows = [
        (study.names.systems[system], low, high, *found)
        for system in study.measurable
        for low, high, here in ranges
        if (found := _measure_on(study, system, here))
    ]
    if not rows:
        raise StatisticsError("No system covers a usage in a bin; check whether the cuts exclude all of them.")
    yield Table.of("bins", ("system", "low", "high", *STRATUM), rows)


def domains(study: VerdictStudy) -> Iterator[Table]:
    """Each system on the documents of each domain, if there are several."""
    domain_of = np.array([study.names.documents[number].domain for number in study.document.tolist()])
    present = sorted(set(domain_of.tolist()))
    rows = [
        (study.names.systems[system], domain or "none", *found)
        for system in study.measurable
        for domain in present
        if len(present) > 1 and (found := _measure_on(study, system, domain_of == domain))
    ]
    if rows:
        yield Table.of("domains", ("system", "domain", *STRATUM), rows)


def agreement_histogram(study: VerdictStudy) -> Iterator[Table]:
    """Number of usages in equal ranges of agreement from one half to 1 (Figure 1)."""
    agreement = study.crowd.agreement[study.crowd.is_decided]
    ends = np.linspace(LEAST_AGREEMENT, 1.0, BARS + 1).tolist()
    bars = [(low, high, int(within(agreement, low, high, high == 1).sum())) for low, high in pairwise(ends)]
    yield Table.of("agreement_histogram", HISTOGRAM, [(*bar, bar[-1] / len(agreement)) for bar in bars])


def within(agreement: np.ndarray, low: float, high: float, is_last: bool) -> np.ndarray:
    """Which values lie in a range; values closer to an end than rounding errors count as on it."""
    near = np.round(agreement, 12)
    return (near >= round(low, 12)) & ((near <= high) if is_last else (near < round(high, 12)))


def _measure_on(study: VerdictStudy, system: int, wanted: np.ndarray) -> tuple | None:
    """The cells of a STRATUM: a system on some of the usages; None where none has a class and a majority."""
    classes, majority = study.classes[system], study.crowd.majority
    here = wanted & np.isfinite(classes) & np.isfinite(majority)
    return stratum(classes[here], majority[here], study.parameters) if here.any() else None


def stratum(classes: np.ndarray, right: np.ndarray, chosen: VerdictParameters) -> tuple:
    """Measure a system on usages that all have a class or a probability, and a majority."""
    findings = (classes >= ERROR_FROM).astype(float)
    known = np.ones((len(right), 1), dtype=bool)
    hits, misses, wrong, precision, recall, f = measure(findings[None], right[:, None], known)[0, :, 0].tolist()
    agreement, interval = kappa(findings, right), None
    if agreement is not None and len(right) > 1:
        # Kappa needs only how often both agree, and how often the system and the crowd find an error.
        cells = np.stack([findings == right, findings, right, np.ones_like(findings)], axis=1).astype(float)
        sums = resample_sums(cells, chosen.replicates, chosen.seed)
        drawn = beyond_chance(*(sums.T[:3] / sums.T[3]))
        # What never differs, such as the kappa of three equal answers, is not certain for that.
        known = drawn[np.isfinite(drawn)]
        interval = interval_of(known, chosen.level) if len(known) and np.ptp(known) > SAME else None
    ends = (wilson(hits, hits + other, chosen.level) or NOT_KNOWN for other in (wrong, misses))
    return (len(right), int(right.sum()), precision, *next(ends), recall, *next(ends), f, agreement,
            *(interval or NOT_KNOWN))  # fmt: skip
