"""Questions of an organiser: how far a campaign is, with whom and with what."""

from dataclasses import dataclass

from django.db.models import Count, Max, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from judgments.models import (
    Campaign,
    Completion,
    Invitation,
    Membership,
    Screen,
    Seat,
    Segment,
    SharedLink,
    System,
    Upload,
)


@dataclass(frozen=True)
class Progress:
    """How much material there is and how much of it is judged."""

    segments: int
    screens: int
    seats: int
    done: int
    recorded: int


def progress(campaign: Campaign) -> Progress:
    """The campaign in five numbers."""
    seats = Seat.objects.filter(campaign=campaign)
    dealt = Count("pk", filter=Q(batch__isnull=False))
    done = Count("pk", filter=Q(batch__isnull=False, submitted_at__isnull=False))
    recorded = Count("pk", filter=Q(batch=None))
    counted = seats.aggregate(seats=dealt, done=done, recorded=recorded)
    return Progress(
        segments=Segment.objects.filter(campaign=campaign).count(),
        screens=Screen.objects.filter(campaign=campaign).exclude(batch=None).count(),
        **counted,
    )


def systems(campaign: Campaign) -> QuerySet[System]:
    """All systems with the number of their outputs."""
    return System.objects.filter(campaign=campaign).annotate(outputs=Count("systemoutput")).order_by("kind", "name")


def unfinished_uploads(campaign: Campaign) -> QuerySet[Upload]:
    """Files that were handed in and are not stored yet."""
    return Upload.objects.unfinished(campaign)


def judges(campaign: Campaign) -> QuerySet[Membership]:
    """All judges with the number of their judgments and the time of the last."""
    return (
        Membership.objects.filter(campaign=campaign, role=Membership.Role.JUDGE, removed_at=None)
        .annotate(
            done=Count("seat", filter=Q(seat__submitted_at__isnull=False)),
            last=Max("seat__submitted_at"),
            batches=_count(Completion.objects.filter(judge=OuterRef("pk")), "judge"),
        )
        .select_related("invitation")
        .order_by("pseudonym")
    )


def _count(rows: QuerySet, of: str) -> Coalesce:
    """How many rows there are for the outer one, without multiplying what else is counted."""
    return Coalesce(Subquery(rows.order_by().values(of).annotate(number=Count("pk")).values("number")), 0)


def shared_links(campaign: Campaign) -> QuerySet[SharedLink]:
    """Links for many that still let somebody in, with the number of those who came."""
    return SharedLink.objects.valid().filter(campaign=campaign).annotate(came=Count("membership"))


def open_invitations(campaign: Campaign) -> QuerySet[Invitation]:
    """Links that nobody has used yet."""
    return Invitation.objects.valid().filter(campaign=campaign, membership=None)
