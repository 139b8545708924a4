"""Questions of an organiser about people: who judges and how much, which links let somebody in."""

from collections.abc import Iterable
from datetime import UTC, datetime

from django.db.models import Count, Exists, F, Max, OuterRef, QuerySet, Subquery, Sum, Value
from django.db.models.functions import Coalesce

from judgments.models import (
    Campaign,
    Completion,
    Conduct,
    Invitation,
    Mailing,
    Membership,
    Ruling,
    Seat,
    SharedLink,
)

LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)


def newest_mailing(campaign: Campaign) -> Mailing | None:
    """The links that were sent last, or are being sent."""
    return Mailing.objects.filter(campaign=campaign).first()


def recorded_seats(campaigns: Iterable[Campaign]) -> QuerySet[Seat]:
    """Those of imported judgments."""
    beside = Seat.objects.filter(campaign__in=campaigns).beside_the_deal().order_by()
    return beside.filter(judge__role=Membership.Role.JUDGE)


def judges_in(campaign: Campaign) -> QuerySet[Membership]:
    """All who judge or judged."""
    return Membership.objects.filter(campaign=campaign, role=Membership.Role.JUDGE)


def with_answers(judges: QuerySet[Membership]) -> QuerySet[Membership]:
    """Those who judged at least one screen."""
    return judges.filter(Exists(Seat.objects.filter(judge=OuterRef("pk")).done()))


def with_judgments(judges: QuerySet[Membership]) -> QuerySet[Membership]:
    """Judges with the number of their judgments: those counted at the end of the last batch, and what came since.

    A million seats would take too long for a page.
    """
    since = Coalesce(OuterRef("conduct__counted_up_to"), Value(LONG_AGO))
    newer = Seat.objects.filter(judge=OuterRef("pk"), submitted_at__gt=since)
    return judges.annotate(done=Coalesce(F("conduct__screens"), 0) + number_of(newer, "judge"))


def judgments_by(judges: QuerySet[Membership]) -> int:
    """How many judgments judges have made."""
    return with_judgments(judges).aggregate(all=Coalesce(Sum("done"), 0))["all"]


def judges(campaign: Campaign) -> QuerySet[Membership]:
    """All judges with the number of their judgments, the time of the last, and how they worked when last counted."""
    answered = Seat.objects.filter(judge=OuterRef("pk")).done()
    return (
        with_judgments(judges_in(campaign).filter(removed_at=None))
        .annotate(
            last=Subquery(answered.order_by("-submitted_at").values("submitted_at")[:1]),
            batches=number_of(Completion.objects.filter(judge=OuterRef("pk")), "judge"),
        )
        .select_related("invitation", "conduct")
        .order_by("pseudonym")
    )


def compared_at(campaign: Campaign) -> datetime | None:
    """When the report was made that compares the judges with each other."""
    return Conduct.objects.filter(judge__campaign=campaign).aggregate(newest=Max("compared_at"))["newest"]


def programs(campaign: Campaign) -> QuerySet[Membership]:
    """Programs that judge or did, with the number of their judgments."""
    members = Membership.objects.filter(campaign=campaign, role=Membership.Role.PROGRAM)
    answered = Seat.objects.filter(judge=OuterRef("pk")).done()
    return members.annotate(done=number_of(answered, "judge")).order_by("pseudonym")


def number_of(rows: QuerySet, of: str) -> Coalesce:
    """How many rows there are for the outer one, without multiplying what else is counted."""
    return Coalesce(Subquery(rows.order_by().values(of).annotate(number=Count("pk")).values("number")), 0)


def shared_links(campaign: Campaign) -> QuerySet[SharedLink]:
    """Links for many that still let somebody in, with the number of those who came."""
    return SharedLink.objects.valid().filter(campaign=campaign).annotate(came=Count("membership"))


def open_invitations(campaign: Campaign) -> QuerySet[Invitation]:
    """Links that nobody has used yet."""
    return Invitation.objects.valid().filter(campaign=campaign, membership=None)


def personal_links(campaign: Campaign) -> QuerySet[Invitation]:
    """Every personal link that still lets its judge in."""
    return Invitation.objects.valid().filter(campaign=campaign).exclude(membership__removed_at__isnull=False)


def links_to_mail(campaign: Campaign) -> QuerySet[Invitation]:
    """Personal links of those who were invited by a mail address and were sent nothing yet."""
    return personal_links(campaign).filter(mailed_at=None).exclude(address="")


def newest_ruling(campaign: Campaign) -> Ruling | None:
    """The rule of exclusion as a worker applies it, or applied it last."""
    return Ruling.objects.filter(campaign=campaign).first()
