"""Excluding judges and including them again, manually or by the rule; an excluded judge's answers stay stored."""

from typing import NamedTuple

from django.db import transaction
from django.db.models import Count, Q
from django.utils import timezone

from judgments.jobs.attempts import Attempt
from judgments.jobs.control import create_single
from judgments.jobs.tasks import enqueue
from judgments.judges.reassignment import reassign, schedule_reassignment, take_back
from judgments.judges.rules.statistics import ExclusionRule
from judgments.judges.statistics import controls, count_anew
from judgments.models import Campaign, ExclusionJob, JudgeStatistics, Membership
from judgments.models.assignments import judges_in, judgments_by, with_answers
from judgments.models.journal import THE_PLATFORM, acting, note
from judgments.models.members import Visitor
from judgments.protocols import protocol_of
from judgments.rules.errors import Refused
from judgments.rules.progress import Progress, no_progress

LONGEST_REASON = 200
# These take a few seconds, short enough for a request.
MOST_JUDGMENTS_AT_ONCE = 200_000
EXAMINING = "examining judges"
UNFINISHED = "The rule is already being applied. Wait until that job has finished, or cancel it."


class Applied(NamedTuple):
    """How many judges the rule excluded and included again."""

    excluded: int
    included: int


@transaction.atomic
def exclude(judge: Membership, reason: str, judged_again: bool | None = None) -> None:
    """Stop counting a judge's answers; earlier reports are marked as outdated.

    Others judge the judge's screens again if `judged_again` says so, by default if they would after the rule.
    """
    reason = _clean_reason(reason)
    judged_again = reassigns_screens(judge.campaign) if judged_again is None else judged_again
    if not _exclude(judge, reason, by_rule=False, judged_again=judged_again):
        raise Refused(f"{judge.pseudonym} is already excluded. Include this judge first to give another reason.")
    again = "; others judge these screens again" if judged_again else ""
    note(judge.campaign, f"excluded {judge.pseudonym}: {reason}{again}")


@transaction.atomic
def include(judge: Membership, reason: str, follows_rule: bool = False) -> None:
    """Count an excluded judge's answers again, whatever the rule says, unless it shall decide about the judge again."""
    reason = _clean_reason(reason)
    if not _include(judge, kept=not follows_rule):
        raise Refused(f"{judge.pseudonym} is not excluded; nothing was changed.")
    note(judge.campaign, f"included {judge.pseudonym} again: {reason}")


def apply_rule(campaign: Campaign, progress: Progress = no_progress) -> Applied:
    """Recompute the statistics of every judge, and exclude and include judges by the rule."""
    judges = list(with_answers(judges_in(campaign)).values_list("pk", flat=True))
    changes = []
    for number, pk in enumerate(judges, 1):
        with transaction.atomic():  # of its own, so that judges at work never wait long
            judge = Membership.objects.select_for_update(of=("self",)).select_related("campaign").get(pk=pk)
            changes.append(decide(judge, count_anew(judge)))
        progress(number, len(judges))
    applied = Applied(changes.count(True), changes.count(False))
    note(campaign, f"applied the exclusion rule: {applied.excluded} excluded, {applied.included} included again")
    return applied


def decide(judge: Membership, done: JudgeStatistics) -> bool | None:
    """Exclude the judge by the rule (True), include one who meets the rule again (False), or do nothing (None).

    Manual decisions stand.
    """
    if judge.kept_at or (judge.excluded_at and not judge.excluded_by_rule):
        return None
    figures = {name: getattr(done, name) for name in ("controls", "controls_passed", "timed", "median_seconds")}
    broken = _rule(judge.campaign).broken_by(**figures)
    if broken and _exclude_by_rule(judge, broken):
        return True
    with acting(lambda: THE_PLATFORM):
        if broken:
            Membership.objects.filter(pk=judge.pk).update(exclusion_reason=broken)
        elif _include(judge, kept=False):
            note(judge.campaign, f"included {judge.pseudonym} again: the rule is met now")
            return False
    return None


def reassigns_screens(campaign: Campaign) -> bool:
    """Whether others judge the screens of judges whom the rule excludes again."""
    return campaign.judge_again or protocol_of(campaign).stops_failing_judges


