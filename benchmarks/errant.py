"""ERRANT of made outputs against four references: parsing, alignment, mixtures of systems, long lines, ratios.

The references are what the package errant does: it parses each sentence by itself and aligns in Python. Its times for
all are extrapolated from some, on which every run checks that both find the same edits. Kernels are compiled and the
model is loaded beforehand, all in one process. Rates are of a second of one core's work.
"""

import random
from collections.abc import Callable, Sequence
from time import perf_counter, process_time
from typing import NamedTuple

import numpy as np

from benchmarks.maker import SEED
from benchmarks.maxmatch import made
from benchmarks.processes import apart
from benchmarks.table import Row
from ranking.metrics.candidates import Candidates
from ranking.metrics.errant.edits import Pair, extractor, spans
from ranking.metrics.errant.metric import Errant
from ranking.metrics.errant.parsing import Sentence
from ranking.metrics.material import Material
from ranking.metrics.ratio import as_outputs, subsets_by_size

SYSTEMS, REFERENCES = 6, 4
SENTENCES, SMALL_SENTENCES = 1000, 10
LISTED, SMALL_LISTED = 200, 10
MIXTURES, SMALL_MIXTURES = 675, 50
LONG, SMALL_LONG, WORDS = 10, 1, 600
PEOPLE, SMALL_PEOPLE = 10, 3


class Took(NamedTuple):
    """Seconds on the clock, and of one core's work."""

    seconds: float
    work: float


class Measures(NamedTuple):
    """How many texts and pairs there are, and what each thing took; the package's ways for some of them."""

    texts: int
    pairs: int
    parse_alone: Took
    parse: Took
    align_plainly: Took
    align: Took
    count: Took
    mixtures: Took
    long: Took
    ratio: Took


def measure(small: bool) -> list[Row]:
    """The package's way for some, then ours for all."""
    sentences, listed, mixtures, long, people = (
        (SMALL_SENTENCES, SMALL_LISTED, SMALL_MIXTURES, SMALL_LONG, SMALL_PEOPLE)
        if small
        else (SENTENCES, LISTED, MIXTURES, LONG, PEOPLE)
    )
    found = apart(measure_all, sentences, listed, mixtures, long, people)
    took = found.value
    texts, pairs = f"{took.texts:,} texts", f"{took.pairs:,} pairs"

    def row(what: str, size: str, seconds: float, ratio: float | None = None) -> Row:
        return Row(what, size, seconds, found.megabytes, ratio)

    alone = took.parse_alone.seconds * took.texts / listed
    plainly = took.align_plainly.seconds * took.pairs / listed
    parsed, aligned = took.texts / took.parse.work, took.pairs / took.align.work
    return [
        row(f"reference: texts parsed one by one, from {listed}", texts, alone, 1),
        row(f"ERRANT: parse, {parsed:,.0f} a second and core", texts, took.parse.seconds, took.parse.seconds / alone),
        row(f"reference: pairs aligned by the package, from {listed}", pairs, plainly, 1),
        row(
            f"ERRANT: align, {aligned:,.0f} a second and core", pairs, took.align.seconds, took.align.seconds / plainly
        ),
        row("ERRANT: count, all together", pairs, took.count.seconds),
        row("ERRANT: scores of mixtures", f"{mixtures} x {sentences:,} x {REFERENCES}", took.mixtures.seconds),
        row("ERRANT: align long lines", f"{long} of {WORDS} words", took.long.seconds),
        row(
            "ERRANT: ratios, all subsets", f"{2**people - 1:,} x {people + SYSTEMS} x {sentences:,}", took.ratio.seconds
        ),
    ]


def measure_all(sentences: int, listed: int, mixtures: int, long: int, people: int) -> Measures:
    """Everything once it is compiled and loaded."""
    parser, metric, rng = extractor().parser, Errant(), np.random.default_rng(SEED)
    material, candidates = made(sentences, SYSTEMS, REFERENCES)
    pairs = _pairs(material, candidates)
    texts = list(dict.fromkeys(text for pair in pairs for text in pair))
    _warm(metric)
    few = texts[:listed]
    parse_alone = _took(lambda: [parser.parse([text]) for text in few])
    parsed: dict[str, Sentence] = {}
    parse = _took(lambda: parsed.update(zip(texts, parser.parse(texts), strict=True)))
    both = [(parsed[source], parsed[text]) for source, text in pairs]
    align = _took(lambda: [spans(*pair) for pair in both])
    counts: list[np.ndarray] = []
    count = _took(lambda: counts.append(metric.count(material, candidates)))
    drawn = candidates.chosen[rng.integers(SYSTEMS, size=(mixtures, sentences)), np.arange(sentences)]
    return Measures(
        len(texts),
        len(pairs),
        parse_alone,
        parse,
        _aligned_by_the_package(both[:listed]),
        align,
        count,
        _took(lambda: metric.of_systems(counts[0], drawn)),
        _of_long_lines(long),
        _of_ratios(metric, sentences, people),
    )


def _warm(metric: Errant) -> None:
    material, candidates = made(2, SYSTEMS, REFERENCES)
    counts = metric.count(material, candidates)
    metric.of_systems(counts, candidates.chosen)
    metric.of_subsets(counts, candidates.chosen, [(0,)])


def _pairs(material: Material, candidates: Candidates) -> list[Pair]:
    """What has to be aligned: candidates and references that differ from their source."""
    pairs = [(material.source[place], text) for place, text in zip(candidates.sentence, candidates.texts, strict=True)]
    for told in material.texts:
        pairs += [(source, text) for source, text in zip(material.source, told, strict=True) if text is not None]
    return list(dict.fromkeys(pair for pair in pairs if pair[0] != pair[1]))


def _aligned_by_the_package(pairs: Sequence[tuple[Sentence, Sentence]]) -> Took:
    """A fast way to other edits would be worth nothing."""
    from errant.alignment import Alignment
    from errant.en.merger import get_rule_edits

    found: list[list[list[int]]] = []

    def align() -> None:
        for source, other in pairs:
            edits = get_rule_edits(Alignment(source.parsed, other.parsed))
            found.append([[edit.o_start, edit.o_end, edit.c_start, edit.c_end] for edit in edits])

    took = _took(align)
    if found != [spans(*pair).tolist() for pair in pairs]:
        raise SystemExit("The package errant finds other edits than the metric does.")
    return took


def _of_long_lines(many: int) -> Took:
    """Lines of which hardly a word is kept."""
    rng = random.Random(SEED)
    words = [word for text in made(50, SYSTEMS, REFERENCES)[0].source for word in text.split()]
    parsed = extractor().parser.parse(" ".join(rng.choices(words, k=WORDS)) for _ in range(2 * many))
    return _took(lambda: [spans(*pair) for pair in zip(parsed[:many], parsed[many:], strict=True)])


def _of_ratios(metric: Errant, sentences: int, people: int) -> Took:
    """What is left to do once all are counted."""
    material, candidates = made(sentences, SYSTEMS, people)
    outputs = [[candidates.texts[number] for number in row] for row in candidates.chosen]
    candidates = Candidates.of([*outputs, *as_outputs(material)])
    counts = metric.count(material, candidates)
    subsets = [subset for size in subsets_by_size(people, SEED) for subset in size]
    return _took(lambda: metric.of_subsets(counts, candidates.chosen, subsets))


def _took(work: Callable[[], object]) -> Took:
    start, worked = perf_counter(), process_time()
    work()
    return Took(perf_counter() - start, process_time() - worked)
