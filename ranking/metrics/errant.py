"""ERRANT: the edits that an output and a reference have in common, each with its kind.

The edits of each candidate (`errant_edits`) are compared with those of each reference. The mode defines which are the
same: in `cs` those that replace the same words by the same text, in `cse` only if the kind is also the same, in `ds`
those that replace the same words. `dt` compares single replaced words, where an insertion counts as the next word. An
edit without a correction (UNK) counts in `ds` and `dt` only. The reference of each sentence is chosen by F
(`f_measure`).

Toy: a candidate replaces word 1 by x, and word 2 by z; the reference word 1 by x, and word 3 by y. One edit is a true
positive, one a false positive, one a false negative.

Sources: Felice, Bryant and Briscoe (2016); Bryant, Felice and Briscoe (2017).
"""

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ranking.metrics.base import ABSENT, Progress, Scores, Subsets, no_progress
from ranking.metrics.errant_edits import edits_of_texts
from ranking.metrics.errant_parser import ENGLISH, versions
from ranking.metrics.f_measure import FALSE, MISSED, TRUE, FMetric, f_precision_recall
from ranking.metrics.material import Candidates, Edit, Material, MetricError
from ranking.numbers.tables import Table

# Kinds of edits: an operation and a category, such as M:DET for a missing determiner. Counts are in this order: all of
# M, then R, then U, each in alphabetical order, then UNK, an edit that marks an error without a correction.
OPERATIONS = ("M", "R", "U")
# The categories of a missing or unnecessary word.
ONE_SIDED = (
    "ADJ", "ADV", "CONJ", "CONTR", "DET", "NOUN", "NOUN:POSS", "OTHER", "PART", "PREP", "PRON", "PUNCT", "VERB",
    "VERB:FORM", "VERB:TENSE",
)  # fmt: skip
CATEGORIES = tuple(sorted(
    (*ONE_SIDED, "ADJ:FORM", "MORPH", "NOUN:INFL", "NOUN:NUM", "ORTH", "SPELL", "VERB:INFL", "VERB:SVA", "WO")
))  # fmt: skip
# The parser may rarely classify a word as white space; its edits count too.
BLANK, UNKNOWN = "SPACE", "UNK"
KINDS = (
    *(
        f"{operation}:{category}"
        for operation in OPERATIONS
        for category in (*(CATEGORIES if operation == "R" else ONE_SIDED), BLANK)
    ),
    UNKNOWN,
)
NUMBERS = {kind: number for number, kind in enumerate(KINDS)}
COLUMNS = 3
# What makes two edits the same: equal keys.
MODES: dict[str, Callable[[Edit], Iterable[Hashable]]] = {
    "cs": lambda edit: [edit[:3]],
    "cse": lambda edit: [edit],
    "ds": lambda edit: [edit[:2]],
    "dt": lambda edit: range(edit.start, max(edit.end, edit.start + 1)),
}


