"""The I-measure of Felice and Briscoe (2015): the improvement of an output over the source.

Source, output and reference are aligned in columns (`imeasure_alignment`), whose kinds are counted. With mixing, an
output is counted against the best mixture of the references (`imeasure_mixing`). With the weight w of a change

    WAcc = (w TP + TN) / (w (TP + FP) + TN + FN - (w + 1) FPN / 2)
    I = (WAcc - b) / (1 - b) if better than the baseline b, WAcc / b - 1 if worse, else 0, or 1 if both are 1

The baseline is the WAcc of the unchanged source against the same reference. In detection a change where the reference
has a different change is right: a column of FPN counts as TP, not as FP and FN.

Toy: the source `a cat sat`, the reference `the dog sat`, the output `a dog sat`: TP 1, TN 1, FN 1 make WAcc
(2 + 1) / (2 + 1 + 1) = 3/4; the source alone has TN 1 of 3; I = (3/4 - 1/3) / (2/3) = 5/8.
"""

from dataclasses import dataclass
from functools import partial
from itertools import pairwise

import numpy as np

from ranking.metrics.base import ABSENT, Progress, Scores, SummedMetric, check_setting, in_chunks, no_progress
from ranking.metrics.imeasure_alignment import COLUMNS, FN, FP, FPN, TN, TP, align
from ranking.metrics.imeasure_mixing import ALL_COLUMNS, SOURCE_FN, SOURCE_TN, MixedSentence, best_mixture, clusters
from ranking.metrics.material import Candidates, Material, MetricError, Vocabulary

# Pairs of lines need one cell for each pair of words; 5,000 words against 5,000 take 100 MB.
MOST_PAIRS = 5_000**2
# With mixing, a column after the counts: whether the mixture found is not proven to be the best.
NOT_SHOWN = ALL_COLUMNS
SENTENCES_AT_ONCE = 20
MOST_WEIGHT, MOST_CAP = 1000, 100_000
COUNTED = {"TP": TP, "TN": TN, "FP": FP, "FN": FN, "FPN": FPN}
SHARES = ("P", "R", "Acc", "Acc_b", "WAcc_b")


@dataclass(frozen=True)
class IMeasure(SummedMetric):
    """The I-measure: a change counts `weight` times an unchanged word; `cap` limits the mixtures of a block."""

    weight: int = 2
    mixing: bool = False
    cap: int = 10_000

    name = "i-measure"
    about = "I-measure: better or worse than changing nothing"
    reads_edits = True
    main_scores = ("I-measure", "I-measure WAcc")
    features = (
        "I-measure", "I-measure WAcc", "I-measure detection", "I-measure detection WAcc",
        *(f"I-measure {level} {share}" for level in ("correction", "detection") for share in SHARES),
        *(f"I-measure correction {name} a sentence" for name in COUNTED),
    )  # fmt: skip

    def __post_init__(self) -> None:
        check_setting("The I-measure", "weight", self.weight, 1, MOST_WEIGHT)
        check_setting("The I-measure", "cap", self.cap, 1, MOST_CAP)
        object.__setattr__(self, "by_reference", not self.mixing)

    def signature(self, material: Material) -> str:
        mixing = self.cap if self.mixing else "no"
        return (
            f"i-measure|weight:{self.weight}|mixing:{mixing}"
            f"|references:{len(material.edits)}|edits:{material.edits_from}"
        )

    def count(self, material: Material, candidates: Candidates, progress: Progress = no_progress) -> np.ndarray:
        """Count TP, TN, FP, FN and FPN of correction, then TN and FN of the source; if mixing, by the best mixture."""
        material = material.as_edits()
        source, output, *references = (
            np.array([len((text or "").split()) for text in texts], dtype=np.int64)
            for texts in (material.source, candidates.texts, *material.texts)
        )
        reference, longest = np.max([np.zeros_like(source), *references], axis=0), np.zeros_like(source)
        np.maximum.at(longest, candidates.sentence, output)
        too_long = np.maximum(source * reference, longest * np.maximum(source, reference)) > MOST_PAIRS
        if too_long.any():
            raise MetricError(
                f"Sentence {too_long.argmax() + 1} is too long for the I-measure, which compares lines of at most 5,000"
                " words; shorten its source, its reference or an output."
            )
        return (self._count_mixed if self.mixing else self._count_whole)(material, candidates, progress)

    def of_candidates(self, counts: np.ndarray) -> Scores:
        return self.of_sums(self.summands(counts), 1)

    def summands(self, counts: np.ndarray) -> np.ndarray:
        """Return the counts of each candidate against its best reference, or mixture of them."""
        return counts if self.mixing else best_counts_of(counts, self.weight)

    def of_sums(self, counts: np.ndarray, sentences: int) -> Scores:
        correction, detection = levels_of(counts, self.weight)
        scores: Scores = {}
        for name, level in (("I-measure", correction), ("I-measure detection", detection)):
            scores |= {name: level["I"], f"{name} WAcc": level["WAcc"]}
        for name, level in (("correction", correction), ("detection", detection)):
            scores |= {f"I-measure {name} {share}": level[share] for share in SHARES}
        for name, column in COUNTED.items():
            scores[f"I-measure correction {name}"] = counts[..., column]
            scores[f"I-measure correction {name} a sentence"] = counts[..., column] / max(sentences, 1)
        return scores | {"I-measure not shown best": counts[..., NOT_SHOWN]} if self.mixing else scores

    def _count_whole(self, material: Material, candidates: Candidates, progress: Progress) -> np.ndarray:
        """Count by reference; the texts are the sources, each reference in turn, and the candidates."""
        references = [text or "" for reference in material.texts for text in reference]
        texts = Vocabulary().words([*material.source, *references, *candidates.texts])
        first = len(texts) - len(candidates)

        def against(sentence: np.ndarray, row: np.ndarray) -> np.ndarray:
            of_references = sentence[:, None] + material.sentences * np.arange(1, material.references + 1)
            triples = np.stack(np.broadcast_arrays(sentence[:, None], row[:, None], of_references), axis=-1)
            return align(texts, triples.reshape(-1, 3))[:, :COLUMNS].reshape(*of_references.shape, COLUMNS)

        of_source = in_chunks(lambda chunk: against(np.r_[chunk], np.r_[chunk]), material.sentences, no_progress)

        def work(chunk: slice) -> np.ndarray:
            sentence = candidates.sentence[chunk]
            mine = against(sentence, np.arange(first, len(texts))[chunk])
            return np.concatenate((mine, of_source[sentence][..., [TN, FN]]), axis=-1)

        counts = in_chunks(work, len(candidates), progress)
        absent = np.array([[text is None for text in reference] for reference in material.texts], dtype=bool)
        counts[absent.reshape(material.references, material.sentences).T[candidates.sentence]] = ABSENT
        return counts

    def _count_mixed(self, material: Material, candidates: Candidates, progress: Progress) -> np.ndarray:
        ends = np.searchsorted(candidates.sentence, np.arange(material.sentences + 1))
        texts = [candidates.texts[first:last] for first, last in pairwise(ends)]
        best_of = partial(first_best, weight=self.weight)

        def work(chunk: slice) -> np.ndarray:
            rows: list[tuple[int, ...]] = []
            for number in range(chunk.start, chunk.stop):
                references = [
                    material.changing_edits(edits) for row in material.edits if (edits := row[number]) is not None
                ]
                if not references:
                    rows += [(0,) * (ALL_COLUMNS + 1)] * len(texts[number])
                    continue
                words = material.source[number].split()
                sentence = MixedSentence(words, clusters(words, references))
                for text in texts[number]:
                    choice = best_mixture(sentence, text.split(), self.weight, self.cap, best_of)
                    rows.append((*choice.counts, not choice.is_best))
            return np.array(rows, dtype=np.int32).reshape(-1, ALL_COLUMNS + 1)

        return in_chunks(work, material.sentences, progress, SENTENCES_AT_ONCE)


