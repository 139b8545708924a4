"""Plans of analysis: what was fixed before the results were seen, as a page to register, and beside a report."""

from collections.abc import Mapping
from dataclasses import asdict
from datetime import date
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from judgments.charts.numbers import quantity, text_list
from judgments.models import Assignment, Campaign, Membership, Segment, System
from judgments.models.assignments import judgments_by, recorded_assignments
from judgments.models.campaign import PLAN_SETTINGS
from judgments.models.journal import note
from judgments.models.members import Visitor
from judgments.protocols import protocol_of
from judgments.rules.errors import Refused
from ranking.models import AnalysisPlan, Report, ReportTable
from ranking.numbers.tables import Table
from ranking.reports.kinds.kind import kind_for
from ranking.reports.rows import counted_now
from ranking.sequential.stopping import changed_settings, reaches_goal, rules_in_words
from ranking.stats.choices import Choices
from ranking.stats.comparisons.study import ANY_TIME, MODERATED, Parameters
from ranking.stats.rankings.stopping import Goal

FIXED = "The plan is fixed. Reports made from now on say whether it was kept."


@transaction.atomic
def fix_plan(
    campaign: Campaign,
    user: Visitor,
    preset: str,
    parameters: Choices,
    wanted: int,
    stopping: str = "",
    until: date | None = None,
    goal: str = Goal.NONE,
) -> AnalysisPlan:
    """Fix a plan; a goal is looked for while judging goes on, so its report has intervals that hold at any time."""
    if goal:
        if not isinstance(parameters, Parameters):
            raise Refused("Reports of this kind test no pairs while judging goes on; choose no goal.")
        if parameters.intervals != MODERATED:
            raise Refused(
                f"A goal needs intervals that hold at any time, and {preset} has others; choose another preset."
            )
        parameters = parameters.with_changes(looks=ANY_TIME)
    if until and until < timezone.localdate():
        raise Refused(f"The last day, {until:%-d %B %Y}, has passed; choose a later one.")
    if wanted < (counted := counted_now(campaign)):
        raise Refused(f"Reports count {quantity(counted, 'judgment')} already; plan for so many at least.")
    plan = AnalysisPlan.objects.create(
        campaign=campaign, preset=preset, parameters=asdict(parameters), wanted=wanted, stopping=stopping,
        until=until, goal=goal, judgments=all_judgments(campaign), fixed_by_id=user.pk,
    )  # fmt: skip
    note(campaign, f"fixed a plan of analysis: {preset}, {wanted:,} judgments")
    return plan


def all_judgments(campaign: Campaign) -> int:
    """All that anybody may have looked at, those of excluded judges and of programs too."""
    return judgments_by(Membership.objects.filter(campaign=campaign))


def known_at(campaign: Campaign, plan: AnalysisPlan | None = None) -> str:
    """What was known when a plan of this campaign was fixed, or is now: 20 judgments and 1 report. Empty before these.

    Only reports of which a result could be seen count.
    """
    judgments, moment = (plan.judgments, plan.fixed_at) if plan else (all_judgments(campaign), timezone.now())
    shown = Exists(ReportTable.objects.filter(report=OuterRef("pk")))
    reports = Report.objects.of(campaign).filter(shown, created_at__lte=moment).count()
    return text_list([quantity(many, what) for many, what in ((judgments, "judgment"), (reports, "report")) if many])


def kept_plan_of(report: Report, tables: Mapping[str, Table]) -> dict[str, Any] | None:
    """Compare a report and its tables with the newest plan that was fixed before it; None without one for its kind.

    `ended` is the rule of the plan by which judging had ended; empty if by none.
    """
    plans = list(AnalysisPlan.objects.filter(campaign=report.campaign, fixed_at__lte=report.created_at))
    if not plans or report.study != kind_for(report.campaign.protocol).name:
        return None
    plan = plans[0]
    changed = [(name, _in_words(planned), _in_words(used)) for name, planned, used in changed_settings(plan, report)]
    ended = ""
    if report.judgments == plan.wanted:
        ended = "all planned judgments were made"
    elif report.judgments < plan.wanted and reaches_goal(plan, tables):
        ended = "the goal was reached"
    elif report.judgments < plan.wanted and plan.until and timezone.localdate(report.created_at) > plan.until:
        ended = "the last day had passed"
    return {
        "plan": plan,
        "judgments": report.judgments,
        "changed": changed,
        "earlier_plans": len(plans) - 1,
        "known": known_at(report.campaign, plan),
        "ended": ended,
        "is_kept": not changed and bool(ended),
    }


def markdown_of(plan: AnalysisPlan) -> str:
    """The plan as one page of Markdown."""
    campaign = plan.campaign
    systems = System.objects.filter(campaign=campaign).judged().count()
    segments = Segment.objects.filter(campaign=campaign).count()
    known = known_at(campaign, plan)
    before = f"after {known}. This is not a preregistration" if known else "before the first judgment"
    chosen = kind_for(campaign.protocol).parameters.of(plan.parameters)
    # The settings of screens that the protocol has; none if judgments come from elsewhere.
    is_planned = Assignment.objects.filter(campaign=campaign).planned().exists()
    if not is_planned and recorded_assignments([campaign]).exists():
        screens: dict[str, object] = {"judgments": "imported"}
    else:
        protocol = protocol_of(campaign)
        columns = [one for one in Campaign._meta.concrete_fields if one.name in PLAN_SETTINGS]
        screens = {str(one.verbose_name): getattr(campaign, one.name) for one in columns if protocol.uses(one.name)}
    lines = [
        f"# Plan of analysis: {campaign.name}",
        "",
        f"Fixed on {plan.fixed_at:%Y-%m-%d %H:%M} UTC, {before}.",
        "",
        "## What is judged",
        f"- {systems} systems on {quantity(segments, protocol_of(campaign).unit)}, {protocol_of(campaign).label}",
        *(f"- {name.lower()}: {_in_words(value)}" for name, value in screens.items()),
        "",
        "## When judging ends",
        *(f"- {rule}" for rule in rules_in_words(plan)),
        "",
        "## How it is analysed",
        f"- preset: {plan.preset}",
        *(f"- {name.replace('_', ' ')}: {_in_words(value)}" for name, value in chosen.for_plan().items()),
        "",
    ]
    return "\n".join(lines)


def _in_words(value: object) -> object:
    if isinstance(value, bool) or value == "":
        return "yes" if value else "no"
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else value
