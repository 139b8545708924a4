"""Alarms about judges while judging goes on: raised by a worker, shown to organisers, dismissed by them.

A judge is looked at every few screens. Most rules need the answers of others, whom the first judges do not have yet, so
all judges are looked at again when anybody finishes a batch, when the campaign closes, and before a report.
"""

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime

from celery import shared_task
from django.core.cache import cache
from django.db import transaction
from django.db.models import Max
from django.db.models.functions import Coalesce
from django.utils import timezone

from judgments.jobs.queues import send
from judgments.judges.rules.alarms import IDLE_FOR, SENTENCES, AlarmKind, Answered, Judge, alarms
from judgments.models import Alarm, Assignment, Campaign, Judgment, Membership, Screen, Slot
from judgments.models.assignments import AssignmentQuerySet, judges_in, judgments_by, with_answers
from judgments.models.jobs import SHORT
from judgments.models.screens import shown_positions
from judgments.protocols import protocol_of
from judgments.protocols.rows import by_judgment

# A judge is looked at after so many places of a batch.
EVERY = 10
# All are looked at again after a second for so many judgments at the earliest, which take a small part of it.
JUDGMENTS_A_SECOND = 100
# As many screens are read at once, and as many judges as answered them.
SCREENS_AT_ONCE = 5000
# The rules begin anew with each run of so many screens, for which `python -m studies alarms` simulates a day.
A_DAY = 300
# The newest answers of a campaign that stand for the other judges, with all answers on the same screens.
NEWEST = 3000
# A message that no worker fetches in time is dropped; the judge's next screens send another.
EXPIRES = 600
# The screens that a look at each judge is about: their numbers, assignments and keys.
RecentScreens = dict[int, list[tuple[int, int, int]]]


def schedule_check(judge: int) -> None:
    transaction.on_commit(lambda: send(check_judge.s(judge).set(queue=SHORT, expires=EXPIRES)))


@shared_task(name="judgments.check_judge")
def check_judge(pk: int) -> None:
    if judge := Membership.objects.filter(pk=pk, excluded_at=None).select_related("campaign").first():
        check(judge.campaign, [judge])


def schedule_check_of_all(campaign: Campaign) -> None:
    transaction.on_commit(lambda: send(check_judges.s(campaign.pk).set(queue=SHORT, expires=EXPIRES)))


@shared_task(name="judgments.check_judges")
def check_judges(pk: int, again: bool = False) -> None:
    if campaign := Campaign.objects.filter(pk=pk).first():
        check_all(campaign, again=again)


def check_all(campaign: Campaign, *, again: bool = False) -> None:
    """Check all judges who count; `again` even if that was done a moment ago."""
    judges = with_answers(judges_in(campaign).filter(excluded_at=None)).order_by("pk")
    pause = int(judgments_by(judges) / JUDGMENTS_A_SECOND)
    if cache.add(f"checked-all-{campaign.pk}", True, pause) or again:
        check(campaign, judges)