def levels_of(counts: np.ndarray, weight: int) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """Compute the shares of correction and of detection; the last axis of counts holds the columns.

    In correction a change is right if the reference has the same, in detection if it has any change there.
    """
    tp, tn, fp, fn, fpn = np.moveaxis(counts[..., :COLUMNS], -1, 0)
    baseline = _ratio(counts[..., SOURCE_TN], counts[..., SOURCE_TN] + counts[..., SOURCE_FN])

    def level(tp: np.ndarray, fp: np.ndarray, fn: np.ndarray, fpn: np.ndarray) -> dict[str, np.ndarray]:
        weighted = _ratio(2 * (weight * tp + tn), 2 * (weight * (tp + fp) + tn + fn) - (weight + 1) * fpn)
        # The masks prevent division by zero.
        better = np.divide(weighted - baseline, 1 - baseline, out=np.zeros(weighted.shape), where=weighted > baseline)
        worse = np.divide(weighted - baseline, baseline, out=np.zeros(weighted.shape), where=weighted < baseline)
        return {
            "P": _ratio(tp, tp + fp),
            "R": _ratio(tp, tp + fn),
            "Acc": _ratio(tp + tn, tp + tn + fp + fn - fpn),
            "Acc_b": baseline,
            "WAcc": weighted,
            "WAcc_b": baseline,
            "I": np.where(weighted == baseline, np.floor(weighted), better + worse),
        }

    return level(tp, fp, fn, fpn), level(tp + fpn, fp - fpn, fn - fpn, np.zeros_like(fpn))


def _ratio(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """0 / 0 is 1."""
    return np.divide(part, whole, out=np.ones(np.shape(whole)), where=whole != 0)


def first_best(counts: np.ndarray, weight: int) -> np.ndarray:
    """Find the best reference; references are the second-last axis.

    It has the highest WAcc of correction, then I, then accuracy, then the same of detection; remaining ties go to the
    first.
    """
    among = counts[..., 0] != ABSENT
    for level in levels_of(counts, weight):
        for value in (level["WAcc"], level["I"], level["Acc"]):
            highest = np.where(among, value, -np.inf).max(axis=-1, keepdims=True)
            among &= value == highest
    return among.argmax(axis=-1)


def best_counts_of(counts: np.ndarray, weight: int) -> np.ndarray:
    """Return the counts against the best reference; zeros if a sentence has none, so that it does not count."""
    if not counts.shape[-2]:
        return np.zeros((*counts.shape[:-2], counts.shape[-1]), dtype=counts.dtype)
    chosen = first_best(counts, weight)[..., None, None]
    return np.maximum(np.take_along_axis(counts, chosen, axis=-2)[..., 0, :], 0)
