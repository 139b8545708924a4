"""A preview of an upload before it is stored: systems, how often they differ, and samples."""

import hashlib
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

from judgments.material.rules.contents import Material
from judgments.material.rules.documents import SIDECAR
from judgments.material.rules.files import FileRow
from judgments.rules.files.names import fault_of_name, system_name
from judgments.rules.files.text_files import UploadedFile
from judgments.rules.progress import Progress, no_progress
from judgments.rules.texts.collapsing import collapse, normalise
from judgments.rules.texts.diff import Piece, compare

SAMPLES = 10
LONGEST_MARKED = 2000  # characters; comparing longer texts could take for ever
SENTENCES_AT_ONCE = 1000


@dataclass(frozen=True)
class Contribution:
    """A named set of texts: its kind, the number of outputs, and how many equal the source (None: no source)."""

    name: str
    kind: str
    outputs: int
    unchanged: int | None


@dataclass(frozen=True)
class Version:
    """A distinct text of a sample, the names of its systems, and its difference from the source."""

    names: tuple[str, ...]
    pieces: tuple[Piece, ...]


@dataclass(frozen=True)
class Sample:
    """A sentence, its line (from 1) and document, and all its versions."""

    line: int
    document: str
    source: str
    versions: tuple[Version, ...]

    @classmethod
    def read(cls, written: Mapping[str, Any]) -> "Sample":
        versions = (
            Version(tuple(one["names"]), tuple(Piece(*piece) for piece in one["pieces"])) for one in written["versions"]
        )
        return cls(**{**written, "versions": tuple(versions)})


@dataclass(frozen=True)
class Preview:
    """An upload in numbers and samples; `distinct` counts sentences by their number of distinct judged outputs.

    `files` has every file, all else only what the files bring that could be aligned.
    """

    sentences: int
    documents: int
    contributions: tuple[Contribution, ...]
    distinct: tuple[tuple[int, int], ...]
    samples: tuple[Sample, ...]
    files: tuple[FileRow, ...] = ()

    @property
    def summary(self) -> str:
        systems = f"{len(self.contributions)} system{'s' * (len(self.contributions) != 1)}"
        return f"{systems} with {self.sentences} sentence{'s' * (self.sentences != 1)}"

    def written(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def read(cls, written: Mapping[str, Any]) -> "Preview":
        return cls(
            sentences=written["sentences"],
            documents=written["documents"],
            contributions=tuple(Contribution(**one) for one in written["contributions"]),
            distinct=tuple((count, sentences) for count, sentences in written["distinct"]),
            samples=tuple(Sample.read(one) for one in written["samples"]),
            files=tuple(FileRow(**{**one, "made": tuple(one["made"])}) for one in written["files"]),
        )


def names_in(files: Iterable[UploadedFile]) -> list[str]:
    """Names for which an organiser can choose a kind; M2 files are always references."""
    names = {system_name(file.name) for file in files if file.name != SIDECAR}
    return sorted(name for name in names if not name.endswith(".m2") and not fault_of_name(name))


def seed_of(files: Iterable[UploadedFile]) -> str:
    """Derive a seed that ignores the order of files, so that the same samples are drawn."""
    marks = sorted((file.name, hashlib.blake2b(file.content, digest_size=16).hexdigest()) for file in files)
    return hashlib.blake2b(repr(marks).encode(errors="replace"), digest_size=16).hexdigest()


def preview_of(
    material: Material, source: Sequence[str | None] | None, seed: str, progress: Progress = no_progress
) -> Preview:
    """Count and sample; the source is the material's, or otherwise the campaign's, if there is one."""
    judged = material.names_taking_part()
    unchanged: Counter[str] = Counter()
    distinct: Counter[int] = Counter()
    rows = len(material.places)
    for row in range(rows):
        original = normalise(source[row] or "") if source else None
        shown = {
            lines.name: normalise(text) for lines in material.everything() if (text := lines.texts[row]) is not None
        }
        unchanged.update(name for name, text in shown.items() if text == original)
        distinct[len({text for name, text in shown.items() if name in judged})] += 1
        if (row + 1) % SENTENCES_AT_ONCE == 0:
            progress(row + 1, rows)
    return Preview(
        sentences=rows,
        documents=len({place.document for place in material.places}),
        contributions=tuple(_contributions(material, unchanged if source else None)),
        distinct=tuple(sorted(distinct.items())) if judged else (),
        samples=tuple(_samples(material, source, seed, progress)),
    )


def _contributions(material: Material, unchanged: Mapping[str, int] | None) -> Iterator[Contribution]:
    for kind, members in material.by_kind().items():
        for lines in members:
            outputs = sum(text is not None for text in lines.texts)
            same = None if kind == "source" or unchanged is None else unchanged.get(lines.name, 0)
            yield Contribution(lines.name, kind, outputs, same)


def _samples(
    material: Material, source: Sequence[str | None] | None, seed: str, progress: Progress
) -> Iterator[Sample]:
    """One row from each of ten equal parts, so that samples come from all over the files."""
    rng = random.Random(seed)
    rows = len(material.places)
    samples = min(SAMPLES, rows)
    for start, end in pairwise(number * rows // samples for number in range(samples + 1)):
        progress(rows, rows)
        yield _sample(material, source, rng.randrange(start, end))


def _sample(material: Material, source: Sequence[str | None] | None, row: int) -> Sample:
    made = [*material.systems, *material.references, *material.controls]
    texts, where = collapse(lines.texts[row] for lines in made)
    original = normalise(source[row] or "") if source else ""
    names = [tuple(lines.name for lines, at in zip(made, where, strict=True) if at == n) for n in range(len(texts))]
    versions = (
        Version(named, _marked(original if source else text, text)) for named, text in zip(names, texts, strict=True)
    )
    place = material.places[row]
    return Sample(place.position + 1, place.document, _cut(original), tuple(versions))


def _marked(original: str, text: str) -> tuple[Piece, ...]:
    if max(len(original), len(text)) > LONGEST_MARKED:
        return (Piece(_cut(text), _cut(text)),)
    return compare(original, text)


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_MARKED else f"{text[:LONGEST_MARKED]} ..."
