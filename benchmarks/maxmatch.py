"""M2 of made outputs against four references; mixtures of systems, long lines, and ratios by all subsets.

The reference lists every arc of the lattice in Python; its time for all candidates is extrapolated from some. Every run
checks that on these both count alike. Kernels are compiled beforehand. Rates are of a second of one core's work.
"""

import random
from time import perf_counter, process_time
from typing import NamedTuple

import numpy as np

from benchmarks.maker import LEFT, SEED, corrected_sentences
from benchmarks.plain_maxmatch import outcomes, seconds_to_count
from benchmarks.processes import apart
from benchmarks.table import Row
from ranking.metrics.candidates import Candidates
from ranking.metrics.material import Edit, Material
from ranking.metrics.maxmatch.metric import MaxMatch
from ranking.metrics.ratio import as_outputs, subsets_by_size

SYSTEMS, REFERENCES = 6, 4
SENTENCES, SMALL_SENTENCES = 1000, 40
LISTED, SMALL_LISTED = 200, 10
MIXTURES, SMALL_MIXTURES = 675, 50
LONG, WORDS = 10, 600
PEOPLE, SMALL_PEOPLE = 10, 3


class Measures(NamedTuple):
    """Seconds on the clock of each thing, candidates counted a second of one core, and counts of some candidates."""

    count: float
    rate: float
    mixtures: float
    long: float
    ratio: float
    counts: np.ndarray


def measure(small: bool) -> list[Row]:
    """The plain way for some, then ours."""
    sentences, listed, mixtures, people = (
        (SMALL_SENTENCES, SMALL_LISTED, SMALL_MIXTURES, SMALL_PEOPLE)
        if small
        else (SENTENCES, LISTED, MIXTURES, PEOPLE)
    )
    material, candidates = made(sentences, SYSTEMS, REFERENCES)
    plain = apart(seconds_to_count, material, candidates, listed)
    reference = plain.value * len(candidates) / listed
    found = apart(measure_ours, sentences, mixtures, people)
    _agree(found.value.counts, material, candidates, listed)
    ours, size = found.value, f"{len(candidates):,} x {REFERENCES} references"

    def row(what: str, size: str, seconds: float, ratio: float | None = None) -> Row:
        return Row(what, size, seconds, found.megabytes, ratio)

    return [
        Row(f"reference: every arc listed, from {listed}", size, reference, plain.megabytes, 1),
        row(f"M2: count, {ours.rate:,.0f} a second and core", size, ours.count, ours.count / reference),
        row("M2: scores of mixtures", f"{mixtures} x {sentences:,} x {REFERENCES}", ours.mixtures),
        row("M2: count long lines", f"{LONG} of {WORDS} words x {REFERENCES}", ours.long),
        row("M2: ratios, all subsets", f"{2**people - 1:,} x {people + SYSTEMS} x {sentences:,}", ours.ratio),
    ]


def made(sentences: int, systems: int, references: int) -> tuple[Material, Candidates]:
    """Outputs of systems, and references by the best of those that the maker knows."""
    source, outputs = [], []
    for sentence in corrected_sentences(sentences, systems + references):
        source.append(sentence.text((LEFT,) * len(sentence.faulty)))
        outputs.append([sentence.text(changes) for changes in sentence.changes])
    columns = list(zip(*outputs, strict=True))
    return Material.of_texts(source, columns[systems:]), Candidates.of(columns[:systems])


def measure_ours(sentences: int, mixtures: int, people: int) -> Measures:
    """Everything once it is compiled."""
    metric, rng = MaxMatch(), np.random.default_rng(SEED)
    material, candidates = made(sentences, SYSTEMS, REFERENCES)
    counts = metric.count(material, candidates)
    metric.of_systems(counts, candidates.chosen)
    start, worked = perf_counter(), process_time()
    metric.count(material, candidates)
    count, rate = perf_counter() - start, len(candidates) / (process_time() - worked)
    drawn = rng.integers(SYSTEMS, size=(mixtures, sentences))
    mixed = candidates.chosen[drawn, np.arange(sentences)]
    start = perf_counter()
    metric.of_systems(counts, mixed)
    mixing = perf_counter() - start
    return Measures(count, rate, mixing, _seconds_of_long_lines(metric), _seconds_of_ratios(sentences, people), counts)


def _seconds_of_long_lines(metric: MaxMatch) -> float:
    """Lines in which few words recur, so that the lattice is dense, and edits at every other word."""
    rng = random.Random(SEED)
    lines = [[rng.choice("abc") for _ in range(WORDS)] for _ in range(2 * LONG)]
    source, output = [" ".join(line) for line in lines[:LONG]], [" ".join(line) for line in lines[LONG:]]
    edits = tuple(Edit(at, at + 1, (rng.choice("abc"),)) for at in range(0, WORDS, 2))
    texts, gold = (tuple(source),) * REFERENCES, ((edits,) * LONG,) * REFERENCES
    material, candidates = Material(tuple(source), texts, gold, "m2"), Candidates.of([output])
    start = perf_counter()
    metric.count(material, candidates)
    return perf_counter() - start


def _seconds_of_ratios(sentences: int, people: int) -> float:
    """What is left to do once all are counted."""
    metric = MaxMatch()
    material, candidates = made(sentences, SYSTEMS, people)
    outputs = [[candidates.texts[number] for number in row] for row in candidates.chosen]
    candidates = Candidates.of([*outputs, *as_outputs(material)])
    counts = metric.count(material, candidates)
    subsets = [subset for size in subsets_by_size(people, SEED) for subset in size]
    start = perf_counter()
    metric.of_subsets(counts, candidates.chosen, subsets)
    return perf_counter() - start


def _agree(counts: np.ndarray, material: Material, candidates: Candidates, listed: int) -> None:
    """A fast way to other counts would be worth nothing."""
    for place in range(listed):
        sentence = candidates.sentence[place]
        for reference, edits in enumerate(material.edits):
            correct, proposed, _ = counts[place, reference].tolist()
            if (correct, proposed) not in outcomes(
                material.source[sentence], candidates.texts[place], edits[sentence] or ()
            ):
                raise SystemExit("Listing every arc gives other counts than M2 does.")