def rule_of(campaign: Campaign) -> str:
    return _rule(campaign).sentence()


def describe_rule(campaign: Campaign) -> dict[str, object]:
    """The exclusion rule and the numbers of excluded judges, for a report."""
    is_excluded, by_rule = Q(excluded_at__isnull=False), Q(excluded_by_rule=True)
    counted = judges_in(campaign).aggregate(
        excluded=Count("pk", filter=is_excluded),
        by_rule=Count("pk", filter=is_excluded & by_rule),
        by_hand=Count("pk", filter=is_excluded & ~by_rule),
        included_by_hand=Count("pk", filter=Q(kept_at__isnull=False)),
    )
    rule = rule_of(campaign)
    seen = JudgeStatistics.objects.filter(judge__campaign=campaign, controls__gt=0)
    if campaign.control_pass_share is not None and not seen.exists():
        rule += " No control was judged."
    return {"rule": rule, **counted}


def _rule(campaign: Campaign) -> ExclusionRule:
    compares = protocol_of(campaign).has_candidates
    return ExclusionRule(campaign.control_pass_share, campaign.least_controls, campaign.least_seconds, compares)


def decide_by_controls(judge: Membership) -> bool:
    """Exclude a judge who has failed too many controls so far; manual decisions stand."""
    is_decided = judge.kept_at or judge.excluded_at or judge.role != Membership.Role.JUDGE
    if is_decided or judge.campaign.control_pass_share is None:
        return False
    seen = controls(judge)
    broken = _rule(judge.campaign).control_fault(seen.seen, seen.passed)
    return broken is not None and _exclude_by_rule(judge, broken)


def _exclude_by_rule(judge: Membership, broken: str) -> bool:
    with acting(lambda: THE_PLATFORM):
        is_excluded = _exclude(judge, broken, by_rule=True, judged_again=reassigns_screens(judge.campaign))
        if is_excluded:
            note(judge.campaign, f"excluded {judge.pseudonym}: {broken}")
    return is_excluded


def _exclude(judge: Membership, reason: str, *, by_rule: bool, judged_again: bool) -> bool:
    counting = Membership.objects.filter(pk=judge.pk, role=Membership.Role.JUDGE, excluded_at=None)
    changes = {"excluded_at": timezone.now(), "exclusion_reason": reason, "excluded_by_rule": by_rule, "kept_at": None}
    if not counting.update(**changes, judged_again=judged_again):
        return False
    if judged_again and by_rule:
        judge.release_screens()
        schedule_reassignment()
    elif judged_again:
        reassign(judge)
    return True


def _include(judge: Membership, *, kept: bool) -> bool:
    excluded = Membership.objects.filter(pk=judge.pk).exclude(excluded_at=None)
    kept_at = timezone.now() if kept else None
    changes = {"excluded_at": None, "exclusion_reason": "", "excluded_by_rule": False, "judged_again": False}
    if not excluded.update(**changes, kept_at=kept_at):
        return False
    take_back(judge)
    return True


def _clean_reason(reason: str) -> str:
    reason = " ".join(reason.split())
    if not reason:
        raise Refused("Give a short reason; nothing was changed.")
    if len(reason) > LONGEST_REASON:
        raise Refused(f"The reason is longer than {LONGEST_REASON} characters; shorten it. Nothing was changed.")
    return reason


@transaction.atomic
def request(campaign: Campaign, user: Visitor) -> ExclusionJob:
    return enqueue(create_single(ExclusionJob, UNFINISHED, campaign=campaign, requested_by_id=user.pk))


def apply_or_request(campaign: Campaign, user: Visitor | None) -> Applied | ExclusionJob:
    """Apply the rule at once, or, within a request about very many judgments, create a job."""
    if user and judgments_by(judges_in(campaign)) > MOST_JUDGMENTS_AT_ONCE:
        return request(campaign, user)
    return apply_rule(campaign)


def apply_rule_in_job(job: ExclusionJob, attempt: Attempt) -> None:
    """Apply the rule in a worker. Each judge has a separate transaction, so decisions survive a cancelled job."""
    attempt.step(EXAMINING, 0.0)
    applied = apply_rule(job.campaign, attempt.progress(0.0, 1.0))
    attempt.finish(outcome=applied._asdict())
