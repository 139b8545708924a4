"""All metrics but ERRANT on the outputs of thirteen systems, as a scoring does it, and on many mixtures of them.

A scoring counts, scores systems and sentences, draws sentences for intervals and sets systems against people. The
reference is the text itself read and split into words once. Mixtures are scored from counts that are there. Kernels are
compiled beforehand.
"""

import numpy as np

from benchmarks.ngrams import made
from benchmarks.processes import timed
from benchmarks.table import Row
from ranking.metrics.candidates import Candidates
from ranking.metrics.catalogue import ALWAYS, metric_of
from ranking.metrics.ensemble.hybrids import mixed
from ranking.metrics.material import Material
from ranking.metrics.scoring import score

SIZE, SMALL_SIZE = (1312, 13), (30, 3)
MIXED, SMALL_MIXED = 6, 2
SEED = 1


def measure(small: bool) -> list[Row]:
    """The reference, each metric and all together, then the mixtures."""
    sentences, systems = SMALL_SIZE if small else SIZE
    texts = made(sentences, systems)
    material = Material.of_texts(texts.source, texts.references)
    names = [f"system {number}" for number in range(systems)]
    size = f"{sentences:,} x {systems}, {len(texts.references)} references"
    plain = timed(
        lambda: [line.split() for lines in (texts.source, *texts.references, *texts.outputs) for line in lines]
    )
    rows = [Row("reference: splitting all texts into words", size, plain.seconds, plain.megabytes, 1)]
    for asked in ALWAYS:
        metric = metric_of(asked)
        few = slice(0, 5)
        score(metric, Material.of_texts(texts.source[few], [lines[few] for lines in texts.references]), names,
              [lines[few] for lines in texts.outputs])  # fmt: skip
        found = timed(lambda metric=metric: score(metric, material, names, texts.outputs))
        rows.append(Row(asked, size, found.seconds, found.megabytes, found.seconds / plain.seconds))
    whole = sum(row.seconds for row in rows[1:])
    rows.append(Row("all of them", size, whole, max(row.megabytes for row in rows), whole / plain.seconds))
    return [*rows, _mixtures(material, texts.outputs[: SMALL_MIXED if small else MIXED], plain.seconds)]


def _mixtures(material: Material, outputs: list[list[str]], reference: float) -> Row:
    """All mixtures of some systems by all metrics, from counts."""
    candidates = Candidates.of(outputs)
    hybrids = mixed(len(outputs), material.sentences, SEED)
    chosen = np.ascontiguousarray(hybrids.choose(candidates.chosen))
    counted = {asked: metric_of(asked).count(material, candidates) for asked in ALWAYS}
    found = timed(lambda: [metric_of(asked).of_systems(counts, chosen) for asked, counts in counted.items()])
    size = f"{len(hybrids)} mixtures x {len(ALWAYS)} metrics"
    return Row("mixtures, from counts", size, found.seconds, found.megabytes, found.seconds / reference)
