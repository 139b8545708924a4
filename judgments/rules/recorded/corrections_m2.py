"""Corrections from an M2 file, each annotator as a judge."""

from collections.abc import Iterable, Iterator, Sequence

from judgments.rules.m2 import NO_TYPE, AnnotatedEdit, annotators, read_m2
from judgments.rules.recorded.corrections import RecordedCorrection, Sentences, check_sentences, checked, named
from judgments.rules.textfiles import read_text
from judgments.rules.token_edits import TokenEdit, by_characters


def read_corrections_m2(
    name: str, content: bytes, sentences: Sentences, judges: Sequence[str]
) -> list[RecordedCorrection]:
    """Every annotator with a line for a sentence judged it; the first of alternatives is taken."""
    told = read_m2(read_text(name, content))
    check_sentences(name, [(sentence.line, sentence.text) for sentence in told], sentences)
    numbers = {annotator: number for number, annotator in enumerate(annotators(told))}
    recorded = [
        RecordedCorrection(
            sentence.line,
            named(numbers[annotator], judges),
            place,
            by_characters(sentences.texts[place], map(_told, _made(edits, sentence.text.split()))),
        )
        for place, sentence in enumerate(told)
        for annotator, edits in sorted(sentence.edits.items())
    ]
    return checked(name, recorded, sentences)


def _made(edits: Iterable[AnnotatedEdit], tokens: Sequence[str]) -> Iterator[AnnotatedEdit]:
    """Those that are made and change a word."""
    for edit in edits:
        if edit.is_made and tokens[edit.start : edit.end] != edit.corrections[0].split():
            yield edit


def _told(edit: AnnotatedEdit) -> TokenEdit:
    return TokenEdit(edit.start, edit.end, edit.corrections[0], "" if edit.kind == NO_TYPE else edit.kind)
