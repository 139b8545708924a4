"""Verdicts as rows: stored, loaded into the form, told their judge, and written to files."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import QuerySet

from judgments.models import Campaign, Judgment, Screen, Slot, Verdict
from judgments.protocols.base import AnswerTable
from judgments.protocols.rows import ROWS_AT_ONCE, Columns
from judgments.protocols.verdict.form import tell
from judgments.rules.files.csv_tables import cells


def fault(answers: Sequence[Mapping[str, Any]], length: int) -> str | None:
    """Why these are not the answers of one judgment, or None."""
    return "has two verdicts" if len(answers) > 1 else None


ANSWERS = AnswerTable(Verdict, fault)


def store(judgment: Judgment, slots: Sequence[Slot], findings: Sequence[str]) -> None:
    """Write the verdict."""
    (finding,) = findings
    Verdict.objects.create(judgment=judgment, finding=finding)


def load(judgment: Judgment, slots: Sequence[Slot]) -> dict[str, str]:
    """The form as it was sent."""
    finding = Verdict.objects.filter(judgment=judgment).values_list("finding", flat=True).first()
    return {"finding_1": finding} if finding else {}


def described(judgments: QuerySet[Judgment]) -> Mapping[int, str]:
    """What each found."""
    found = Verdict.objects.filter(judgment__in=judgments).values_list("judgment", "finding")
    return {judgment: tell(finding) for judgment, finding in found}


def columns(campaign: Campaign) -> Columns:
    """What each screen asks about, what is known of it, and the finding."""
    rows = Screen.objects.filter(campaign=campaign, usage__isnull=False)
    asked = {
        screen: cells([name, "" if gold is None else "error" if gold else "ok", "yes" if control else "no"])
        for screen, name, gold, control in rows.values_list("pk", "usage__name", "usage__gold", "has_control").iterator(
            ROWS_AT_ONCE
        )
    }
    return Columns(
        ("instance", "gold", "control", "finding"),
        lambda head, number, answer: f"{asked[head.screen]},{answer.said[0]}",
        lambda head: f"{asked[head.screen]},",
    )
