"""Corrections from an M2 file, each annotator as a judge."""

from collections.abc import Iterable, Sequence
from itertools import chain, count

from judgments.exchange.importers.rules.corrections import Sentences, check_sentences, checked, correction
from judgments.exchange.importers.rules.recorded import RecordedJudgment
from judgments.rules.files.text_files import read_text
from judgments.rules.texts.m2 import NO_TYPE, AnnotatedEdit, annotators, read_m2
from judgments.rules.texts.token_edits import TokenEdit, by_characters


def read_corrections_m2(
    name: str, content: bytes, sentences: Sentences, judges: Sequence[str]
) -> list[RecordedJudgment]:
    """Read the first alternative of every edit; annotators judged the sentences for which they have a line."""
    annotated = read_m2(read_text(name, content))
    check_sentences(name, [(sentence.line, sentence.text) for sentence in annotated], sentences)
    unnamed = (f"judge-{number}" for number in count(len(judges)))
    names = dict(zip(annotators(annotated), chain(judges, unnamed), strict=False))
    recorded = [
        correction(
            sentence.line,
            names[annotator],
            place,
            by_characters(sentences.texts[place], map(_token_edit, _applied(edits, sentence.text.split()))),
        )
        for place, sentence in enumerate(annotated)
        for annotator, edits in sorted(sentence.edits.items())
    ]
    return checked(name, recorded, sentences)


def _applied(edits: Iterable[AnnotatedEdit], tokens: Sequence[str]) -> list[AnnotatedEdit]:
    """Return the edits that change words; edits of an unclear type only if they insert words apart from all others."""
    changing = [edit for edit in edits if tokens[edit.start : edit.end] != edit.corrections[0].split()]
    applied = [edit for edit in changing if edit.is_made]
    for edit in changing:
        if not edit.is_made and edit.corrections[0] and not any(_overlap(edit, other) for other in applied):
            applied.append(edit)
    return applied


def _overlap(edit: AnnotatedEdit, other: AnnotatedEdit) -> bool:
    """Whether two edits overlap or have the same span."""
    same = (edit.start, edit.end) == (other.start, other.end)
    return same or (edit.start < other.end and other.start < edit.end)


def _token_edit(edit: AnnotatedEdit) -> TokenEdit:
    return TokenEdit(edit.start, edit.end, edit.corrections[0], "" if edit.kind == NO_TYPE else edit.kind)
