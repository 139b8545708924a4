"""A preview of an upload before it is stored, as JSON: systems, how often they differ, and samples."""

import hashlib
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

from judgments.charts.numbers import quantity, text_list
from judgments.material.rules.contents import UploadedMaterial
from judgments.rules.files.text_files import UploadedFile
from judgments.rules.progress import Progress, no_progress
from judgments.rules.texts.collapsing import collapse, normalise
from judgments.rules.texts.diff import Piece, compare

SAMPLES = 10
LONGEST_MARKED = 2000  # characters; comparing longer texts could take for ever
SENTENCES_AT_ONCE = 1000
NOTHING: dict[str, Any] = {"sentences": 0, "documents": 0, "contributions": [], "distinct": [], "samples": []}


def seed_of(files: Iterable[UploadedFile]) -> str:
    """Derive a seed that ignores the order of files, so that the same samples are drawn."""
    marks = sorted((file.name, hashlib.blake2b(file.content, digest_size=16).hexdigest()) for file in files)
    return hashlib.blake2b(repr(marks).encode(errors="replace"), digest_size=16).hexdigest()


def preview_of(
    material: UploadedMaterial, source: Sequence[str | None] | None, seed: str, progress: Progress = no_progress
) -> dict[str, Any]:
    """Count and sample; the source is the material's, or otherwise the campaign's, if there is one.

    `unchanged` are the outputs that equal the source, None without one; `distinct` are the numbers of distinct outputs
    that judges would compare, each with its number of sentences.
    """
    named = [(lines.name, kind, lines.texts) for kind, members in material.by_kind().items() for lines in members]
    judged = material.names_taking_part()
    outputs: Counter[str] = Counter()
    unchanged: Counter[str] = Counter()
    distinct: Counter[int] = Counter()
    rows = len(material.places)
    for start in range(0, rows, SENTENCES_AT_ONCE):
        stretch = slice(start, start + SENTENCES_AT_ONCE)
        originals = [normalise(text or "") for text in source[stretch]] if source else None
        columns = {
            name: [None if text is None else normalise(text) for text in texts[stretch]] for name, _, texts in named
        }
        for name, column in columns.items():
            outputs[name] += len(column) - column.count(None)
            if originals:
                unchanged[name] += sum(text == original for text, original in zip(column, originals, strict=True))
        compared = [column for name, column in columns.items() if name in judged]
        distinct.update(len({*texts} - {None}) for texts in zip(*compared, strict=True))
        if stretch.stop <= rows:
            progress(stretch.stop, rows)
    contributions = [
        {
            "name": name,
            "kind": kind,
            "outputs": outputs[name],
            "unchanged": None if kind == "source" or not source else unchanged[name],
        }
        for name, kind, _ in named
    ]
    return {
        "sentences": rows,
        "documents": len({place.document for place in material.places}),
        "contributions": contributions,
        "distinct": sorted(distinct.items()),
        "samples": list(_samples(material, source, seed, progress)),
        "kinds": list(Counter(kind for _, kind, _ in named).items()),
        "summary": f"{in_kinds(kind for _, kind, _ in named)} with {quantity(rows, 'sentence')}",
    }


def in_kinds(kinds: Iterable[str]) -> str:
    """Count texts by their kinds: 5 systems, the source and 2 references."""
    numbers = Counter(kinds)
    there = [kind for kind in ("system", "source", "reference", "control") if numbers[kind]]
    said = ["the source" if kind == "source" else quantity(numbers[kind], kind) for kind in there]
    return text_list(said) or "no new system"


def _samples(
    material: UploadedMaterial, source: Sequence[str | None] | None, seed: str, progress: Progress
) -> Iterator[dict[str, Any]]:
    """One row from each of ten equal parts, so that samples come from all over the files.

    A sample has each distinct text once, with the names of its systems and its differences from the source.
    """
    rng = random.Random(seed)
    rows = len(material.places)
    made = [*material.systems, *material.references, *material.controls]
    samples = min(SAMPLES, rows)
    for start, end in pairwise(number * rows // samples for number in range(samples + 1)):
        progress(rows, rows)
        row = rng.randrange(start, end)
        texts, where = collapse(lines.texts[row] for lines in made)
        original = normalise(source[row] or "") if source else ""
        versions = [
            {"names": [lines.name for lines, at in zip(made, where, strict=True) if at == number]}
            | _marked(original if source else None, text)
            for number, text in enumerate(texts)
        ]
        place = material.places[row]
        document, shown = place.document, _cut(original)
        yield {"line": place.position + 1, "document": document, "source": shown, "versions": versions}


def _marked(original: str | None, text: str) -> dict[str, Any]:
    if original is not None and max(len(original), len(text)) <= LONGEST_MARKED:
        return {"pieces": compare(original, text), "is_compared": True}
    return {"pieces": [Piece(_cut(text), _cut(text))], "is_compared": False}


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_MARKED else f"{text[:LONGEST_MARKED]} ..."
