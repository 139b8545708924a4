"""The judgments of a campaign with their answers, streamed in the order of submission."""

from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from typing import Any

from django.db.models import IntegerField, Value

from judgments.models import Campaign, Judgment, Membership
from judgments.protocols.registry import protocol_of
from judgments.protocols.rows import ROWS_AT_ONCE, AnswerRow, Head, Judged

HEAD = (
    "pk", "assignment", "assignment__repeats", "assignment__batch", "assignment__judge", "screen", "screen__weight",
    "screen__segment__position", "screen__segment__document__name", "revision", "current", "after_feedback",
    "skipped", "skip_reason", "comment", "flagged", "view", "wall_seconds", "active_seconds", "submitted_at",
)  # fmt: skip

# Judgments sentence by sentence: the order of submission would tell who came first, also in what is published.
IN_NO_TIME = ("screen__segment__position", "assignment__judge__lot", "assignment__judge", "pk")


def stream_judgments(
    campaign: Campaign,
    with_excluded: bool = True,
    with_revisions: bool = False,
    with_programs: bool = True,
    by_sentence: bool = False,
    judge: int | None = None,
) -> Iterator[Judged]:
    """Each judgment with its answers in the order shown, which is the order of storing.

    Judgments come in the order of submission, or sentence by sentence, with judges in the order of their lots; of all
    judges, or of one. Only `with_revisions` are there answers that are not independent: those after feedback, and
    adjudications.
    """
    roles = [Membership.Role.JUDGE, *([Membership.Role.PROGRAM] if with_programs else [])]
    chosen: dict[str, Any] = {"assignment__campaign": campaign}
    chosen |= {} if with_excluded else {"assignment__judge__excluded_at": None}
    chosen |= {} if with_revisions else {"current": True, "assignment__judge__role__in": roles}
    chosen |= {} if judge is None else {"assignment__judge": judge}
    order = IN_NO_TIME if by_sentence else ("pk",)
    heads = Judgment.objects.filter(**chosen).order_by(*order).values_list(*HEAD)
    protocol = protocol_of(campaign)
    candidate: Any = "candidate" if protocol.answers_on_candidates else Value(None, IntegerField())
    answers = protocol.answer_model._default_manager.filter(
        **{f"judgment__{name}": value for name, value in chosen.items()}
    )
    within = [f"judgment__{name}" for name in order]
    rows = answers.order_by(*within, "pk").values_list("judgment", candidate, *protocol.answer_columns)
    groups = groupby(rows.iterator(ROWS_AT_ONCE), key=itemgetter(0))
    judgment, of_judgment = next(groups, (None, iter(())))
    for head in map(Head._make, heads.iterator(ROWS_AT_ONCE)):
        if judgment != head.pk:
            yield head, []
            continue
        yield head, [AnswerRow(row[1], row[2:]) for row in of_judgment]
        judgment, of_judgment = next(groups, (None, iter(())))
