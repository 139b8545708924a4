"""The judges, programs, organisers and valid links of a campaign."""

from collections.abc import Iterable, Iterator

from django.db import transaction
from django.db.models import Count, OuterRef, Prefetch, Q, QuerySet, Subquery
from django.utils import timezone

from judgments.judges.statistics import controls
from judgments.models import Assignment, Campaign, Completion, Consent, ConsentText, Invitation, Membership, SharedLink
from judgments.models.assignments import judges_in, number_of, with_judgments
from judgments.models.journal import note
from judgments.models.members import RUNNING
from judgments.rules.errors import Refused
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
        .select_related("campaign", "invitation", "statistics")
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


def invited_judges(campaign: Campaign) -> QuerySet[Invitation]:
    """Who has not joined yet, with links that are valid or not any more."""
    return Invitation.objects.filter(campaign=campaign, role=Membership.Role.JUDGE, membership=None)


def links_to_mail(campaign: Campaign) -> QuerySet[Invitation]:
    """Unsent personal links of judges invited by mail address."""
    return personal_links(campaign).filter(mailed_at=None).exclude(address="")


def judges_csv(campaign: Campaign) -> Iterator[str]:
    """A row for each judge, in the order in which they joined."""
    return csv_lines(COLUMNS, _judges_rows(campaign))


def _judges_rows(campaign: Campaign) -> Iterator[Iterable[object]]:
    answered = Count("assignment", filter=Q(assignment__submitted_at__isnull=False))
    counted = judges_in(campaign).select_related("campaign").annotate(screens=answered)
    for judge in counted.prefetch_related("completion_set").order_by("pk"):
        codes, seen = [completion.code for completion in judge.completion_set.all()], controls(judge)
        joined_at, consented_at = (
            moment.isoformat(timespec="seconds") if moment else "" for moment in (judge.joined_at, judge.consented_at)
        )
        passed = ("yes" if judge.passed_at else "no") if campaign.questions else ""
        earned = campaign.screened_out_code if judge.is_turned_away else " ".join(filter(None, codes))
        excluded = "yes" if judge.excluded_at else "no"
        yield (
            judge.pseudonym, judge.worker, joined_at, consented_at, judge.attempts, passed, judge.screens, len(codes),
            earned, seen.seen, seen.passed, excluded, judge.exclusion_reason,
        )  # fmt: skip


def links_csv(campaign: Campaign) -> Iterator[str]:
    """All personal links with names and mail addresses, for a mail program."""
    links = personal_links(campaign)
    return csv_lines(["name", "mail", "link"], ((link.pseudonym, link.address, link.url) for link in links))


def organisers(campaign: Campaign) -> QuerySet[Membership]:
    """Organisers, then observers."""
    members = Membership.objects.filter(campaign=campaign, role__in=RUNNING, removed_at=None)
    return members.select_related("user", "invitation").order_by("-role", "pseudonym")


def unused_links(campaign: Campaign) -> QuerySet[Invitation]:
    """Valid links of observers who have not come yet."""
    return Invitation.objects.valid().filter(campaign=campaign, role=Membership.Role.OBSERVER, membership=None)


@transaction.atomic
def remove_organiser(member: Membership) -> None:
    """End the part of an organiser or observer; a campaign keeps one organiser."""
    Campaign.objects.select_for_update().get(pk=member.campaign_id)
    runs = organisers(member.campaign).filter(role=Membership.Role.ORGANISER)
    if not runs.exclude(pk=member.pk).exists():
        raise Refused(f"{member.campaign} needs an organiser. Add another one first; nothing was changed.")
    if invitation := getattr(member, "invitation", None):
        invitation.revoke()
    if Membership.objects.filter(pk=member.pk, removed_at=None).update(removed_at=timezone.now()):
        note(member.campaign, f"removed {member.pseudonym} as {member.get_role_display()}")