def check(campaign: Campaign, judges: Iterable[Membership]) -> None:
    """Raise an alarm of each kind that the newest screens of these judges give reason for and that is not open.

    The screens up to those of a dismissed alarm count no more.
    """
    dismissed = Alarm.objects.filter(judge__campaign=campaign).exclude(dismissed_at=None).order_by()
    settled = dict(dismissed.values_list("judge").annotate(Max("last")))
    recent: RecentScreens = {}
    for judge in judges:
        start = max((screens_of(judge).count() - 1) // A_DAY * A_DAY, settled.get(judge.pk, 0))
        newest = screens_of(judge).values_list("pk", "screen")[start:]
        recent[judge.pk] = [(number, *keys) for number, keys in enumerate(newest, start + 1)]
        if sum(map(len, recent.values())) >= SCREENS_AT_ONCE:
            _raise(campaign, recent)
            recent = {}
    _raise(campaign, recent)


def _raise(campaign: Campaign, recent: RecentScreens) -> None:
    if not recent:
        return
    judges, numbers = _read(campaign, recent)
    since = {one.name: len(one.screens) - len(numbers[int(one.name)]) for one in judges if int(one.name) in recent}
    Alarm.objects.bulk_create(
        (
            Alarm(judge_id=judge, kind=one.kind.value, figures=one.evidence, first=first, last=last)
            for one in alarms(judges, timezone.now(), since)
            for judge in [int(one.judge)]
            for first, last in [(numbers[judge][one.first - 1], numbers[judge][one.last - 1])]
        ),
        ignore_conflicts=True,
    )


def screens_of(judge: Membership) -> AssignmentQuerySet:
    """The judge's answered screens, in the order in which alarms count them."""
    return Assignment.objects.held_by(judge).planned().done().order_by("submitted_at", "pk")


def open_alarms(campaign: Campaign) -> list[Alarm]:
    """Those that wait for an organiser; alarms about idleness are not stored, because it ends by itself."""
    return [*Alarm.objects.open_in(campaign), *_idle(campaign)]


def sentence_of(alarm: Alarm) -> str:
    return SENTENCES[AlarmKind(alarm.kind)].format(judge=alarm.judge.pseudonym, **alarm.figures)


def _idle(campaign: Campaign) -> list[Alarm]:
    """Each sign of activity extends the lease, so the lease tells when a judge was last active."""
    if not campaign.is_open:
        return []
    now = timezone.now()
    judges = judges_in(campaign).filter(excluded_at=None, removed_at=None)
    held = Assignment.objects.filter(judge__in=judges, leased_until__lte=now - IDLE_FOR + campaign.lease)
    leases: dict[Membership, list[datetime]] = defaultdict(list)
    for assignment in held.planned().waiting().select_related("judge").order_by("judge__pseudonym"):
        if assignment.judge and assignment.leased_until:
            leases[assignment.judge].append(assignment.leased_until)
    by_name = {str(judge.pk): judge for judge in leases}
    idle = [Judge(str(one.pk), (), max(until) - campaign.lease, len(until)) for one, until in leases.items()]
    return [Alarm(judge=by_name[one.judge], kind=one.kind.value, figures=one.evidence) for one in alarms(idle, now)]


def _read(campaign: Campaign, recent: RecentScreens) -> tuple[list[Judge], dict[int, list[int]]]:
    """The screens of these judges and of others, as the rules read them, the recent ones of each judge last; and the
    numbers of the recent ones that were answered, by judge.

    The others are those who answered the same screens, or the campaign's newest.
    """
    newest = Assignment.objects.filter(campaign=campaign).planned().done().order_by("-submitted_at")
    shown = {*newest.values_list("screen", flat=True)[: NEWEST // campaign.redundancy]}
    shown |= {screen for screens in recent.values() for _, _, screen in screens}
    judgments = Judgment.objects.current().filter(
        screen__in=shown, skipped=False, assignment__batch__isnull=False, assignment__judge__excluded_at=None
    )
    rows = judgments.order_by("assignment__submitted_at", "assignment").values_list(
        "pk",
        "assignment",
        "assignment__judge",
        "screen",
        "assignment__order",
        Coalesce("active_seconds", "wall_seconds"),
    )
    protocol = protocol_of(campaign)
    given = by_judgment(protocol.merits(judgments))
    passed = protocol.passed_controls(judgments.filter(screen__has_control=True))
    slots, words = _texts(shown)
    places = {assignment: number for screens in recent.values() for number, assignment, _ in screens}
    answered: dict[int, list[Answered]] = defaultdict(list)
    numbers: dict[int, list[int]] = defaultdict(list)
    for pk, assignment, by, screen, order, seconds in rows:
        if pk not in given:
            continue
        candidates = [slots[screen, position] for position in shown_positions(order)] or list(given[pk])
        merits = tuple(given[pk][candidate] for candidate in candidates)
        answered[by].append(Answered(tuple(candidates), merits, words[screen], seconds, passed.get(pk)))
        if assignment in places:
            numbers[by].append(places[assignment])
    return [Judge(str(by), tuple(screens)) for by, screens in answered.items()], numbers


def _texts(screens: set[int]) -> tuple[dict[tuple[int, int], int], dict[int, int]]:
    """The candidate at each position of these screens, and the words to be read on each screen."""
    texts = Screen.objects.filter(pk__in=screens).values_list("pk", "segment__text")
    words = {screen: len((text or "").split()) for screen, text in texts}
    slots = {}
    shown = Slot.objects.filter(screen__in=screens).order_by()
    for screen, position, candidate, text in shown.values_list("screen", "position", "candidate", "candidate__text"):
        slots[screen, position] = candidate
        words[screen] += len((text or "").split())
    return slots, words
