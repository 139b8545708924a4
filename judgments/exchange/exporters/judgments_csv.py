"""Judgments as a table with a row per answer; skips and sentences without errors have a row without an answer."""

from collections.abc import Iterator
from itertools import count

from judgments.exchange.exporters.base import CSV, ExportOptions, export
from judgments.judges import people
from judgments.models import Campaign, Membership, ProgramAnswer
from judgments.protocols import protocol_of
from judgments.protocols.rows import ROWS_AT_ONCE, Head, judges_of
from judgments.protocols.stream import stream_judgments
from judgments.rules.files.csv_tables import cells

FIRST = ["campaign", "judge", "screen", "segment", "document"]
LAST = [
    "skip_reason", "wall_seconds", "active_seconds", "revision", "submitted_at", "excluded", "flagged", "comment",
    "program", "view", "after_feedback", "adjudicator", "weight", "judgment",
]  # fmt: skip
NAMES = ["user", "worker"]
# With programs: how each answer came about; empty for people.
SAID = ["model", "answered_by", "prompt", "temperature", "seed", "tokens_in", "tokens_out", "cost"]
NOBODY = Membership()


@export("judges.csv", CSV, marks_excluded=True)
def judges_csv(campaign: Campaign, options: ExportOptions) -> Iterator[str]:
    """Judges with their worker numbers, progress, controls passed, codes seen, and who is excluded and why."""
    return people.judges_csv(campaign)


@export("judgments.csv", CSV, marks_excluded=True, shows_names=True)
def judgments_csv(campaign: Campaign, options: ExportOptions) -> Iterator[str]:
    """One row per answer of a judgment, for spreadsheets and your own statistics."""
    judges, columns = judges_of(campaign), protocol_of(campaign).columns(campaign)
    said, numbers = _said(campaign) if options.with_programs else {}, count(1)
    more = [*(SAID if options.with_programs else []), *(NAMES if options.with_names else [])]
    yield cells([*FIRST, *columns.names, *LAST, *more]) + "\n"
    for head, answers in stream_judgments(campaign, with_revisions=True):
        if not (head.current or head.after_feedback):
            continue
        judge = judges.get(head.judge or 0, NOBODY)
        first = cells([campaign.slug, judge.pseudonym, head.screen, head.position + 1, head.document])
        how = said.get(head.pk, [""] * len(SAID)) if options.with_programs else []
        last = cells(
            [*_last(head, judge), next(numbers), *how, *([judge.username, judge.worker] if options.with_names else [])]
        )
        if not answers:
            yield f"{first},{columns.nothing(head)},{last}\n"
        for number, part in columns.in_parts(answers):
            yield f"{first},{columns.cells(head, number, part)},{last}\n"


def _said(campaign: Campaign) -> dict[int, list[object]]:
    """How programs came to their judgments; the prompt by the digest of its text."""
    said = ProgramAnswer.objects.filter(assignment__campaign=campaign).exclude(judgment=None).select_related("prompt")
    return {
        one.judgment_id or 0: ["" if cell is None else cell for cell in (
            one.model, one.answered_by, one.prompt.digest, one.temperature, one.seed, one.tokens_in, one.tokens_out,
            one.cost,
        )]
        for one in said.defer("raw", "answers").iterator(ROWS_AT_ONCE)
    }  # fmt: skip


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
