"""Corrections as M2: an annotator a judge, numbered from 0 in the order of their names."""

from collections.abc import Iterator

from judgments.exchange.exporters.base import PLAIN, Export, Wishes
from judgments.exchange.exporters.corrected import are_corrected, correctors, sentences
from judgments.models import Campaign
from judgments.rules.texts.m2 import annotation, noop
from judgments.rules.texts.token_edits import by_tokens


def corrections_m2(campaign: Campaign, wishes: Wishes) -> Iterator[str]:
    """An S line a sentence, a line an edit; whoever found nothing has a noop, who did not judge has no line."""
    judges = list(correctors(campaign, wishes))
    for sentence in sentences(campaign, wishes):
        yield f"S {' '.join(sentence.text.split())}\n"
        for number, judge in enumerate(judges):
            edits = sentence.edits(judge)
            if edits is None:
                continue
            told = by_tokens(sentence.text, edits)
            for start, end, correction, category in told:
                yield annotation(start, end, category, correction, number) + "\n"
            if not told:
                yield noop(number) + "\n"
        yield "\n"


EXPORT = Export(
    name="corrections.m2",
    about="The corrections as M2, an annotator a judge, as scorers read it.",
    content_type=PLAIN,
    write=corrections_m2,
    fits=are_corrected,
)
