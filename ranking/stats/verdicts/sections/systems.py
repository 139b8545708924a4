"""Sections on systems against the crowd: overall, by the agreement of the crowd, by domain, and their stability."""

from collections.abc import Iterator

import numpy as np

from ranking.numbers.tables import Gap, StatisticsError, Table
from ranking.stats.verdicts.bins import Chance, Stratum, by_agreement, stratum
from ranking.stats.verdicts.measures import NAMES, Both, Stability, both, stability
from ranking.stats.verdicts.study import VerdictStudy

WEIGHTED, UNWEIGHTED = "weighted", "unweighted"
MEASURES = ("system", "by", "instances", "hits", "misses", "false_positives",
            *(f"{name}{end}" for name in NAMES for end in ("", "_low", "_high")))  # fmt: skip
STABILITY = ("system", "measure", "by", "value", "spread", "low", "high")
STRATUM = ("instances", "errors", "precision", "precision_low", "precision_high", "recall", "recall_low",
           "recall_high", "f", "kappa", "kappa_low", "kappa_high")  # fmt: skip
NOT_KNOWN = (None, None)
NO_SYSTEM = "There is no system yet. Upload the classes that systems give the usages, then request the report again."


def measures(study: VerdictStudy) -> Iterator[Table | Gap]:
    """Hits, misses, false positives and ratios, weighted by the crowd and by its majority; and their stability."""
    usable = list(_usable(study))
    if study.names.systems and len(usable) < len(study.names.systems):
        left = [name for number, name in enumerate(study.names.systems) if number not in usable]
        yield Gap("systems not measured", f"The crowd has no majority on any usage of {', '.join(left)}.")
    if not usable:
        raise StatisticsError(NO_SYSTEM if not study.names.systems else "No system covers a usage with a majority.")
    chosen = study.parameters
    found = {system: both(study.classes[system], study.crowd) for system in usable}
    ordered = sorted(usable, key=lambda system: (-found[system].weighted.f, study.names.systems[system]))
    try:
        lines = stability(study.classes[ordered], study.crowd_verdicts, chosen.replicates, chosen.seed, chosen.level)
    except StatisticsError as reason:
        lines = [[] for _ in ordered]
        yield Gap("stability", str(reason))
    rows: list[tuple] = []
    for system, known in zip(ordered, lines, strict=True):
        rows += _measured(study, system, found[system], known)
    yield Table.of("measures", MEASURES, rows)
    spreads = [
        (study.names.systems[system], one.measure, WEIGHTED if one.weighted else UNWEIGHTED, one.value, one.spread,
         *one.interval)
        for system, known in zip(ordered, lines, strict=True) for one in known
    ]  # fmt: skip
    if spreads:
        yield Table.of("stability", STABILITY, spreads)


def _usable(study: VerdictStudy) -> Iterator[int]:
    """Systems with a class for a usage that has a majority."""
    decided = np.isfinite(study.crowd.majority)
    for system, row in enumerate(study.classes):
        if (np.isfinite(row) & decided).any():
            yield system


def _measured(study: VerdictStudy, system: int, found: Both, lines: list[Stability]) -> Iterator[tuple]:
    covered = np.isfinite(study.classes[system])
    usable_by = (study.crowd.known, np.isfinite(study.crowd.majority))
    for by, one, usable in zip((WEIGHTED, UNWEIGHTED), found, usable_by, strict=True):
        intervals = {line.measure: line.interval for line in lines if line.weighted == (by == WEIGHTED)}
        cells = [cell for name in NAMES for cell in (getattr(one, name), *intervals.get(name, NOT_KNOWN))]
        usages = int((covered & usable).sum())
        yield study.names.systems[system], by, usages, one.hits, one.misses, one.false_positives, *cells


def bins(study: VerdictStudy) -> Iterator[Table]:
    """Each system by the agreement of the crowd (Figure 2), with kappa for systems on different data."""
    chosen = study.parameters
    chance = Chance(chosen.replicates, chosen.seed, chosen.level)
    rows = [
        (study.names.systems[system], one.low, one.high, *_cells(one.stratum))
        for system in _usable(study)
        for one in by_agreement(study.classes[system], study.crowd, chance, chosen.cuts)
    ]
    if not rows:
        raise StatisticsError("No system covers a usage in a bin; check whether the cuts exclude all of them.")
    yield Table.of("bins", ("system", "low", "high", *STRATUM), rows)


def domains(study: VerdictStudy) -> Iterator[Table]:
    """Each system on the documents of each domain, if there are several."""
    domain_of = np.array([study.names.documents[number].domain for number in study.document.tolist()])
    present = sorted(set(domain_of.tolist()))
    if len(present) < 2:
        return
    chosen, majority = study.parameters, study.crowd.majority
    chance = Chance(chosen.replicates, chosen.seed, chosen.level)
    rows = []
    for system in _usable(study):
        usable = np.isfinite(study.classes[system]) & np.isfinite(majority)
        for domain in present:
            here = usable & (domain_of == domain)
            if here.any():
                found = stratum(study.classes[system][here], majority[here], chance)
                rows.append((study.names.systems[system], domain or "none", *_cells(found)))
    if rows:
        yield Table.of("domains", ("system", "domain", *STRATUM), rows)


def _cells(found: Stratum) -> tuple:
    precision, recall = found.precision_interval or NOT_KNOWN, found.recall_interval or NOT_KNOWN
    return (
        found.usages, found.errors, found.measures.precision, *precision, found.measures.recall, *recall,
        found.measures.f, found.kappa, *(found.kappa_interval or NOT_KNOWN),
    )  # fmt: skip