@dataclass(frozen=True)
class Errant(FMetric):
    """ERRANT with its settings: the weight of recall, what makes two edits equal, and the language of the texts.

    Counts are true positives, false positives and false negatives by reference and kind, and do not depend on beta.
    """

    beta: float = 0.5
    mode: str = "cs"
    language: str = ENGLISH

    name = "errant"
    title = "ERRANT"
    cuts_words = False
    about = "ERRANT: edits by the kind of error, F0.5; slower, as every text is parsed"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.mode not in MODES:
            raise MetricError(f"There is no mode {self.mode!r}; choose from {', '.join(MODES)}. cs is usual.")
        if not re.fullmatch("[a-z]{2,3}", self.language):
            raise MetricError(f"A language is a code of two or three letters, such as de, not {self.language!r}.")
        if self.mode != "cs":
            object.__setattr__(self, "title", f"ERRANT {self.mode}")

    @property
    def features(self) -> tuple[str, ...]:
        return tuple(f"{self.title} {category} {share}" for category in CATEGORIES for share in "PR")

    def signature(self, material: Material) -> str:
        """Example: `errant|mode:cs|beta:0.5|references:4|errant:3.0.2|spacy:3.8.18|model:en_core_web_sm-3.8.0`."""
        return f"errant|mode:{self.mode}|beta:{self.beta:g}|references:{material.references}|{versions(self.language)}"

    def count(self, material: Material, candidates: Candidates, progress: Progress = no_progress) -> np.ndarray:
        if not material.texts:
            raise MetricError("ERRANT compares edits with those of references, and there is no reference. Add one.")
        of_candidates, of_references = edits_of_texts(material, candidates, progress, self.language)
        counts = np.full((len(candidates), len(of_references), len(KINDS), COLUMNS), ABSENT, dtype=np.int16)
        rights = [[None if edits is None else kinds_by_key(edits, self.mode) for edits in row] for row in of_references]
        for number, (edits, sentence) in enumerate(zip(of_candidates, candidates.sentence.tolist(), strict=True)):
            made = kinds_by_key(edits, self.mode)
            for reference, row in enumerate(rights):
                if (right := row[sentence]) is not None:
                    counts[number, reference] = 0
                    add_compared(made, right, counts[number, reference])
        return counts

    def of_systems(self, counts: np.ndarray, chosen: np.ndarray) -> Scores:
        """F, precision and recall over all edits, the mean F of categories, precision and recall of each category."""
        sums = self.sums(counts, chosen)
        f, precision, recall = f_precision_recall(_gather(sums, CATEGORIES, 2), self.beta)
        values = np.stack((precision, recall), axis=-1).reshape(len(sums), len(self.features))
        return (
            self._scores(sums.sum(axis=1))
            | {f"{self.title} macro F{self.beta:g}": f.mean(axis=-1)}
            | dict(zip(self.features, values.T, strict=True))
        )

    def of_candidates(self, counts: np.ndarray) -> Scores:
        """F, precision and recall of each candidate on its sentence; without any reference each of them is 1."""
        found = self.of_subsets(counts, np.arange(len(counts))[:, None], [range(counts.shape[1])])
        return {name: values[0] for name, values in found.items()}

    def of_subsets(self, counts: np.ndarray, chosen: np.ndarray, subsets: Subsets) -> Scores:
        return self._scores(self.sum_chosen(_over_kinds(counts), chosen, subsets))

    def tables(self, counts: np.ndarray, chosen: np.ndarray, names: Sequence[str]) -> list[Table]:
        """F for every beta; counts by category, by operation and by kind."""
        error_types = [
            (self.title, name, *row)
            for name, sums in zip(names, self.sums(counts, chosen), strict=True)
            for row in rows_of(sums, self.beta)
        ]
        columns = ("metric", "system", "kind", "tp", "fp", "fn", "p", "r", "f")
        return [*super().tables(counts, chosen, names), Table.of("error_types", columns, error_types)]

    def sums(self, counts: np.ndarray, chosen: np.ndarray) -> np.ndarray:
        """Count by kind for whole outputs, against the references chosen for them."""
        flat = np.ascontiguousarray(counts).reshape(*counts.shape[:2], len(KINDS) * COLUMNS)
        sums = self.sum_chosen(flat, chosen, [range(counts.shape[1])], _over_kinds(counts))
        return sums.reshape(len(chosen), len(KINDS), COLUMNS)

    def _scores(self, sums: np.ndarray) -> Scores:
        return dict(zip(self.main_scores, f_precision_recall(sums, self.beta), strict=True))


def _over_kinds(counts: np.ndarray) -> np.ndarray:
    is_absent = counts[:, :, :1, TRUE] == ABSENT
    return np.where(is_absent, ABSENT, counts.sum(axis=2, dtype=np.int64))


def rows_of(sums: np.ndarray, beta: float) -> Iterator[tuple[object, ...]]:
    """Yield kind, counts and shares of one output: for each category, each operation, and each kind that occurs."""
    for names, counted in (
        (CATEGORIES, _gather(sums, CATEGORIES, 2)),
        (OPERATIONS, _gather(sums, OPERATIONS, 0)),
        (KINDS, sums),
    ):
        shares = (values.tolist() for values in f_precision_recall(counted, beta))
        for name, counts, f, precision, recall in zip(names, counted.tolist(), *shares, strict=True):
            if names is not KINDS or any(counts):
                yield name, *counts, precision, recall, f


def _gather(sums: np.ndarray, names: Sequence[str], part: int) -> np.ndarray:
    """Add up sums over kinds, the second-last axis, by the part before (0) or after (2) the first colon."""
    belongs = np.array([[kind.partition(":")[part] == name for kind in KINDS] for name in names], dtype=sums.dtype)
    return belongs @ sums


# The kinds of all equal edits, by key; rarely more than one.
KindsByKey = dict[Hashable, list[int]]


def kinds_by_key(edits: Iterable[Edit], mode: str) -> KindsByKey:
    found: KindsByKey = {}
    for edit in edits:
        if edit.kind == UNKNOWN and mode in ("cs", "cse"):
            continue
        for key in MODES[mode](edit):
            found.setdefault(key, []).append(NUMBERS[edit.kind])
    return found


def add_compared(candidate: KindsByKey, reference: KindsByKey, counts: np.ndarray) -> None:
    """Count by kind and column; a match counts under its kind in the reference."""
    for key, kinds in candidate.items():
        for kind in reference.get(key, kinds):
            counts[kind, TRUE if key in reference else FALSE] += 1
    for key in reference.keys() - candidate.keys():
        for kind in reference[key]:
            counts[kind, MISSED] += 1
