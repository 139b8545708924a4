"""The judges, programs and valid links of a campaign."""

from collections.abc import Iterator
from datetime import datetime

from django.db.models import Count, OuterRef, Prefetch, Q, QuerySet, Subquery

from judgments.judges.onboarding import is_turned_away
from judgments.judges.statistics import controls
from judgments.models import (
    Assignment,
    Campaign,
    Completion,
    Consent,
    ConsentText,
    Invitation,
    Membership,
    SharedLink,
)
from judgments.models.counts import judges_in, number_of, with_judgments
from judgments.rules.files.csv_tables import csv_lines

COLUMNS = [
    "judge", "worker", "joined_at", "consented_at", "attempts", "passed_questions", "screens", "batches", "codes",
    "controls_seen", "controls_passed", "excluded", "exclusion_reason",
]  # fmt: skip


def judges(campaign: Campaign) -> QuerySet[Membership]:
    """All judges, with the number and time of their judgments, their completed batches and last statistics."""
    answered = Assignment.objects.filter(judge=OuterRef("pk"))
    return (
        with_judgments(judges_in(campaign).filter(removed_at=None))
        .annotate(
            last=Subquery(answered.judged_here().order_by("-submitted_at").values("submitted_at")[:1]),
            batches=number_of(Completion.objects.filter(judge=OuterRef("pk")), "judge"),
        )
        .select_related("invitation", "statistics")
        .order_by("pseudonym")
    )


def programs(campaign: Campaign) -> QuerySet[Membership]:
    """All programs, including dismissed ones, with the number of their judgments."""
    members = Membership.objects.filter(campaign=campaign, role=Membership.Role.PROGRAM)
    answered = Assignment.objects.filter(judge=OuterRef("pk")).done()
    return members.annotate(done=number_of(answered, "judge")).order_by("pseudonym")


def consent_texts(campaign: Campaign) -> QuerySet[ConsentText]:
    """The texts to which judges agreed, newest first, with who did and when."""
    texts = ConsentText.objects.filter(campaign=campaign).select_related("campaign").order_by("-number")
    return texts.prefetch_related(Prefetch("consent_set", Consent.objects.select_related("judge")))


def shared_links(campaign: Campaign) -> QuerySet[SharedLink]:
    """Valid shared links, with the number of judges who joined by each."""
    return SharedLink.objects.valid().filter(campaign=campaign).annotate(came=Count("membership"))


def personal_links(campaign: Campaign) -> QuerySet[Invitation]:
    """Valid personal links of judges, except of those who were removed."""
    links = Invitation.objects.valid().filter(campaign=campaign, role=Membership.Role.JUDGE)
    return links.exclude(membership__removed_at__isnull=False)


def links_to_mail(campaign: Campaign) -> QuerySet[Invitation]:
    """Unsent personal links of judges invited by mail address."""
    return personal_links(campaign).filter(mailed_at=None).exclude(address="")


def close_message(judge: Membership, message: str) -> None:
    """Close the message that the judge has read, not a newer one."""
    Membership.objects.filter(pk=judge.pk, message=message).update(message="")


def judges_table(campaign: Campaign) -> Iterator[dict[str, object]]:
    """A row for each judge, in the order in which they joined."""
    counted = (
        judges_in(campaign)
        .select_related("campaign")
        .annotate(screens=Count("assignment", filter=Q(assignment__submitted_at__isnull=False)))
    )
    for judge in counted.prefetch_related("completion_set").order_by("pk"):
        codes, seen = [completion.code for completion in judge.completion_set.all()], controls(judge)
        yield {
            "judge": judge.pseudonym,
            "worker": judge.worker,
            "joined_at": _formatted(judge.joined_at),
            "consented_at": _formatted(judge.consented_at),
            "attempts": judge.attempts,
            "passed_questions": ("yes" if judge.passed_at else "no") if campaign.questions else "",
            "screens": judge.screens,
            "batches": len(codes),
            "codes": campaign.screened_out_code if is_turned_away(judge) else " ".join(filter(None, codes)),
            "controls_seen": seen.seen,
            "controls_passed": seen.passed,
            "excluded": "yes" if judge.excluded_at else "no",
            "exclusion_reason": judge.exclusion_reason,
        }


def links_csv(campaign: Campaign) -> Iterator[str]:
    """All personal links with names and mail addresses, for a mail program."""
    links = personal_links(campaign)
    return csv_lines(["name", "mail", "link"], ((link.pseudonym, link.address, link.url) for link in links))


def judges_csv(campaign: Campaign) -> Iterator[str]:
    return csv_lines(COLUMNS, (row.values() for row in judges_table(campaign)))


def _formatted(moment: datetime | None) -> str:
    return moment.isoformat(timespec="seconds") if moment else ""
