"""Corrections as lines of JSON: an object a judgment, with edits by characters and by tokens."""

import json
from collections.abc import Iterator

from judgments.exchange.exporters.base import JSON_LINES, Export, Wishes
from judgments.exchange.exporters.corrected import are_corrected, edits_of, sentences
from judgments.models import Campaign
from judgments.protocols.rows import judges_of
from judgments.rules.texts.edits import corrected
from judgments.rules.texts.token_edits import by_tokens


def corrections_jsonl(campaign: Campaign, wishes: Wishes) -> Iterator[str]:
    """Sentence by sentence, as judgments came; a skip has no correction but a label, its reason."""
    names = {pk: judge.pseudonym for pk, judge in judges_of(campaign).items()}
    for sentence in sentences(campaign, wishes):
        for judge in sorted(sentence.judgments, key=names.__getitem__):
            for head, answers in sentence.judgments[judge]:
                edits = edits_of(answers)
                told = {
                    "judge": names[judge],
                    "line": sentence.position + 1,
                    "document": sentence.document,
                    "source": sentence.text,
                    "corrected": None if head.skipped else corrected(sentence.text, edits),
                    "edits": [edit._asdict() for edit in edits],
                    "token_edits": [edit._asdict() for edit in by_tokens(sentence.text, edits)],
                    "label": head.skip_reason,
                    "seconds": head.seconds,
                }
                yield json.dumps(told, ensure_ascii=False) + "\n"


EXPORT = Export(
    name="corrections.jsonl",
    about="An object of JSON a judgment, with its edits by characters and by words.",
    content_type=JSON_LINES,
    write=corrections_jsonl,
    fits=are_corrected,
)
