"""Scoring systems by every metric with four references, against other programs on some of the lines.

Every run checks that both agree on these lines; the time of the other programs is extrapolated to all. Rates are per
second of one core, compiled before, without start-up, files and tables, which `commands` includes.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import isclose
from typing import Any, NamedTuple

import numpy as np

from benchmarks.harness import Measured, Row, apart, must_agree, timed
from ranking.metrics.base import Metric
from ranking.metrics.catalogue import ALWAYS, metric_of
from ranking.metrics.ensemble import mix_systems
from ranking.metrics.errant import Errant
from ranking.metrics.errant_edits import TextPair, align, extractor
from ranking.metrics.errant_parser import ParsedSentence
from ranking.metrics.imeasure_alignment import COLUMNS
from ranking.metrics.material import Candidates, Material
from ranking.metrics.meteor import Meteor
from ranking.metrics.ratio import as_outputs, subsets_by_size
from ranking.metrics.scoring import score
from tests.services.texts import SEED, Texts, made_texts

WARM_UP = 100
SIZE, SMALL_SIZE = (1312, 13), (60, 3)
REFERENCES = 4
# Lines that other programs score, and lines aligned in a table of all cells, which takes longer.
SOME, SMALL_SOME, FEWEST = 200, 10, 2
MIXED, SMALL_MIXED = 6, 2
PEOPLE, SMALL_PEOPLE = 10, 3
CLOSE = 1e-9


def material_of(texts: Texts) -> Material:
    return Material.of_texts(texts.source, texts.references)


class Scored(NamedTuple):
    """Counts of all candidates, and the score of the first output."""

    counts: np.ndarray
    score: float


class Program(NamedTuple):
    """A reference program: its name, how many lines it scores, and whether it found our result."""

    name: str
    lines: int
    run: Callable[[Texts, Material], Any]
    agrees: Callable[[Any, Scored], bool] = lambda theirs, ours: isclose(theirs, ours.score, abs_tol=CLOSE)


def metrics(small: bool) -> list[Row]:
    """Measure each metric against its program, then whole scorings, then scores from counts."""
    sentences, systems = SMALL_SIZE if small else SIZE
    texts = made_texts(sentences, systems, REFERENCES)
    size = f"{sentences:,} x {systems}, {REFERENCES} references"
    rows = [row for pair in _programs(SMALL_SOME if small else SOME) for row in _against(*pair, texts, size)]
    return [*rows, *_scorings(texts, size), *_from_counts(texts, small)]


def _against(metric: Metric, program: Program, texts: Texts, size: str) -> Iterator[Row]:
    few = texts.first(program.lines)
    material = material_of(few)
    plain = timed(lambda: program.run(few, material))
    must_agree(program.agrees(plain.value, counted(metric, few)), f"{metric.main_scores[0]}: {program.name}")
    lines = len(texts.source) * len(texts.outputs)
    theirs = plain.for_all(lines / program.lines)
    counted(metric, texts.first(WARM_UP))  # compiles kernels that a few lines do not need
    ours = timed(lambda: counted(metric, texts))
    yield Row.of(f"reference: {program.name}, from {program.lines:,} lines", size, theirs, theirs.seconds)
    yield Row.of(f"{metric.main_scores[0]}: {lines / ours.computed:,.0f} a second and core", size, ours, theirs.seconds)


def counted(metric: Metric, texts: Texts) -> Scored:
    candidates = Candidates.of(texts.outputs)
    counts = metric.count(material_of(texts), candidates)
    return Scored(counts, float(metric.of_systems(counts, candidates.chosen)[metric.main_scores[0]][0]))


def _programs(some: int) -> Iterator[tuple[Metric, Program]]:
    # Imported here, because NLTK is slow to import for the other benchmarks.
    from sacrebleu.metrics import BLEU, CHRF

    from benchmarks.nltk_meteor import NoSynonyms, meteor
    from tests.ranking.metrics import plain_cleme, plain_gotoscorer, plain_maxmatch
    from tests.ranking.metrics.plain_imeasure import align_in_a_table
    from tests.ranking.metrics.plain_ngrams import gleu_by_definition, green_by_definition

    def arcs(texts: Texts, material: Material) -> list:
        pairs = enumerate(zip(texts.source, texts.outputs[0], strict=True))
        return [[plain_maxmatch.counted(*pair, edits[place]) for edits in material.edits] for place, pair in pairs]

    def cells(texts: Texts, material: Material) -> list:
        lines = zip(texts.source, texts.outputs[0], *texts.references, strict=True)
        split = ([line.split() for line in each] for each in lines)
        return [[align_in_a_table(source, line, right)[:-1] for right in rights] for source, line, *rights in split]

    def gleu(tokens: Callable[[str], Sequence[str]], order: int) -> Program:
        def score(texts: Texts, _: Material) -> float:
            rights = list(zip(*texts.references, strict=True))
            return gleu_by_definition(texts.source, rights.__getitem__, texts.outputs[0], tokens, order, 500)[0]

        return Program("plain Python", some, score)

    def green(texts: Texts, _: Material) -> float:
        rights = list(zip(*texts.references, strict=True))
        return green_by_definition(texts.source, rights.__getitem__, texts.outputs[0], 4, 2)[0]

    def chunks(texts: Texts, _: Material) -> list:
        lines = zip(texts.source, texts.outputs[0], *texts.references, strict=True)
        judged = plain_gotoscorer.by_definition
        return [[judged(source, right, [line])[0] for right in rights] for source, line, *rights in lines]

    def cleme(texts: Texts, _: Material) -> float:
        return plain_cleme.score(texts.source, texts.outputs[0], list(zip(*texts.references, strict=True)), False)

    def sacrebleu(metric: Any) -> Program:
        score = lambda texts, _: metric.corpus_score(texts.outputs[0], texts.references).score  # noqa: E731
        return Program("sacrebleu", some, score)

    table = Program("a table of all cells", FEWEST, cells,
                    lambda theirs, ours: np.array_equal(ours.counts[:, :, :COLUMNS], theirs))  # fmt: skip
    same_edits = lambda theirs, ours: np.array_equal(ours.counts[:, :, :2], theirs)  # noqa: E731
    yield metric_of("m2"), Program("every arc listed", some, arcs, same_edits)
    same = lambda theirs, ours: np.array_equal(ours.counts, theirs)  # noqa: E731
    yield metric_of("gotoscorer"), Program("plain Python", some, chunks, same)
    yield metric_of("cleme"), Program("plain Python", some, cleme)
    yield metric_of("green"), Program("plain Python", some, green)
    yield metric_of("gleu"), gleu(str.split, 4)
    yield metric_of("chargleu"), gleu(list, 5)
    yield metric_of("i-measure"), table
    yield metric_of("i-measure:mixing=yes"), table._replace(agrees=lambda theirs, ours: True)
    yield metric_of("bleu"), sacrebleu(BLEU(tokenize="none", force=True))
    yield metric_of("chrf++"), sacrebleu(CHRF(word_order=2))
    yield (
        Meteor(wordnet=None),
        Program("NLTK", some, lambda texts, _: meteor(texts.outputs[0], texts.references, NoSynonyms())),
    )


def _scorings(texts: Texts, size: str) -> Iterator[Row]:
    """Measure whole scorings: counts, scores of systems and sentences, intervals, ratios to people."""
    names = [f"system {number}" for number in range(len(texts.outputs))]
    every = [texts.source, *texts.references, *texts.outputs]
    plain = timed(lambda: [line.split() for lines in every for line in lines])
    material = material_of(texts)
    yield Row.of("reference: splitting all texts into words", size, plain, plain.seconds)
    few = texts.first(5)
    for asked in ALWAYS:
        score(metric_of(asked), material_of(few), names[:1], few.outputs)
    whole = timed(lambda: [score(metric_of(asked), material, names, texts.outputs) for asked in ALWAYS])
    yield Row.of(f"a scoring by {len(ALWAYS)} metrics", size, whole, plain.seconds)


def _from_counts(texts: Texts, small: bool) -> Iterator[Row]:
    some = texts._replace(outputs=texts.outputs[: SMALL_MIXED if small else MIXED])
    yield from (of_mixtures(metric_of(asked), some) for asked in ALWAYS)
    yield of_subsets(metric_of("m2"), len(texts.source), SMALL_PEOPLE if small else PEOPLE)


def of_mixtures(metric: Metric, texts: Texts) -> Row:
    """Score mixtures, which take each sentence from one of two systems, from counts."""
    candidates = Candidates.of(texts.outputs)
    hybrids = mix_systems(*candidates.chosen.shape, SEED)
    counts, chosen = metric.count(material_of(texts), candidates), hybrids.choose(candidates.chosen)
    metric.of_systems(counts, candidates.chosen)
    found = timed(lambda: metric.of_systems(counts, chosen))
    return Row.of(f"{metric.main_scores[0]}: mixtures, from counts", f"{len(chosen)} x {len(texts.source):,}", found)


def of_subsets(metric: Metric, sentences: int, people: int) -> Row:
    """Score against all subsets of references, from counts."""
    texts = made_texts(sentences, MIXED, people)
    material = material_of(texts)
    candidates = Candidates.of([*texts.outputs, *as_outputs(material)])
    counts = metric.count(material, candidates)
    subsets = [subset for size in subsets_by_size(people, SEED) for subset in size]
    metric.of_subsets(counts, candidates.chosen, subsets[:1])
    found = timed(lambda: metric.of_subsets(counts, candidates.chosen, subsets))
    size = f"{len(subsets):,} x {len(candidates.chosen)} x {sentences:,}"
    return Row.of(f"{metric.main_scores[0]}: ratios by subsets, from counts", size, found)


def errant(small: bool) -> list[Row]:
    """Measure ERRANT; the reference is the package, which parses sentences one by one and aligns in Python."""
    return apart(_errant, small).value


def _errant(small: bool) -> list[Row]:
    (sentences, systems), listed = ((10, 3), SMALL_SOME) if small else (SIZE, SOME)
    metric, parser, texts = Errant(), extractor().parser, made_texts(sentences, systems, REFERENCES)
    counted(metric, made_texts(2, 2, REFERENCES))
    pairs = _pairs(texts)
    lines = list(dict.fromkeys(text for pair in pairs for text in pair))
    alone = timed(lambda: [parser.parse([text]) for text in lines[:listed]])
    alone = alone.for_all(len(lines) / len(alone.value))
    parse: Measured[dict[str, ParsedSentence]] = timed(lambda: dict(zip(lines, parser.parse(lines), strict=True)))
    both = [(parse.value[source], parse.value[text]) for source, text in pairs]
    plainly = timed(lambda: [_aligned_by_the_package(*pair) for pair in both[:listed]])
    plainly = plainly.for_all(len(both) / len(plainly.value))
    joined = timed(lambda: [_spans(parser.join(align(*pair))) for pair in both])
    must_agree(plainly.value == joined.value[:listed], "the edits of the package errant")
    count = timed(lambda: counted(metric, texts))
    parsed, aligned = f"{len(lines):,} texts", f"{len(both):,} pairs"
    return [
        Row.of(f"reference: texts parsed one by one, from {listed}", parsed, alone, alone.seconds),
        Row.of(f"ERRANT: parse, {len(lines) / parse.computed:,.0f} a second and core", parsed, parse, alone.seconds),
        Row.of(f"reference: pairs aligned by the package, from {listed}", aligned, plainly, plainly.seconds),
        Row.of(
            f"ERRANT: align and join, {len(both) / joined.computed:,.0f} a second and core",
            aligned,
            joined,
            plainly.seconds,
        ),
        Row.of("ERRANT: count, all together", aligned, count),
        of_mixtures(metric, texts._replace(outputs=texts.outputs[: SMALL_MIXED if small else MIXED])),
        of_subsets(metric, sentences, SMALL_PEOPLE if small else PEOPLE),
    ]


def _pairs(texts: Texts) -> list[TextPair]:
    """List the pairs to align: outputs and references that differ from their source."""
    both = (zip(texts.source, lines, strict=True) for lines in (*texts.outputs, *texts.references))
    return list(dict.fromkeys(pair for pairs in both for pair in pairs if pair[0] != pair[1]))


def _aligned_by_the_package(source: ParsedSentence, other: ParsedSentence) -> list[list[int]]:
    from errant.alignment import Alignment
    from errant.en.merger import get_rule_edits

    return _spans(get_rule_edits(Alignment(source.parsed, other.parsed)))


def _spans(edits: Iterable[Any]) -> list[list[int]]:
    return [[edit.o_start, edit.o_end, edit.c_start, edit.c_end] for edit in edits]
