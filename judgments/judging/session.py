"""What judges see of their own work while they judge: what is left, time and pace of today, and what they earned."""

from dataclasses import dataclass
from typing import NamedTuple

from django.core.cache import cache
from django.db.models import Count, Max, Q, QuerySet, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone

from judgments.models import Assignment, Campaign, Completion, Judgment, Membership, Screen
from judgments.rules.authored.pay import Unit, read_pay

SECONDS_A_MINUTE = 60
# Counting the screens of a large campaign takes longer than a judge should wait for each page.
COUNTED_FOR = 60


class Work(NamedTuple):
    screens: int
    seconds: float


@dataclass(frozen=True)
class Session:
    """The screens a judge has judged, the most that can follow, the work of today, and what was earned if it is paid.

    A page may be fetched before the answers to the screens before it are sent; those count as judged, because the judge
    sees the page after them.
    """

    judged: int
    left: int
    today: Work
    earned: str

    @property
    def minutes_today(self) -> int:
        return round(self.today.seconds / SECONDS_A_MINUTE)

    @property
    def pace(self) -> int:
        """Seconds a screen today; 0 before the first."""
        return round(self.today.seconds / self.today.screens) if self.today.screens else 0


def session_of(judge: Membership, shown: Assignment) -> Session:
    campaign, mine = shown.campaign, Assignment.objects.held_by(judge)
    before = Q(submitted_at=None, batch__isnull=False, claimed_at__lt=shown.claimed_at or timezone.now())
    judged = mine.filter(before | Q(submitted_at__isnull=False)).count()
    midnight = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)
    answers = Judgment.objects.current().filter(assignment__judge=judge)
    today = _work(answers.filter(assignment__submitted_at__gte=midnight))
    return Session(judged, _left(judge, campaign, judged), today, _earned(campaign, judge, answers, judged))


def _work(answers: QuerySet[Judgment]) -> Work:
    seconds = Coalesce(Sum(Coalesce("active_seconds", "wall_seconds")), 0.0)
    return Work(**answers.order_by().aggregate(screens=Count("pk"), seconds=seconds))


def _left(judge: Membership, campaign: Campaign, judged: int) -> int:
    """The most screens that the judge can still get: each once, as long as they are free and their quota allows."""
    key = f"left-in-{campaign.slug}"
    waiting, once, longest = cache.get(key) or _counted(campaign)
    cache.add(key, (waiting, once, longest), COUNTED_FOR)
    most = campaign.batches_per_judge if judge.quota is None else judge.quota
    in_quota = [most * longest - judged] if most is not None else []
    return max(0, min(waiting, once - judged, *in_quota))


def _counted(campaign: Campaign) -> tuple[int, int, int]:
    """The assignments that wait, those that one judge can get, with repeats, and those of the longest batch."""
    planned = Assignment.objects.filter(campaign=campaign).planned()
    screens = Screen.objects.filter(campaign=campaign, automatic=False).count()
    repeats = planned.exclude(repeats=None).order_by().values("batch", "position").distinct().count()
    longest = campaign.batch_size
    if campaign.document_mode:  # a batch holds whole documents
        longest = (planned.aggregate(last=Max("position"))["last"] or 0) + 1
    return planned.waiting().count(), screens + repeats, longest


def _earned(campaign: Campaign, judge: Membership, answers: QuerySet[Judgment], judged: int) -> str:
    pay = read_pay(campaign.pay)
    if pay is None:
        return ""
    batches, seconds = 0, 0.0
    if pay.unit == Unit.BATCH:
        batches = Completion.objects.filter(judge=judge, earns_code=True).exclude(passed=False).count()
    if pay.unit == Unit.HOUR:
        seconds = _work(answers).seconds
    return pay.earned(judged, batches, seconds)
