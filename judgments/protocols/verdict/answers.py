"""Verdicts as rows: stored, loaded into the form, described to their judge, exported, and checked on controls."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.db.models import F, QuerySet
from django.utils.translation import gettext

from judgments.models import Campaign, Judgment, Screen, Slot, Verdict
from judgments.protocols.base import AnswerTable
from judgments.protocols.rows import ROWS_AT_ONCE, Columns
from judgments.protocols.verdict.form import tell
from judgments.rules.files.csv_tables import cells
from judgments.rules.texts.marking import marked

# So many characters to each side are enough to know a sentence again.
NEAR = 30
SHOULD_BE = {True: Verdict.Finding.ERROR.value, False: Verdict.Finding.OK.value}


def fault(answers: Sequence[Mapping[str, Any]], length: int) -> str | None:
    """Return why these are not the answers of one judgment, or None."""
    return "has two verdicts" if len(answers) > 1 else None


ANSWERS = AnswerTable(Verdict, fault)


def store(judgment: Judgment, slots: Sequence[Slot], findings: Sequence[str]) -> None:
    (finding,) = findings
    Verdict.objects.create(judgment=judgment, finding=finding)


def load(judgment: Judgment, slots: Sequence[Slot]) -> dict[str, str]:
    finding = Verdict.objects.filter(judgment=judgment).values_list("finding", flat=True).first()
    return {"finding_1": finding} if finding else {}


def described(judgments: QuerySet[Judgment]) -> Mapping[int, str]:
    found = Verdict.objects.filter(judgment__in=judgments).values_list("judgment", "finding")
    return {judgment: tell(finding) for judgment, finding in found}


def columns(campaign: Campaign) -> Columns:
    rows = Screen.objects.filter(campaign=campaign, usage__isnull=False)
    described_usages = {
        screen: cells([name, "" if gold is None else "error" if gold else "ok", "yes" if control else "no"])
        for screen, name, gold, control in rows.values_list("pk", "usage__name", "usage__gold", "has_control").iterator(
            ROWS_AT_ONCE
        )
    }
    return Columns(
        ("instance", "gold", "control", "finding"),
        lambda head, number, answer: f"{described_usages[head.screen]},{answer.said[0]}",
        lambda head: f"{described_usages[head.screen]},",
    )


def passed(judgments: QuerySet[Judgment]) -> Iterator[bool]:
    """`unknown` is not correct."""
    verdicts = Verdict.objects.filter(judgment__in=judgments).annotate(gold=F("judgment__screen__usage__gold"))
    return (finding == SHOULD_BE.get(gold) for finding, gold in verdicts.values_list("finding", "gold"))


def feedback(judgment: Judgment) -> str:
    """Tell the judge whether the finding was right, and if not, what would have been."""
    usage = judgment.screen.usage
    verdict = Verdict.objects.filter(judgment=judgment).first()
    if verdict is None or usage is None or usage.gold is None:
        return ""
    right = SHOULD_BE[usage.gold]
    before, marked_text, after = marked(usage.segment.text or "", usage.start, usage.end)
    texts = {"usage": f"{before[-NEAR:]}[{marked_text}]{after[:NEAR]}".strip(), "right": tell(right)}
    if verdict.finding == right:
        return gettext("“%(usage)s” was a test, and you were right: %(right)s.") % texts
    return gettext("“%(usage)s” was a test, and %(right)s would have been right.") % texts
