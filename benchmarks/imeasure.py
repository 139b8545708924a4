"""The I-measure of made outputs against made references, counted whole and by mixtures.

The reference is a table of all cells in plain Python, its time for all outputs extrapolated from a few alignments.
Every run checks that on these both give the same counts. Kernels are compiled beforehand.
"""

from collections.abc import Sequence
from time import process_time
from typing import NamedTuple

import numpy as np

from benchmarks.maker import LEFT, corrected_sentences
from benchmarks.processes import apart, timed
from benchmarks.table import Row
from ranking.metrics.candidates import Candidates
from ranking.metrics.imeasure.alignment import COLUMNS, FN, FP, FPN, TN, TP
from ranking.metrics.imeasure.metric import IMeasure
from ranking.metrics.material import Material

SENTENCES, SMALL_SENTENCES = 1000, 20
SYSTEMS, SMALL_SYSTEMS = 10, 4
REFERENCES = 4
ALIGNED, SMALL_ALIGNED = 8, 2

GAP = ""
MOVES = ((1, 1, 1), (1, 1, 0), (1, 0, 1), (0, 1, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1))


class Run(NamedTuple):
    """Counts, the seconds they took, those that all cores together computed, and the most memory so far."""

    counts: np.ndarray
    seconds: float
    computed: float
    megabytes: float


def measure(small: bool) -> list[Row]:
    """The plain way, then ours."""
    sentences, systems = (SMALL_SENTENCES, SMALL_SYSTEMS) if small else (SENTENCES, SYSTEMS)
    few = SMALL_ALIGNED if small else ALIGNED
    material, candidates = made_outputs(sentences, systems)
    plain = apart(count_plainly, material.only([0]), candidates.texts[:few], candidates.sentence[:few])
    reference = plain.seconds * REFERENCES * len(candidates) / few
    whole, mixed = apart(run, material, candidates).value
    if not np.array_equal(whole.counts[:few, :1, :COLUMNS], plain.value):
        raise SystemExit("A table of all cells gives other counts than our own I-measure.")
    size = f"{sentences:,} x {systems}, {REFERENCES} references"
    return [
        Row(f"reference: a table of all cells, from {few} alignments", size, reference, plain.megabytes, 1),
        *(
            Row(
                f"{what} mixing: {len(candidates) / found.computed:,.0f} outputs a second and core",
                size,
                found.seconds,
                found.megabytes,
                found.seconds / reference,
            )
            for what, found in (("without", whole), ("with", mixed))
        ),
    ]


def run(material: Material, candidates: Candidates) -> tuple[Run, Run]:
    """What scoring does for the counts; a first sentence by itself has the kernels ready."""
    return _run(IMeasure(), material, candidates), _run(IMeasure(mixing=True), material, candidates)


def count_plainly(material: Material, texts: Sequence[str], sentences: Sequence[int]) -> np.ndarray:
    """The counts of correction, output after output and reference after reference."""
    return np.array(
        [
            [
                align_in_a_table(material.source[place].split(), text.split(), (reference[place] or "").split())[:-1]
                for reference in material.texts
            ]
            for text, place in zip(texts, sentences, strict=True)
        ]
    )


def made_outputs(sentences: int, systems: int) -> tuple[Material, Candidates]:
    """Distinct outputs of imagined systems; the references are by four that are better."""
    made = list(corrected_sentences(sentences, systems + REFERENCES))
    source = [sentence.text((LEFT,) * len(sentence.faulty)) for sentence in made]
    texts = [[sentence.text(changes) for changes in sentence.changes] for sentence in made]
    everyone = [list(lines) for lines in zip(*texts, strict=True)]
    return Material.of_texts(source, everyone[systems:]), Candidates.of(everyone[:systems])


def align_in_a_table(source: Sequence[str], output: Sequence[str], reference: Sequence[str]) -> list[int]:
    """The numbers of columns and what they cost, from a table of all cells."""
    texts = (source, output, reference)
    cost: dict[tuple[int, ...], int] = {(0, 0, 0): 0}
    came: dict[tuple[int, ...], tuple[tuple[int, ...], list[str]]] = {}
    for cell in np.ndindex(*(len(text) + 1 for text in texts)):
        for move in MOVES if any(cell) else ():
            before = tuple(place - step for place, step in zip(cell, move, strict=True))
            if min(before) < 0:
                continue
            column = [text[place] if step else GAP for text, place, step in zip(texts, before, move, strict=True)]
            paid = cost[before] + sum(_pair(column[one], column[other]) for one, other in ((0, 1), (0, 2), (1, 2)))
            if cell not in cost or paid < cost[cell]:
                cost[cell], came[cell] = paid, (before, column)
    cell = tuple(map(len, texts))
    counts = [0] * COLUMNS + [cost[cell]]
    while any(cell):
        cell, (word, mine, wanted) = came[cell]
        if word == mine:
            kinds = [TN if mine == wanted else FN]
        else:
            kinds = [FP] if word == wanted else [TP] if mine == wanted else [FP, FN, FPN]
        for kind in kinds:
            counts[kind] += 1
    return counts


def _pair(one: str, other: str) -> int:
    return 0 if one == other else 2 if GAP in (one, other) else 3


def _run(metric: IMeasure, material: Material, candidates: Candidates) -> Run:
    first = candidates.sentence == 0
    few = Candidates(candidates.texts[: int(first.sum())], candidates.sentence[first], candidates.chosen[:, :1])
    metric.count(material, few)
    computed = process_time()
    found = timed(lambda: metric.count(material, candidates))
    return Run(found.value, found.seconds, process_time() - computed, found.megabytes)
