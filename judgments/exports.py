"""Judgments as files: one row a candidate, streamed."""

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import StringIO
from itertools import groupby
from operator import attrgetter

from judgments.models import Campaign, Judgment, Placement, Rating, SystemOutput
from judgments.models.judging import DIGITS
from judgments.rules.spreadsheets import defused

ROWS_AT_ONCE = 2000
COLUMNS = [
    "campaign", "judge", "screen", "segment", "document", "candidate", "systems", "shown_position", "rank", "score",
    "meaning_changed", "skip_reason", "wall_seconds", "active_seconds", "revision", "submitted_at", "excluded",
    "flagged", "comment",
]  # fmt: skip


def judgment_rows(campaign: Campaign) -> Iterator[dict[str, object]]:
    """A row for each candidate of each current judgment, one for a skip, in the order of submission."""
    judgments = (
        Judgment.objects.current()
        .filter(seat__campaign=campaign)
        .select_related("seat__judge", "screen__segment__document")
        .order_by("pk")
    )
    behind = _names_behind(campaign)
    rated = campaign.protocol == Campaign.Protocol.RATING
    answers = "rating_set" if rated else "placement_set"
    slots = "screen__slot_set"
    for judgment in judgments.prefetch_related(answers, slots).iterator(ROWS_AT_ONCE):
        places = {slot.candidate_id: slot.position for slot in judgment.screen.slot_set.all()}
        common = _common(campaign, judgment)
        given = list(getattr(judgment, answers).all())
        if not given:
            yield common
        for answer in sorted(given, key=lambda answer: judgment.seat.order.find(DIGITS[places[answer.candidate_id]])):
            shown = judgment.seat.order.find(DIGITS[places[answer.candidate_id]]) + 1
            yield common | _answer(answer) | {"systems": behind.get(answer.candidate_id, ""), "shown_position": shown}


def judgments_csv(campaign: Campaign) -> Iterator[str]:
    """The same as lines of CSV, safe to open in a spreadsheet."""
    return csv_lines(COLUMNS, judgment_rows(campaign))


def csv_lines(columns: Sequence[str], rows: Iterable[Mapping[str, object]]) -> Iterator[str]:
    """A header and a line for each row."""
    yield _line(columns)
    for row in rows:
        yield _line([defused(row.get(column, "")) for column in columns])


def _names_behind(campaign: Campaign) -> dict[int, str]:
    rows = SystemOutput.objects.filter(system__campaign=campaign).order_by("candidate", "system__name")
    pairs = rows.values_list("candidate", "system__name", named=True).iterator(ROWS_AT_ONCE)
    return {
        candidate: " ".join(pair.system__name for pair in group)
        for candidate, group in groupby(pairs, key=attrgetter("candidate"))
    }


def _common(campaign: Campaign, judgment: Judgment) -> dict[str, object]:
    judge = judgment.seat.judge
    return {
        "campaign": campaign.slug,
        "judge": judge.pseudonym if judge else "",
        "screen": judgment.screen_id,
        "segment": judgment.screen.segment.position + 1,
        "document": judgment.screen.segment.document.name,
        "skip_reason": judgment.skip_reason,
        "wall_seconds": _seconds(judgment.wall_seconds),
        "active_seconds": _seconds(judgment.active_seconds),
        "revision": judgment.revision,
        "submitted_at": judgment.submitted_at.isoformat(),
        "excluded": "yes" if judge and judge.excluded_at else "no",
        "flagged": "yes" if judgment.flagged else "no",
        "comment": judgment.comment,
    }


def _seconds(seconds: float | None) -> str:
    return "" if seconds is None else f"{seconds:.1f}"


def _answer(answer: Placement | Rating) -> dict[str, object]:
    if isinstance(answer, Rating):
        changed = "yes" if answer.meaning_changed else "no"
        return {"candidate": answer.candidate_id, "score": answer.score, "meaning_changed": changed}
    return {"candidate": answer.candidate_id, "rank": answer.rank}


def _line(cells: Sequence[object]) -> str:
    text = StringIO()
    csv.writer(text, lineterminator="\n").writerow(cells)
    return text.getvalue()
