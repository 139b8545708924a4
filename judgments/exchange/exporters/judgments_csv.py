"""Judgments as a table: a row an answer; a row without one for a skip, and where nothing was to be corrected."""

from collections.abc import Iterator

from judgments.exchange.exporters.base import CSV, NO_WISHES, Export, Wishes
from judgments.models import Campaign
from judgments.protocols import protocol_of
from judgments.protocols.rows import Head, Judge, judges_of
from judgments.protocols.stream import judged
from judgments.rules.files.csv_tables import cells

FIRST = ["campaign", "judge", "screen", "segment", "document"]
LAST = [
    "skip_reason", "wall_seconds", "active_seconds", "revision", "submitted_at", "excluded", "flagged", "comment",
    "program",
]  # fmt: skip
NAMES = ["user", "worker"]
NOBODY = Judge("", False, False, "", "")


def judgments_csv(campaign: Campaign, wishes: Wishes = NO_WISHES) -> Iterator[str]:
    """Lines of the current judgments, those of excluded judges marked."""
    judges, said = judges_of(campaign), protocol_of(campaign).exported(campaign)
    yield cells([*FIRST, *said.names, *LAST, *(NAMES if wishes.with_names else [])]) + "\n"
    for head, answers in judged(campaign):
        judge = judges.get(head.judge or 0, NOBODY)
        first = cells([campaign.slug, judge.pseudonym, head.screen, head.position + 1, head.document])
        last = cells(_last(head, judge) + ([judge.user, judge.worker] if wishes.with_names else []))
        if not answers:
            yield f"{first},{said.nothing(head)},{last}\n"
        for number, answer in enumerate(answers, 1):
            yield f"{first},{said.cells(head, number, answer)},{last}\n"


def _last(head: Head, judge: Judge) -> list[object]:
    return [
        head.skip_reason,
        _seconds(head.wall_seconds),
        _seconds(head.active_seconds),
        head.revision,
        head.submitted_at.isoformat(),
        "yes" if judge.is_excluded else "no",
        "yes" if head.flagged else "no",
        head.comment,
        "yes" if judge.is_program else "no",
    ]


def _seconds(seconds: float | None) -> str:
    return "" if seconds is None else f"{seconds:.1f}"


EXPORT = Export(
    name="judgments.csv",
    about="A row for each answer of each judgment, for tables and statistics of your own.",
    content_type=CSV,
    write=judgments_csv,
    marks_excluded=True,
    tells_names=True,
)
