"""What is asked of a comparison of metrics with people on plain files, and all of its tables.

A preset is a set of choices that follows a paper: `napoles2019` has its metrics, its bounds, its mixtures of systems
for Table 8, and for Figure 3 its test, which takes them for independent.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256

import numpy as np

from ranking.metrics.catalogue import METRICS, USUAL
from ranking.metrics.ensemble.hybrids import COPIES, SHARES
from ranking.metrics.scoring import REPLICATES, SEED
from ranking.numbers.intervals import LEVEL
from ranking.numbers.tables import Gap, Table
from ranking.stats.metaevaluation.human_agreement import DRAWN, Sides, correlations_of_systems, tables_of_systems
from ranking.stats.metaevaluation.hybrids import REPLICATES as SYSTEMS_DRAWN
from ranking.stats.metaevaluation.hybrids import Mixed, correlations_of, differences_of, williams_as_published
from ranking.stats.metaevaluation.tables import CORRELATIONS

# Table 8 of Napoles et al. (2019), in its order.
OF_TABLE_8 = ("chrf++", "errant:beta=0.2", "errant", "gleu", "chargleu", "i-measure", "m2:beta=0.2", "m2")
AGAINST = "against people"


@dataclass(frozen=True)
class Choices:
    """Which metrics, whether over mixtures too and tested as published, which outputs are bounds, by which scores."""

    metrics: tuple[str, ...] = USUAL
    hybrids: bool = False
    as_published: bool = False
    bounds: frozenset[str] = frozenset()
    macro: bool = False
    seed: int = SEED


PRESETS: Mapping[str, Choices] = {
    "recommended": Choices(),
    "napoles2019": Choices(
        tuple(name for name in OF_TABLE_8 if name.partition(":")[0] in METRICS),
        hybrids=True,
        as_published=True,
        bounds=frozenset({"source+error"}),
        macro=True,
    ),
}


def tables_against_people(sides: Sides, choices: Choices) -> Iterator[Table | Gap]:
    """All tables, and what could not be told."""
    told = list(correlations_of_systems(sides))
    mixed = Mixed(sides, choices.seed) if choices.hybrids else None
    if mixed:
        told += correlations_of(mixed)
    yield from (gap for gap in told if isinstance(gap, Gap))
    yield Table.of("metric_correlations", CORRELATIONS, (row for row in told if not isinstance(row, Gap)))
    yield Table.of("signatures", ("metric", "signature"), [(AGAINST, recipe(sides, choices))])
    yield from tables_of_systems(sides)
    if mixed:
        yield from differences_of(mixed)
        if choices.as_published:
            yield from williams_as_published(mixed)


def recipe(sides: Sides, choices: Choices) -> str:
    """Everything but the metrics that decides these numbers."""
    digest = sha256(np.ascontiguousarray(sides.human.scores, dtype="<f8").tobytes()).hexdigest()[:12]
    parts = [
        f"systems:{'+'.join(sides.human.names)}", f"people:{digest}", "unit:sentence", f"replicates:{REPLICATES}",
        f"level:{LEVEL:g}", f"permutations:{DRAWN}", f"kinds:{'macro' if sides.macro else 'micro'}",
    ]  # fmt: skip
    if choices.hybrids:
        many = len(sides.human.names) * (len(sides.human.names) - 1) // 2 * COPIES * len(SHARES)
        parts += [f"hybrids:{many}", f"seed:{choices.seed}", f"hybrid-replicates:{SYSTEMS_DRAWN}"]
    return "|".join(parts)
