"""The judges of a campaign as a table: origin, progress, and completion codes."""

from collections.abc import Callable, Iterator
from datetime import datetime

from django.db.models import Count, Q

from judgments.judges.onboarding import is_turned_away
from judgments.judges.people import personal_links
from judgments.judges.statistics import controls
from judgments.models import Campaign, Completion, Membership
from judgments.rules.files.csv_tables import csv_lines

COLUMNS = [
    "judge", "worker", "joined_at", "consented_at", "attempts", "passed_questions", "screens", "batches", "codes",
    "controls_seen", "controls_passed", "excluded", "exclusion_reason",
]  # fmt: skip


def judges_table(campaign: Campaign) -> Iterator[dict[str, object]]:
    """A row for each judge, in the order in which they joined."""
    judges = Membership.objects.filter(campaign=campaign, role=Membership.Role.JUDGE).select_related("campaign")
    counted = judges.annotate(screens=Count("assignment", filter=Q(assignment__submitted_at__isnull=False)))
    for judge in counted.prefetch_related("completion_set").order_by("pk"):
        completions = list(judge.completion_set.all())
        seen = controls(judge)
        yield {
            "judge": judge.pseudonym,
            "worker": judge.worker,
            "joined_at": _formatted(judge.joined_at),
            "consented_at": _formatted(judge.consented_at),
            "attempts": judge.attempts,
            "passed_questions": _passed(judge),
            "screens": judge.screens,
            "batches": len(completions),
            "codes": _codes(judge, completions),
            "controls_seen": seen.seen,
            "controls_passed": seen.passed,
            "excluded": "yes" if judge.excluded_at else "no",
            "exclusion_reason": judge.exclusion_reason,
        }


def links_csv(campaign: Campaign, address_of: Callable[[str], str]) -> Iterator[str]:
    """Every personal link with its judge's name and mail address, ready for a mail program."""
    rows = (
        {"name": each.pseudonym, "mail": each.address, "link": address_of(each.token)}
        for each in personal_links(campaign)
    )
    return csv_lines(["name", "mail", "link"], rows)


def judges_csv(campaign: Campaign) -> Iterator[str]:
    return csv_lines(COLUMNS, judges_table(campaign))


def _passed(judge: Membership) -> str:
    if not judge.campaign.questions:
        return ""
    return "yes" if judge.passed_at else "no"


def _codes(judge: Membership, completions: list[Completion]) -> str:
    codes = [completion.code for completion in completions if completion.code]
    return " ".join([judge.campaign.screened_out_code] if is_turned_away(judge) else codes)


def _formatted(moment: datetime | None) -> str:
    return moment.isoformat(timespec="seconds") if moment else ""
