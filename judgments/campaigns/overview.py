"""Queries for organisers: the progress, people and material of a campaign."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import accumulate, pairwise

from django.core.paginator import Page, Paginator
from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery, Sum
from django.utils import timezone
from django.utils.translation import gettext

from judgments.campaigns.access import campaigns_run_by
from judgments.models import (
    Alarm,
    Assignment,
    Batch,
    Campaign,
    Invitation,
    Job,
    JournalEntry,
    Membership,
    Screen,
    Segment,
    System,
    SystemOutput,
    Usage,
)
from judgments.models.assignments import judges_in, judgments_by, number_of, recorded_assignments, with_judgments
from judgments.models.members import Visitor
from judgments.protocols import protocol_of

ENTRIES_A_PAGE = 100
STEPS_OF_COURSE = 60
FEWEST_FOR_PACE = 10
# Nobody judges all day, so the pace of the last hour foretells so many hours at most.
HOURS_AHEAD = 4
SECOND, MINUTE, HOUR, DAY = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
# A judge who sent an answer within this time is at work.
AT_WORK = timedelta(minutes=15)


@dataclass(frozen=True)
class CampaignProgress:
    segments: int
    screens: int
    assignments: int
    done: int
    recorded: int


def progress(campaign: Campaign) -> CampaignProgress:
    """Count material and judgments without reading all assignments."""
    recorded = recorded_assignments([campaign]).count()
    done = judgments_by(judges_in(campaign)) - recorded
    return CampaignProgress(
        segments=Segment.objects.filter(campaign=campaign).count(),
        screens=Screen.objects.filter(campaign=campaign).exclude(batch=None).count(),
        assignments=done + Assignment.objects.filter(campaign=campaign).planned().waiting().count(),
        done=done,
        recorded=recorded,
    )


@dataclass(frozen=True)
class JudgingSpeed:
    """Judgments in the last hour and day, how many a day at this pace, and when the last assignment will be judged."""

    last_hour: int
    last_day: int
    per_day: float
    finish: datetime | None


def speed(campaign: Campaign, progress: CampaignProgress) -> JudgingSpeed:
    now = timezone.now()
    newest = Assignment.objects.filter(campaign=campaign, submitted_at__gt=now - DAY).planned()
    counts = newest.aggregate(last_hour=Count("pk", filter=Q(submitted_at__gt=now - HOUR)), last_day=Count("pk"))
    left = progress.assignments - progress.done
    rate = per_day(campaign, left, **counts) if campaign.is_open else 0.0
    return JudgingSpeed(**counts, per_day=rate, finish=finish_at(left, rate))


def per_day(campaign: Campaign, left: int, last_hour: int, last_day: int) -> float:
    """Judgments a day at the present pace: that of the last day, or since the campaign was opened, if that is later, or
    that of the last hour if it is faster and would soon finish what is left; 0 while they are too few to say.
    """
    if last_day < FEWEST_FOR_PACE:
        return 0.0
    age = timezone.now() - campaign.opened_at if campaign.opened_at else DAY
    rate = last_day * (DAY / min(max(age, MINUTE), DAY))
    is_soon = last_hour >= FEWEST_FOR_PACE and left <= HOURS_AHEAD * last_hour
    return max(rate, last_hour * (DAY / HOUR)) if is_soon else rate


def finish_at(left: int, rate: float) -> datetime | None:
    """When the last of these assignments will be judged, at so many a day."""
    return timezone.now() + DAY * left / rate if left and rate else None


@dataclass(frozen=True)
class Course:
    """The times of the first and last judgment, the end of the period shown, and cumulative counts at equal steps.

    While judging continues, the period ends now, so that a standstill shows.
    """

    first: datetime
    last: datetime
    until: datetime
    judged: tuple[int, ...]


def course(campaign: Campaign, progress: CampaignProgress) -> Course | None:
    """The number of judgments over time, or None without judgments."""
    # An index-only scan, unless imported judgments or programs must be left out.
    every = Assignment.objects.filter(campaign=campaign)
    assignments = (every.planned() if every.unplanned().exists() else every).done()
    ends = [
        Subquery(assignments.order_by(order).values("submitted_at")[:1]) for order in ("submitted_at", "-submitted_at")
    ]
    first, last = Campaign.objects.filter(pk=campaign.pk).values_list(*ends).get()
    if first is None:
        return None
    is_under_way = campaign.is_open and progress.done < progress.assignments
    until = max(timezone.now() if is_under_way else last, first + SECOND)
    starts = [first + (until - first) * place / STEPS_OF_COURSE for place in range(STEPS_OF_COURSE)]
    within = [assignments.filter(submitted_at__gte=start, submitted_at__lt=end) for start, end in pairwise(starts)]
    within.append(assignments.filter(submitted_at__gte=starts[-1]))
    counted = Campaign.objects.filter(pk=campaign.pk).values_list(*(number_of(part, "campaign") for part in within))
    first, last, until = map(timezone.localtime, (first, last, until))
    return Course(first, last, until, tuple(accumulate(counted.get())))


def distinct_outputs(campaign: Campaign) -> Counter[int]:
    """Count segments by the number of distinct outputs of the judged systems."""
    outputs = SystemOutput.objects.filter(system__in=System.objects.filter(campaign=campaign).judged()).order_by()
    distinct = outputs.values("segment").annotate(distinct=Count("candidate", distinct=True))
    return Counter(distinct.values_list("distinct", flat=True))


def usages(campaign: Campaign) -> dict[str, int] | None:
    """Count the usages, and those with a known right answer; None if the protocol has no usages."""
    if protocol_of(campaign).has_outputs:
        return None
    return Usage.objects.filter(campaign=campaign).aggregate(usages=Count("pk"), gold=Count("gold"))


def has_outputs(campaign: Campaign) -> bool:
    """Whether the campaign knows outputs of its systems, with or without texts."""
    return SystemOutput.objects.filter(system__campaign=campaign).exists()


def is_all_judged(campaign: Campaign) -> bool:
    """Whether screens were assigned and none is left to judge."""
    planned = Assignment.objects.filter(campaign=campaign).planned()
    return not campaign.later_screens and planned.exists() and not planned.waiting().exists()


def has_judgments(campaign: Campaign) -> bool:
    return Assignment.objects.filter(campaign=campaign).done().exists()


def reported_in(campaigns: Iterable[Campaign]) -> set[int]:
    """Those of these campaigns that have a finished report from after their last judgment."""
    made = Job.objects.filter(report__is_interim=False, state=Job.State.DONE, campaign__in=campaigns)
    judged = Assignment.objects.filter(campaign=OuterRef("campaign")).done().order_by("-submitted_at")
    newer = made.filter(started_at__gte=Subquery(judged.values("submitted_at")[:1]))
    return set(newer.values_list("campaign", flat=True))


@dataclass(frozen=True)
class Run:
    """A campaign that a user runs or observes, with its progress and pace."""

    campaign: Campaign
    assignments: int
    done: int
    last_hour: int
    last_day: int
    at_work: int
    last: datetime | None
    alarms: int
    is_observed: bool
    has_texts: bool
    recorded: int
    is_reported: bool
    has_namesake: bool

    @property
    def next_step(self) -> tuple[str, str]:
        """The page for what its organiser does next, and what that is; empty while there is nothing to do."""
        if self.is_observed or self.campaign.state == Campaign.State.ARCHIVED:
            return "", ""
        report = ("", "") if self.is_reported else ("report_list", gettext("Make a report"))
        if not self.assignments and self.recorded:
            return report
        if not self.has_texts:
            return "material", gettext("Upload texts")
        if not self.assignments:
            return "screens", gettext("Plan and assign screens")
        if not self.campaign.opened_at:
            return "organise", gettext("Open the campaign")
        return report if self.done == self.assignments else ("", "")

    @property
    def finish(self) -> datetime | None:
        """When the last assignment will be judged at the present pace."""
        left = self.assignments - self.done
        rate = per_day(self.campaign, left, self.last_hour, self.last_day)
        return finish_at(left, rate) if self.campaign.is_open else None


def pages_without_content(campaign: Campaign) -> set[str]:
    """The pages that have nothing to show yet, of a campaign that was not opened."""
    own = {"campaign": OuterRef("pk")}
    has_texts, has_screens, has_judges, has_invitations, has_judgments = (
        Campaign.objects.filter(pk=campaign.pk)
        .values_list(
            Exists(Segment.objects.filter(**own)),
            Exists(Batch.objects.filter(**own)),
            Exists(Membership.objects.filter(**own, role=Membership.Role.JUDGE)),
            Exists(Invitation.objects.filter(**own)),
            Exists(Assignment.objects.filter(**own).exclude(submitted_at=None)),
        )
        .get()
    )
    hidden = set() if has_texts else {"screens", "metrics", "exports"}
    hidden |= set() if has_screens or has_judges or has_invitations else {"judges"}
    return hidden | (set() if has_judgments else {"board", "disputes", "report_list"})


def runs_of(user: Visitor) -> list[Run]:
    """The campaigns that a user runs or observes, newest first; all campaigns for a site operator."""
    campaigns = list(campaigns_run_by(user, or_observed=True))
    organised = set(campaigns_run_by(user).values_list("pk", flat=True))
    if not campaigns:
        return []
    now, planned = timezone.now(), Assignment.objects.filter(campaign__in=campaigns).planned()
    people = Membership.objects.filter(campaign__in=campaigns, role=Membership.Role.JUDGE).order_by()
    judged = Counter(dict(with_judgments(people).values_list("campaign").annotate(Sum("done"))))
    recorded = _count_by(recorded_assignments(campaigns))
    done = judged - recorded
    waiting = _count_by(planned.waiting())
    last_hour, last_day = (_count_by(planned.filter(submitted_at__gt=now - time)) for time in (HOUR, DAY))
    submitted_now = Assignment.objects.filter(judge=OuterRef("pk"), submitted_at__gt=now - AT_WORK).planned()
    # Judges who came with a bundle have no account here, and work elsewhere.
    at_work = _count_by(people.filter(Exists(submitted_now), user__isnull=False, campaign__state=Campaign.State.OPEN))
    asked_about = people.filter(excluded_at=None, removed_at=None).exclude(campaign__state=Campaign.State.ARCHIVED)
    alarms = _count_by(Alarm.objects.filter(judge__in=asked_about, dismissed_at=None), "judge__campaign")
    judged_here = Assignment.objects.filter(campaign=OuterRef("pk")).judged_here()
    newest = judged_here.order_by("-submitted_at").values("submitted_at")
    texts = Exists(Segment.objects.filter(campaign=OuterRef("pk")))
    listed = campaigns_run_by(user, or_observed=True).values_list("pk", Subquery(newest[:1]), texts)
    names = Counter(campaign.name for campaign in campaigns)
    about, reported = {pk: (last, has_texts) for pk, last, has_texts in listed}, reported_in(campaigns)
    return [
        Run(
            campaign, done[pk] + waiting[pk], done[pk], last_hour[pk], last_day[pk], at_work[pk], about[pk][0],
            alarms[pk], is_observed=pk not in organised, has_texts=about[pk][1], recorded=recorded[pk],
            is_reported=pk in reported, has_namesake=names[campaign.name] > 1,
        )
        for campaign in campaigns
        for pk in [campaign.pk]
    ]  # fmt: skip


def _count_by(rows: QuerySet, campaign: str = "campaign") -> Counter[int]:
    """The number of rows of each campaign."""
    return Counter(dict(rows.order_by().values_list(campaign).annotate(Count("pk"))))


def entries(campaign: Campaign, page: str | None) -> Page:
    """A page of the journal, newest entries first."""
    return Paginator(JournalEntry.objects.filter(campaign=campaign), ENTRIES_A_PAGE).get_page(page)


def systems(campaign: Campaign) -> QuerySet[System]:
    """All systems, with the number of their outputs or classifications."""
    relation = "systemoutput" if protocol_of(campaign).has_outputs else "classification"
    return System.objects.filter(campaign=campaign).annotate(outputs=Count(relation)).order_by("kind", "name")
