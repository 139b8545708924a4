"""Counts of judgments, without reading a million rows."""

from collections.abc import Iterable
from datetime import UTC, datetime

from django.db.models import Count, Exists, F, OuterRef, QuerySet, Subquery, Sum, Value
from django.db.models.functions import Coalesce

from judgments.models.assignments import Assignment
from judgments.models.campaign import Campaign
from judgments.models.members import Membership

LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)


def recorded_assignments(campaigns: Iterable[Campaign]) -> QuerySet[Assignment]:
    """Assignments of imported judgments."""
    unplanned = Assignment.objects.filter(campaign__in=campaigns).unplanned().order_by()
    return unplanned.filter(judge__role=Membership.Role.JUDGE)


def judges_in(campaign: Campaign) -> QuerySet[Membership]:
    """Current and former judges."""
    return Membership.objects.filter(campaign=campaign, role=Membership.Role.JUDGE)


def with_answers(judges: QuerySet[Membership]) -> QuerySet[Membership]:
    """Judges who judged at least one screen."""
    return judges.filter(Exists(Assignment.objects.filter(judge=OuterRef("pk")).done()))


def with_judgments(judges: QuerySet[Membership]) -> QuerySet[Membership]:
    """Annotate judges with the number of their judgments: those counted at the last batch, plus newer ones.

    Counting a million assignments would take too long for a page.
    """
    since = Coalesce(OuterRef("statistics__counted_up_to"), Value(LONG_AGO))
    newer = Assignment.objects.filter(judge=OuterRef("pk"), submitted_at__gt=since)
    return judges.annotate(done=Coalesce(F("statistics__screens"), 0) + number_of(newer, "judge"))


def judgments_by(judges: QuerySet[Membership]) -> int:
    return with_judgments(judges).aggregate(all=Coalesce(Sum("done"), 0))["all"]


def number_of(rows: QuerySet, of: str) -> Coalesce:
    """Count rows in a subquery, so that the other counts of the query are not multiplied."""
    return Coalesce(Subquery(rows.order_by().values(of).annotate(number=Count("pk")).values("number")), 0)
