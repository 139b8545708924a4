"""Questions of an organiser: how far a campaign is, with whom and with what."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.core.paginator import Page, Paginator
from django.db.models import Count, F, Max, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce
from django.utils import timezone

from judgments.access import Visitor, campaigns_run_by
from judgments.models import (
    Campaign,
    Completion,
    Deal,
    Entry,
    Invitation,
    Mailing,
    Membership,
    Screen,
    Seat,
    Segment,
    SharedLink,
    System,
    Upload,
    Work,
)

ENTRIES_A_PAGE = 100
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)


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


@dataclass(frozen=True)
class NextStep:
    """What an organiser does next: a sentence, and the page that does it."""

    words: str
    button: str
    page: str


def next_step(campaign: Campaign, progress: Progress) -> NextStep:
    """The one thing that brings the campaign on."""
    if not progress.segments and not progress.recorded:
        return NextStep("Begin with the sentences and what the systems made of them.", "Bring in texts", "material")
    if not progress.seats and not progress.recorded:
        return NextStep("Say how sentences are dealt to judges, and see what that gives.", "Plan screens", "screens")
    if progress.seats and campaign.state == Campaign.State.DRAFT:
        people = Membership.objects.filter(campaign=campaign, role=Membership.Role.JUDGE)
        links = Invitation.objects.filter(campaign=campaign), SharedLink.objects.filter(campaign=campaign)
        if not any(rows.exists() for rows in (people, *links)):
            return NextStep("Screens are dealt. Give links to those who will judge.", "Invite judges", "judges")
        return NextStep(
            "All is ready. Open the campaign below as soon as judges may begin.", "Look at the screens", "screens"
        )
    if campaign.is_open and progress.done < progress.seats:
        return NextStep("Judges are at work.", "Watch how it goes", "board")
    return NextStep("There are judgments to conclude from.", "Make a report", "report_list")


@dataclass(frozen=True)
class Speed:
    """How fast judgments come, and when the last seat will be judged if that goes on."""

    last_hour: int
    last_day: int
    finish: datetime | None


def speed(campaign: Campaign) -> Speed:
    """By the judgments of the last hour and day."""
    now = timezone.now()
    seats = Seat.objects.filter(campaign=campaign).dealt()
    last_hour = seats.filter(submitted_at__gt=now - HOUR).count()
    last_day = seats.filter(submitted_at__gt=now - DAY).count()
    left = seats.waiting().count()
    finish = now + DAY * left / last_day if left and last_day else None
    return Speed(last_hour, last_day, finish)


@dataclass(frozen=True)
class Run:
    """A campaign that somebody runs, and how it goes."""

    campaign: Campaign
    seats: int
    done: int
    judges_today: int
    last: datetime | None


def runs_of(user: Visitor) -> list[Run]:
    """The campaigns that a user runs, the newest first; of a site operator all."""
    campaigns = list(campaigns_run_by(user))
    if not campaigns:
        return []
    seats = Seat.objects.filter(campaign__in=campaigns).order_by()
    dealt = dict(seats.dealt().values_list("campaign").annotate(Count("pk")))
    done = dict(seats.dealt().done().values_list("campaign").annotate(Count("pk")))
    last = dict(seats.done().values_list("campaign").annotate(Max("submitted_at")))
    midnight = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)
    of_today = seats.dealt().filter(submitted_at__gte=midnight)
    today = dict(of_today.values_list("campaign").annotate(Count("judge", distinct=True)))
    return [
        Run(one, dealt.get(one.pk, 0), done.get(one.pk, 0), today.get(one.pk, 0), last.get(one.pk))
        for one in campaigns
    ]  # fmt: skip


def entries(campaign: Campaign, page: str | None) -> Page:
    """A page of the journal, the newest first."""
    return Paginator(Entry.objects.filter(campaign=campaign), ENTRIES_A_PAGE).get_page(page)


def first_seats(campaign: Campaign) -> QuerySet[Seat]:
    """A seat for each screen that was dealt, in the order of the deal."""
    seats = Seat.objects.filter(campaign=campaign, round=0, repeats=None).dealt()
    return seats.select_related("campaign", "screen__segment").order_by("batch__number", "position")


def newest_mailing(campaign: Campaign) -> Mailing | None:
    """The links that were sent last, or are being sent."""
    return Mailing.objects.filter(campaign=campaign).first()


def deal_going_on(campaign: Campaign) -> Deal | None:
    """A large deal that is not over yet."""
    return Deal.objects.filter(campaign=campaign).exclude(state__in=Work.OVER).first()


def systems(campaign: Campaign) -> QuerySet[System]:
    """All systems with the number of their outputs."""
    return System.objects.filter(campaign=campaign).annotate(outputs=Count("systemoutput")).order_by("kind", "name")


def unfinished_uploads(campaign: Campaign) -> QuerySet[Upload]:
    """Files that were handed in and are not stored yet."""
    return Upload.objects.unfinished(campaign)


def judges(campaign: Campaign) -> QuerySet[Membership]:
    """All judges with the number of their judgments, the time of the last, and how they worked when last counted."""
    answered = Seat.objects.filter(judge=OuterRef("pk"), submitted_at__isnull=False)
    # Only what came since is counted: a million seats take too long for a page.
    counted = Coalesce(OuterRef("conduct__counted_up_to"), Value(LONG_AGO))
    return (
        Membership.objects.filter(campaign=campaign, role=Membership.Role.JUDGE, removed_at=None)
        .annotate(
            done=Coalesce(F("conduct__screens"), 0) + _count(answered.filter(submitted_at__gt=counted), "judge"),
            last=Subquery(answered.order_by("-submitted_at").values("submitted_at")[:1]),
            batches=_count(Completion.objects.filter(judge=OuterRef("pk")), "judge"),
        )
        .select_related("invitation", "conduct")
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


def personal_links(campaign: Campaign) -> QuerySet[Invitation]:
    """Every personal link that still lets its judge in."""
    return Invitation.objects.valid().filter(campaign=campaign).exclude(membership__removed_at__isnull=False)


def links_to_mail(campaign: Campaign) -> QuerySet[Invitation]:
    """Personal links of those who were invited by a mail address and were sent nothing yet."""
    return personal_links(campaign).filter(mailed_at=None).exclude(address="")
