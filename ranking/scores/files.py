"""Plain text files for metrics: source, outputs and references with a sentence per line, or an M2 file."""

import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from judgments.rules.files.names import fault_of_name, is_reference_name, is_source_name, system_name
from judgments.rules.files.problems import Problem, Problems, count_lines, refuse, shorten
from judgments.rules.files.text_files import read_text
from judgments.rules.texts.m2 import UNCLEAR, AnnotatedSentence, annotators, read_m2
from ranking.metrics.base import Metric
from ranking.metrics.material import Edit, Material

UNSPACED = (
    "without spaces a sentence counts as one word. Unless the texts have spaces between words, add the setting"
    " tokens=characters, or use chrf or chargleu."
)
# Words are hardly anywhere that long on average; sentences without spaces mostly are.
LONG_WORDS = 10


class GivenFile(NamedTuple):
    name: str
    content: bytes

    @property
    def system(self) -> str:
        return system_name(self.name)


def is_bound(name: str) -> bool:
    """Whether an output is, by its name, the source or a reference, which would inflate every correlation."""
    return is_source_name(name) or is_reference_name(name)


def fault_in(file: str, what: str, line: int | None = None) -> Problems:
    """The refusal of a file for a single reason."""
    return Problems([Problem(file, line, what)])


def read_lines(file: GivenFile) -> tuple[str, ...]:
    """Read the sentences of a file; an empty line is an empty sentence."""
    read = read_text(file.name, file.content)
    refuse(read.problems)
    return tuple(read.lines)


def read_outputs(files: Sequence[GivenFile]) -> dict[str, tuple[str, ...]]:
    """Read the sentences of each system; refuse two files for one system."""
    problems = [Problem(file.name, None, fault) for file in files if (fault := fault_of_name(file.system))]
    for name, count in Counter(file.system for file in files).items():
        if count > 1:
            problems.append(Problem(name, None, f"is the name of {count} outputs; give each system one file"))
    refuse(problems)
    return {file.system: read_lines(file) for file in files}


def read_material(
    source: Sequence[str] | None,
    references: Sequence[GivenFile],
    m2: GivenFile | None,
    left_out: frozenset[str] = UNCLEAR,
) -> Material:
    """Read references: texts, the edits of an M2 file, or both."""
    edits = material_of_m2(read_m2(read_text(m2.name, m2.content), may_overlap=True), left_out) if m2 else None
    if not references:
        if edits is None or m2 is None:
            raise fault_in("", "there are no references; give files of them, or an M2 file")
        if source is not None:
            edits.check_source(source, m2.name)
        return edits
    lines = source if source is not None else edits.source if edits else None
    if lines is None:
        raise fault_in("", "there is no source; name its file with --source, or give an M2 file")
    texts = [read_lines(reference) for reference in references]
    what = f"where the source has {len(lines)}; every file needs one per sentence"
    refuse([
        Problem(file.name, None, f"has {count_lines(len(text))} {what}")
        for file, text in zip(references, texts, strict=True)
        if len(text) != len(lines)
    ])  # fmt: skip
    material = Material.of_texts(lines, texts)
    return material.with_edits_of(edits) if edits else material


def read_sentences(file: GivenFile, sentences: int) -> list[int]:
    """Read the numbers of the sentences that count, from 1, one per line; return their places, from 0, in order."""
    places: dict[int, int] = {}
    problems = []
    for line, text in enumerate(read_lines(file), 1):
        word = text.strip()
        if not word:
            continue
        if not (word.isascii() and word.isdigit() and 1 <= int(word) <= sentences):
            what = f"{word[:40]!r} is not the number of a sentence; give whole numbers from 1 to {sentences}"
            problems.append(Problem(file.name, line, what))
        elif (place := int(word) - 1) in places:
            problems.append(Problem(file.name, line, f"sentence {word} stands on line {places[place]} already"))
        else:
            places[place] = line
    if not places and not problems:
        problems = [Problem(file.name, None, "holds no number; give the number of each sentence that counts")]
    refuse(shorten(file.name, problems))
    return sorted(places)


def warning_of_forms(material: Material, outputs: Mapping[str, Sequence[str]]) -> str:
    """Warn if letters with accents are composed (NFC) in some texts and decomposed (NFD) in others; else empty."""
    references = {f"reference {number}": texts for number, texts in enumerate(material.texts, 1)}
    texts = {"the source": material.source, **references, **outputs}
    by_form: dict[str, list[str]] = {}
    for name, lines in texts.items():
        text = "\n".join(line or "" for line in lines)
        forms = [form for form in ("NFC", "NFD") if unicodedata.is_normalized(form, text)]
        if len(forms) < 2:
            by_form.setdefault(forms[0] if forms else "a mixture", []).append(name)
    if len(by_form) < 2 and "a mixture" not in by_form:
        return ""
    found = "; ".join(f"{form} in {', '.join(names)}" for form, names in by_form.items())
    return (
        f"Letters with accents are written in different forms of Unicode: {found}. Words that look the same count as"
        " different; convert all files to one form (such as NFC).\n"
    )


def warning_of_spaces(material: Material, metrics: Mapping[str, Metric]) -> str:
    """Warn of metrics of words if the source has hardly any spaces; else empty."""
    words = " ".join(material.source).split()
    names = [name for name, metric in metrics.items() if metric.cuts_words]
    return f"{', '.join(names)}: {UNSPACED}\n" if names and sum(map(len, words)) > LONG_WORDS * len(words) else ""


def material_of_m2(sentences: Sequence[AnnotatedSentence], left_out: frozenset[str] = UNCLEAR) -> Material:
    """Read the references of an M2 file, one per annotator; edits of the types in `left_out` change no text."""
    rows = [
        {
            number: tuple(
                Edit(edit.start, edit.end, edit.corrections, edit.kind)
                for edit in sorted(edits, key=lambda edit: (edit.start, edit.end))
            )
            for number, edits in sentence.edits.items()
        }
        for sentence in sentences
    ]
    everyone = annotators(list(sentences)) or [0]
    return Material.of_edits(
        [sentence.text for sentence in sentences], [[row.get(number) for row in rows] for number in everyone], left_out
    )
