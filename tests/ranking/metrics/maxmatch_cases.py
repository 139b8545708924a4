"""Sentences with outputs and references on which the metric M2 is compared with its plain model."""

import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ranking.metrics.material import FROM_M2, Candidates, Edit, Edits, Material, apply_edits
from ranking.metrics.maxmatch import MaxMatch
from tests.ranking.metrics import plain_maxmatch

REFERENCES = 3


class Case(NamedTuple):
    source: str
    output: str
    references: tuple[Edits | None, ...]


def material(source: Sequence[str], *references: Sequence[Edits | None]) -> Material:
    texts = tuple(
        tuple(
            None if edits is None else apply_edits(text, edits) for text, edits in zip(source, reference, strict=True)
        )
        for reference in references
    )
    return Material(tuple(source), texts, tuple(map(tuple, references)), FROM_M2)


def made_cases(seed: int, many: int) -> list[Case]:
    """Short lines in which words recur, with up to three references whose edits may overlap and have alternatives."""
    rng = random.Random(seed)
    return [_made(rng) for _ in range(many)]


def disagreements(cases: Sequence[Case], unchanged: int = 2) -> Iterator[tuple]:
    """The cases in which correct, proposed and gold edits are not those of the plain model, with both."""
    given = material([case.source for case in cases], *zip(*(case.references for case in cases), strict=True))
    counts = MaxMatch(unchanged=unchanged).count(given, Candidates.of([[case.output for case in cases]]))
    for case, row in zip(cases, counts.tolist(), strict=True):
        for edits, found in zip(case.references, row, strict=True):
            if edits is not None:
                wanted = [*plain_maxmatch.counted(case.source, case.output, edits, unchanged), len(edits)]
                if found != wanted:
                    yield case.source, case.output, edits, found, wanted


def _made(rng: random.Random) -> Case:
    words = rng.choice(["a", "ab", "abc", "abcdefgh"])
    source = _line(rng, words, 8)
    output = _line(rng, words, 8) if rng.random() < 0.5 else list(source)
    for _ in range(rng.randint(0, 3)):
        at = rng.randint(0, len(output))
        output[at : at + rng.randint(0, 2)] = _line(rng, words, 2)
    references: list[Edits | None] = [None] * REFERENCES
    for number in range(rng.randint(1, REFERENCES)):
        edits = [_edit(rng, words, source, output) for _ in range(rng.randint(0, 4))]
        references[number] = tuple(sorted(edits, key=lambda edit: (edit.start, edit.end)))
    return Case(" ".join(source), " ".join(output), tuple(references))


def _edit(rng: random.Random, words: str, source: list[str], output: list[str]) -> Edit:
    """Delete, insert or replace a few words; half of the edits write words that the output has."""
    start, at = rng.randint(0, len(source)), rng.randint(0, len(output))
    end = min(len(source), start + rng.choice((0, 0, 1, 1, 1, 2, 3)))
    written = output[at : at + rng.randint(0, 3)] if rng.random() < 0.5 else _line(rng, words, 2)
    others = [_line(rng, words, 2) for _ in range(rng.choice((0, 0, 1)))]
    return Edit(start, end, tuple(" ".join(each) for each in (written, *others)))


def _line(rng: random.Random, words: str, most: int) -> list[str]:
    return [rng.choice(words) for _ in range(rng.randint(0, most))]
