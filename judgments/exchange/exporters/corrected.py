"""Corrections sentence by sentence, for every format that has a place a sentence."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

from judgments.exchange.exporters.base import Wishes, kept_in
from judgments.models import Campaign, Judgment, Segment
from judgments.models import Edit as StoredEdit
from judgments.protocols.rows import ROWS_AT_ONCE, Answer, Judged, judges_of
from judgments.protocols.stream import judged
from judgments.rules.texts.edits import Edit

are_corrected = kept_in(StoredEdit)


class Sentence(NamedTuple):
    """A sentence at its position, and by judge the judgments of it, those that repeat others behind them."""

    position: int
    document: str
    text: str
    judgments: dict[int, list[Judged]]

    def edits(self, judge: int) -> list[Edit] | None:
        """What a judge made of it; of repeats the first, and None from who did not judge it, or skipped it."""
        for head, answers in self.judgments.get(judge, ()):
            if not head.skipped:
                return edits_of(answers)
        return None


def edits_of(answers: Iterable[Answer]) -> list[Edit]:
    """The edits among the answers of a judgment."""
    return [Edit(*answer.said[1:]) for answer in answers]


def correctors(campaign: Campaign, wishes: Wishes) -> dict[int, str]:
    """Who corrected, or found nothing to correct, on at least one sentence: names by key, in the order of keys."""
    judgments = Judgment.objects.current().filter(assignment__campaign=campaign, skipped=False)
    there = set(judgments.order_by().values_list("assignment__judge", flat=True).distinct())
    known = judges_of(campaign)
    counted = (
        (pk, judge.pseudonym)
        for pk, judge in known.items()
        if pk in there
        and (wishes.with_excluded or not judge.is_excluded)
        and (wishes.with_programs or not judge.is_program)
    )
    return dict(sorted(counted))


def sentences(campaign: Campaign, wishes: Wishes, judge: int | None = None) -> Iterator[Sentence]:
    """Every sentence with a text, judged or not, in the order of the text."""
    found = judged(campaign, wishes.with_excluded, with_programs=wishes.with_programs, by_sentence=True, judge=judge)
    groups = groupby(found, key=lambda one: one[0].position)
    here, group = next(groups, (None, iter(())))
    for position, document, text in texts(campaign):
        while here is not None and here < position:
            here, group = next(groups, (None, iter(())))
        by_judge: dict[int, list[Judged]] = {}
        for head, answers in sorted(group if here == position else (), key=_turn):
            if head.judge is not None:
                by_judge.setdefault(head.judge, []).append((head, answers))
        yield Sentence(position, document, text, by_judge)


def texts(campaign: Campaign) -> Iterator[tuple[int, str, str]]:
    """Position, document and text of every sentence with a text, in the order of the text."""
    rows = Segment.objects.filter(campaign=campaign, text__isnull=False).order_by("position")
    for position, document, text in rows.values_list("position", "document__name", "text").iterator(ROWS_AT_ONCE):
        yield position, document, text or ""


def _turn(one: Judged) -> tuple[bool, int]:
    return one[0].turn
