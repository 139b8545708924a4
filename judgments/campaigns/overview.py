"""Questions of an organiser: how far a campaign is, with whom and with what."""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import accumulate, pairwise

from django.core.paginator import Page, Paginator
from django.db.models import Count, Exists, OuterRef, QuerySet, Subquery, Sum
from django.utils import timezone

from judgments.campaigns.access import campaigns_run_by
from judgments.models import (
    Assignment,
    Campaign,
    Invitation,
    JournalEntry,
    Membership,
    Screen,
    Segment,
    SharedLink,
    System,
    SystemOutput,
    Upload,
    Usage,
)
from judgments.models.counts import judges_in, judgments_by, number_of, recorded_assignments, with_judgments
from judgments.models.members import Visitor
from judgments.protocols import protocol_of

ENTRIES_A_PAGE = 100
STEPS_OF_COURSE = 60
SECOND, HOUR, DAY = timedelta(seconds=1), timedelta(hours=1), timedelta(days=1)


@dataclass(frozen=True)
class Progress:
    """How much material there is and how much of it is judged."""

    segments: int
    screens: int
    assignments: int
    done: int
    recorded: int


def progress(campaign: Campaign) -> Progress:
    """The campaign in five numbers, none of which reads all assignments."""
    recorded = recorded_assignments([campaign]).count()
    done = judgments_by(judges_in(campaign)) - recorded
    return Progress(
        segments=Segment.objects.filter(campaign=campaign).count(),
        screens=planned_screens(campaign).count(),
        assignments=done + Assignment.objects.filter(campaign=campaign).planned().waiting().count(),
        done=done,
        recorded=recorded,
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
        if not protocol_of(campaign).has_outputs:
            words = "Begin with the usages that judges are asked about, and what systems say of them."
            return NextStep(words, "Bring in usages", "material")
        return NextStep("Begin with the sentences and what the systems made of them.", "Bring in texts", "material")
    if not progress.assignments and not progress.recorded:
        return NextStep("Plan the screens that judges will see, and look at the preview.", "Plan screens", "screens")
    if progress.assignments and campaign.state == Campaign.State.DRAFT:
        people = Membership.objects.filter(campaign=campaign, role=Membership.Role.JUDGE)
        links = Invitation.objects.filter(campaign=campaign), SharedLink.objects.filter(campaign=campaign)
        if not any(rows.exists() for rows in (people, *links)):
            return NextStep("Screens are assigned. Give links to those who will judge.", "Invite judges", "judges")
        return NextStep(
            "All is ready. Open the campaign below as soon as judges may begin.", "Look at the screens", "screens"
        )
    if campaign.is_open and progress.done < progress.assignments:
        return NextStep("Judges are at work.", "Watch how it goes", "board")
    return NextStep("There are judgments to conclude from.", "Make a report", "report_list")


@dataclass(frozen=True)
class Speed:
    """How fast judgments come, and when the last assignment will be judged if that goes on."""

    last_hour: int
    last_day: int
    finish: datetime | None


def speed(campaign: Campaign, progress: Progress) -> Speed:
    """By the judgments of the last hour and day."""
    now = timezone.now()
    assignments = Assignment.objects.filter(campaign=campaign).planned()
    last_hour = assignments.filter(submitted_at__gt=now - HOUR).count()
    last_day = assignments.filter(submitted_at__gt=now - DAY).count()
    left = progress.assignments - progress.done
    finish = now + DAY * left / last_day if left and last_day else None
    return Speed(last_hour, last_day, finish)


@dataclass(frozen=True)
class Course:
    """The first and the last judgment, until when is looked, and how many assignments were judged at equal steps up to
    then.

    While a campaign goes on that is now, so that a standstill is seen.
    """

    first: datetime
    last: datetime
    until: datetime
    judged: tuple[int, ...]


def course(campaign: Campaign, progress: Progress) -> Course | None:
    """How the assignments came to be judged, if there are any."""
    # Reading only what an index holds; with imported judgments or programs beside them that does not tell them apart.
    assignments = Assignment.objects.filter(campaign=campaign)
    assignments = (
        (assignments.planned() if assignments.unplanned().exists() else assignments).done().order_by("submitted_at")
    )
    moments = assignments.values_list("submitted_at", flat=True)
    first, last = moments.first(), moments.last()
    if first is None or last is None:
        return None
    goes_on = campaign.is_open and progress.done < progress.assignments
    until = max(timezone.now() if goes_on else last, first + SECOND)
    starts = [first + (until - first) * place / STEPS_OF_COURSE for place in range(STEPS_OF_COURSE)]
    within = [assignments.filter(submitted_at__gte=start, submitted_at__lt=end) for start, end in pairwise(starts)]
    within.append(assignments.filter(submitted_at__gte=starts[-1]))
    counted = Campaign.objects.filter(pk=campaign.pk).values_list(*(number_of(part, "campaign") for part in within))
    first, last, until = map(timezone.localtime, (first, last, until))
    return Course(first, last, until, tuple(accumulate(counted.get())))


def distinct_outputs(campaign: Campaign) -> Counter[int]:
    """How many segments have how many distinct outputs of the judged systems."""
    outputs = SystemOutput.objects.filter(system__in=System.objects.filter(campaign=campaign).judged()).order_by()
    distinct = outputs.values("segment").annotate(distinct=Count("candidate", distinct=True))
    return Counter(distinct.values_list("distinct", flat=True))


@dataclass(frozen=True)
class UsagesThere:
    """How many usages there are, and of how many the right answer is known."""

    usages: int
    gold: int


def usages(campaign: Campaign) -> UsagesThere | None:
    """What verdicts are asked about; nothing where they are not."""
    if protocol_of(campaign).has_outputs:
        return None
    return UsagesThere(**Usage.objects.filter(campaign=campaign).aggregate(usages=Count("pk"), gold=Count("gold")))


def has_judgments(campaign: Campaign) -> bool:
    """Whether there is anything to conclude from."""
    return Assignment.objects.filter(campaign=campaign).done().exists()


@dataclass(frozen=True)
class Run:
    """A campaign that somebody runs, and how it goes."""

    campaign: Campaign
    assignments: int
    done: int
    judges_today: int
    last: datetime | None


def runs_of(user: Visitor) -> list[Run]:
    """The campaigns that a user runs, the newest first; of a site operator all."""
    campaigns = list(campaigns_run_by(user))
    if not campaigns:
        return []
    assignments = Assignment.objects.filter(campaign__in=campaigns).order_by()
    people = Membership.objects.filter(campaign__in=campaigns, role=Membership.Role.JUDGE).order_by()
    judged = dict(with_judgments(people).values_list("campaign").annotate(Sum("done")))
    recorded = dict(recorded_assignments(campaigns).values_list("campaign").annotate(Count("pk")))
    waiting = dict(assignments.planned().waiting().values_list("campaign").annotate(Count("pk")))
    midnight = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)
    of_today = Assignment.objects.filter(judge=OuterRef("pk"), submitted_at__gte=midnight).planned()
    today = dict(people.filter(Exists(of_today)).values_list("campaign").annotate(Count("pk")))
    newest = (
        Assignment.objects.filter(campaign=OuterRef("pk")).done().order_by("-submitted_at").values("submitted_at")[:1]
    )
    last = dict(campaigns_run_by(user).values_list("pk", Subquery(newest)))
    done = {pk: number - recorded.get(pk, 0) for pk, number in judged.items()}
    return [
        Run(
            campaign,
            assignments=done.get(campaign.pk, 0) + waiting.get(campaign.pk, 0),
            done=done.get(campaign.pk, 0),
            judges_today=today.get(campaign.pk, 0),
            last=last[campaign.pk],
        )
        for campaign in campaigns
    ]


def entries(campaign: Campaign, page: str | None) -> Page:
    """A page of the journal, the newest first."""
    return Paginator(JournalEntry.objects.filter(campaign=campaign), ENTRIES_A_PAGE).get_page(page)


def planned_screens(campaign: Campaign) -> QuerySet[Screen]:
    """Every screen that judges see, in the order of the plan."""
    return Screen.objects.filter(campaign=campaign).exclude(batch=None).order_by("pk")


def first_assignment(screen: Screen) -> Assignment:
    """The first assignment of a screen."""
    assignments = Assignment.objects.select_related("campaign", "screen__segment", "screen__usage")
    # Not by what it repeats: SQLite would look through all that repeat nothing.
    return assignments.filter(screen=screen).earliest("pk")


def systems(campaign: Campaign) -> QuerySet[System]:
    """All systems with the number of their outputs, or of the usages of which they say something."""
    made = "systemoutput" if protocol_of(campaign).has_outputs else "classification"
    return System.objects.filter(campaign=campaign).annotate(outputs=Count(made)).order_by("kind", "name")


def unfinished_uploads(campaign: Campaign) -> QuerySet[Upload]:
    """Uploads that are not stored yet."""
    return Upload.objects.not_stored(campaign)
