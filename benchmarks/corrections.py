"""A report on corrections of made sentences: ten judges, three systems, all subsets of judges.

The reference counts the same edits by one judge after another in Python, once. Kernels are compiled beforehand.
"""

from collections import Counter
from collections.abc import Iterator
from time import perf_counter

from ranking.metrics.differences import difference
from ranking.stats.sections.corrections.whole import SECTIONS

from benchmarks.maker import LEFT, corrected_sentences
from benchmarks.processes import apart
from benchmarks.table import Row
from ranking.metrics.material import Edit
from ranking.stats.corrections.corrections import Corrections
from ranking.stats.corrections.parameters import PRESETS, CorrectionParameters
from ranking.stats.corrections.study import CorrectionStudy

# As many sentences, judges and systems as in the paper.
SENTENCES, JUDGES, SYSTEMS = 1312, 10, 3
SMALL_SENTENCES, SMALL_JUDGES = 60, 4
A_DOCUMENT = 26
CATEGORIES = 28


def measure(small: bool) -> list[Row]:
    """Counting bare, then whole reports by both presets."""
    sentences, judges = (SMALL_SENTENCES, SMALL_JUDGES) if small else (SENTENCES, JUDGES)
    chosen = {name: preset.changed(documents=2) if small else preset for name, preset in PRESETS.items()}
    size = f"{judges} x {sentences:,} x {SYSTEMS} systems"
    plain = apart(seconds_to_count, sentences, judges)
    rows = [Row("reference: count the edits once, in Python", size, plain.value, plain.megabytes, 1)]
    for name, parameters in chosen.items():
        found = apart(seconds_of_sections, sentences, judges, parameters)
        whole = sum(found.value.values())
        rows.append(Row(f"`{name}`", size, whole, found.megabytes, whole / plain.value))
        rows += [
            Row(f"of which {section}", size, seconds, found.megabytes, seconds / plain.value)
            for section, seconds in found.value.items()
        ]
    return rows


def made(sentences: int, judges: int) -> Corrections:
    """Judges are the first outputs that the maker knows, with categories in turn by the words that are changed."""
    source, outputs = [], []
    for sentence in corrected_sentences(sentences, judges + SYSTEMS):
        source.append(sentence.text((LEFT,) * len(sentence.faulty)))
        outputs.append([sentence.text(changes) for changes in sentence.changes])
    columns = list(zip(*outputs, strict=True))
    edits = tuple(
        tuple(tuple(_edits(text, line)) for text, line in zip(source, column, strict=True))
        for column in columns[:judges]
    )
    return Corrections(
        tuple(source),
        tuple(place // A_DOCUMENT for place in range(sentences)),
        tuple(f"judge {number}" for number in range(judges)),
        edits,
        tuple(f"system {number}" for number in range(SYSTEMS)),
        tuple(columns[judges:]),
    )


def _edits(text: str, line: str) -> Iterator[Edit]:
    for start, end, corrections in difference(text.split(), line.split()):
        yield Edit(start, end, corrections, f"category {start % CATEGORIES}")


def seconds_to_count(sentences: int, judges: int) -> float:
    """Every edit of every judge looked at once."""
    corrections = made(sentences, judges)
    start = perf_counter()
    Counter((judge, edit) for judge, row in enumerate(corrections.edits) for edits in row for edit in edits or ())
    return perf_counter() - start


def seconds_of_sections(sentences: int, judges: int, parameters: CorrectionParameters) -> dict[str, float]:
    """Every section, once all is compiled."""
    small = CorrectionStudy(made(SMALL_SENTENCES, SMALL_JUDGES), parameters.changed(replicates=2, documents=1), 1)
    corrections = made(sentences, judges)
    study = CorrectionStudy(corrections, parameters, sentences * judges)
    taken = {}
    for one in (small, study):
        for name, section in SECTIONS.items():
            start = perf_counter()
            list(section(one))
            taken[name] = perf_counter() - start
    return taken
