"""Judgments as a table with a row per answer; skips and sentences without errors have a row without an answer."""

from collections.abc import Iterator

from judgments.exchange.exporters.base import CSV, ExportOptions, export
from judgments.models import Campaign, Membership
from judgments.protocols import protocol_of
from judgments.protocols.rows import Head, judges_of
from judgments.protocols.stream import judged
from judgments.rules.files.csv_tables import cells

FIRST = ["campaign", "judge", "screen", "segment", "document"]
LAST = [
    "skip_reason", "wall_seconds", "active_seconds", "revision", "submitted_at", "excluded", "flagged", "comment",
    "program", "view", "after_feedback", "adjudicator", "weight",
]  # fmt: skip
NAMES = ["user", "worker"]
NOBODY = Membership()


@export("judgments.csv", CSV, marks_excluded=True, shows_names=True)
def judgments_csv(campaign: Campaign, options: ExportOptions) -> Iterator[str]:
    """One row per answer of a judgment, for spreadsheets and your own statistics."""
    judges, columns = judges_of(campaign), protocol_of(campaign).exported(campaign)
    yield cells([*FIRST, *columns.names, *LAST, *(NAMES if options.with_names else [])]) + "\n"
    for head, answers in judged(campaign, with_revisions=True):
        if not (head.current or head.after_feedback):
            continue
        judge = judges.get(head.judge or 0, NOBODY)
        first = cells([campaign.slug, judge.pseudonym, head.screen, head.position + 1, head.document])
        last = cells(_last(head, judge) + ([judge.username, judge.worker] if options.with_names else []))
        if not answers:
            yield f"{first},{columns.nothing(head)},{last}\n"
        for number, part in columns.parted(answers):
            yield f"{first},{columns.cells(head, number, part)},{last}\n"


def _last(head: Head, judge: Membership) -> list[object]:
    judged_at = head.judged_at(judge)
    return [
        head.skip_reason,
        *("" if seconds is None else f"{seconds:.1f}" for seconds in (head.wall_seconds, head.active_seconds)),
        head.revision,
        judged_at.isoformat() if judged_at else "",
        "yes" if judge.is_excluded else "no",
        "yes" if head.flagged else "no",
        head.comment,
        "yes" if judge.is_program else "no",
        head.view,
        "yes" if head.after_feedback else "no",
        "yes" if judge.is_adjudicator else "no",
        "" if head.weight is None else head.weight,
    ]
