"""Scoring systems by metrics of n-grams and words: GLEU, charGLEU, BLEU, chrF, chrF++ and METEOR, with four references.

The references are sacrebleu, NLTK, and for GLEU its definition written out in plain Python, each on some of the lines;
their time for all of them is extrapolated. Every run checks that ours gives the same scores on these. A rate is of
lines and of processor's time, that of all cores; loading texts from files is not in it. Kernels are compiled
beforehand. All runs in one process, whose memory is told.
"""

import random
from collections import Counter
from collections.abc import Callable, Sequence
from math import exp, isclose, prod
from time import process_time
from typing import NamedTuple

import numpy as np
from ranking.metrics.bleu import Bleu
from ranking.metrics.chrf import Chrf, ChrfPlusPlus
from ranking.metrics.gleu import CharGleu, Gleu

from benchmarks.maker import LEFT, SEED, corrected_sentences
from benchmarks.processes import timed
from benchmarks.table import Row
from ranking.metrics.base import Metric
from ranking.metrics.candidates import Candidates
from ranking.metrics.material import Material
from ranking.metrics.meteor import Meteor

REFERENCES = 4
SIZE, SMALL_SIZE = (1312, 13), (60, 3)
SOME, SMALL_SOME = 200, 10
MIXTURES, SMALL_MIXTURES = 675, 10
CLOSE = 1e-9
METRICS: tuple[Metric, ...] = (Gleu(), CharGleu(), Bleu(), Chrf(), ChrfPlusPlus(), Meteor(wordnet=None))


class Texts(NamedTuple):
    """Source, references and outputs, a line a sentence."""

    source: list[str]
    references: list[list[str]]
    outputs: list[list[str]]

    def first(self, some: int) -> "Texts":
        """The first lines of one output that is neither the best nor the worst."""
        output = self.outputs[len(self.outputs) // 2]
        return Texts(self.source[:some], [lines[:some] for lines in self.references], [output[:some]])


class NoSynonyms:
    """What NLTK takes for WordNet, without a word."""

    def synsets(self, word: str) -> list[str]:
        """None."""
        return []


def measure(small: bool) -> list[Row]:
    """For each metric the other program, then ours; then the outputs of many mixed systems."""
    (sentences, systems), some = (SMALL_SIZE, SMALL_SOME) if small else (SIZE, SOME)
    texts = made(sentences, systems)
    few = texts.first(some)
    size = f"{sentences:,} x {systems}, {REFERENCES} references"
    others = programs(few)
    rows = []
    for metric in METRICS:
        (name,) = metric.kept
        told, program = others[name]
        wanted = timed(program)
        if not isclose(score(metric, few), wanted.value, abs_tol=CLOSE):
            raise SystemExit(f"{told} gives other scores than our own {name}.")
        reference = wanted.seconds * sentences * systems / some
        rows.append(Row(f"reference: {told}, from {some:,} lines", size, reference, wanted.megabytes, 1))
        start = process_time()
        found = timed(lambda metric=metric: score(metric, texts))
        rate = sentences * systems / (process_time() - start)
        what = f"{name}: {rate:,.0f} lines/s and core"
        rows.append(Row(what, size, found.seconds, found.megabytes, found.seconds / reference))
    return [*rows, _mixed(texts, SMALL_MIXTURES if small else MIXTURES)]


def made(sentences: int, systems: int) -> Texts:
    """Made outputs; those of the best systems are the references."""
    source, rows = [], []
    for sentence in corrected_sentences(sentences, systems + REFERENCES):
        source.append(sentence.text((LEFT,) * len(sentence.faulty)))
        rows.append([sentence.text(changes) for changes in sentence.changes])
    columns = [list(column) for column in zip(*rows, strict=True)]
    return Texts(source, columns[systems:], columns[:systems])


def score(metric: Metric, texts: Texts) -> float:
    """Count and score all outputs; the score of the first."""
    candidates = Candidates.of(texts.outputs)
    counts = metric.count(Material.of_texts(texts.source, texts.references), candidates)
    return float(metric.of_systems(counts, candidates.chosen)[metric.kept[0]][0])


def _mixed(texts: Texts, mixtures: int) -> Row:
    """GLEU of outputs that take each sentence from some system, from counts."""
    candidates, metric = Candidates.of(texts.outputs), Gleu()
    counts = metric.count(Material.of_texts(texts.source, texts.references), candidates)
    systems, sentences = candidates.chosen.shape
    drawn = np.random.default_rng(SEED).integers(0, systems, (mixtures, sentences))
    chosen = candidates.chosen[drawn, np.arange(sentences)]
    found = timed(lambda: metric.of_systems(counts, chosen))
    return Row("GLEU of mixed systems, from counts", f"{sentences:,} x {mixtures}", found.seconds, found.megabytes)


def programs(texts: Texts) -> dict[str, tuple[str, Callable[[], float]]]:
    """What else scores the one output, by name of the score."""
    # Here, since every run of any benchmark would wait for NLTK at the top.
    from nltk.translate.meteor_score import meteor_score
    from sacrebleu.metrics import BLEU, CHRF

    references, (output,) = texts.references, texts.outputs

    def meteor() -> float:
        scores = [
            meteor_score([right.split() for right in rights], line.split(), wordnet=NoSynonyms())
            for line, *rights in zip(output, *references, strict=True)
        ]
        return sum(scores) / len(scores)

    return {
        "GLEU": ("plain Python", lambda: _gleu(texts, str.split, 4)),
        "charGLEU": ("plain Python", lambda: _gleu(texts, list, 5)),
        "BLEU": ("sacrebleu", lambda: BLEU(tokenize="none", force=True).corpus_score(output, references).score),
        "chrF": ("sacrebleu", lambda: CHRF().corpus_score(output, references).score),
        "chrF++": ("sacrebleu", lambda: CHRF(word_order=2).corpus_score(output, references).score),
        "METEOR": ("NLTK", meteor),
    }


def _gleu(texts: Texts, tokens: Callable[[str], list[str]], most: int) -> float:
    """As it is written, draw by draw."""
    lines = zip(texts.source, texts.outputs[0], *texts.references, strict=True)
    counts = [_statistics(*map(tokens, line), most=most) for line in lines]
    return sum(_drawn(counts, draw, most) for draw in range(500)) / 500


def _statistics(source: list[str], line: list[str], *references: list[str], most: int) -> list[list[int]]:
    """Numerators, denominators and lengths by reference."""
    rows: list[list[int]] = [[] for _ in references]
    for order in range(1, most + 1):
        wrong, mine = _grams(source, order), _grams(line, order)
        for row, reference in zip(rows, references, strict=True):
            right = _grams(reference, order)
            bad = Counter({gram: times for gram, times in wrong.items() if gram not in right})
            row.append(max((mine & right).total() - (mine & bad).total(), 0))
    whole = [max(len(line) + 1 - order, 0) for order in range(1, most + 1)]
    return [[*row, *whole, len(line), len(right)] for row, right in zip(rows, references, strict=True)]


def _drawn(counts: Sequence[Sequence[Sequence[int]]], draw: int, most: int) -> float:
    random.seed(101 * draw)
    sums = [sum(column) for column in zip(*(rows[int(random.random() * len(rows))] for rows in counts), strict=True)]
    fractions = [above / below for above, below in zip(sums[:most], sums[most : 2 * most], strict=True)]
    return prod(fractions) ** (1 / most) * exp(min(0, 1 - sums[-1] / sums[-2]))


def _grams(tokens: list[str], order: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(tokens[start : start + order]) for start in range(len(tokens) + 1 - order))
