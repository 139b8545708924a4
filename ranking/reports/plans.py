"""Plans of analysis: what was fixed before the results were seen, as a page to register, and beside a report."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from django.db import transaction

from judgments.assignment.planning import PLAN_SETTINGS
from judgments.models import Campaign, Segment, System
from judgments.models.journal import note
from judgments.models.members import Visitor
from judgments.protocols import protocol_of
from ranking.models import AnalysisPlan, Report
from ranking.reports.rows import counted_now
from ranking.stats.choices import PEOPLE, Choices


@transaction.atomic
def fix_plan(
    campaign: Campaign, user: Visitor, preset: str, parameters: Choices, wanted: int, stopping: str
) -> AnalysisPlan:
    plan = AnalysisPlan.objects.create(
        campaign=campaign, preset=preset, parameters=asdict(parameters), wanted=wanted, stopping=stopping,
        judgments=counted_now(campaign, PEOPLE), fixed_by_id=user.pk,
    )  # fmt: skip
    note(campaign, f"fixed plan of analysis {plan.pk}: {preset}, {wanted:,} judgments")
    return plan


def plan_in_force(campaign: Campaign) -> AnalysisPlan | None:
    return AnalysisPlan.objects.filter(campaign=campaign).first()


@dataclass(frozen=True)
class Kept:
    """A report beside the newest plan that was fixed before it."""

    plan: AnalysisPlan
    judgments: int
    changed: tuple[tuple[str, object, object], ...]
    earlier_plans: int

    @property
    def is_kept(self) -> bool:
        return not self.changed and self.judgments == self.plan.wanted


def beside(report: Report) -> Kept | None:
    """Compare a report with its plan; None without a plan."""
    plans = list(AnalysisPlan.objects.filter(campaign=report.campaign, fixed_at__lte=report.created_at))
    if not plans:
        return None
    plan = plans[0]
    changed = tuple(
        (name.replace("_", " "), _shown(planned), _shown(report.parameters.get(name)))
        for name, planned in plan.parameters.items()
        if planned != report.parameters.get(name)
    )
    return Kept(plan, report.judgments, changed, len(plans) - 1)


def written(plan: AnalysisPlan) -> str:
    """The plan as one page of Markdown."""
    campaign = plan.campaign
    systems = System.objects.filter(campaign=campaign).judged().count()
    segments = Segment.objects.filter(campaign=campaign).count()
    screens = {name: getattr(campaign, name) for name in PLAN_SETTINGS}
    return "\n".join(
        [
            f"# Plan of analysis: {campaign.name}",
            "",
            f"Fixed on {plan.fixed_at:%Y-%m-%d %H:%M} UTC, with {_counted(plan.judgments)}.",
            "",
            "## What is judged",
            f"- {systems} systems on {segments:,} segments, {protocol_of(campaign).label}",
            *_lines(screens),
            "",
            "## When judging ends",
            f"- after {plan.wanted:,} judgments",
            f"- {plan.stopping}",
            "",
            "## How it is analysed",
            f"- preset: {plan.preset}",
            *_lines(plan.parameters),
            "",
        ]
    )


def _counted(judgments: int) -> str:
    return f"{judgments:,} judgments made" if judgments else "no judgment made"


def _lines(values: Mapping[str, object]) -> list[str]:
    return [f"- {name.replace('_', ' ')}: {_shown(value)}" for name, value in values.items()]


def _shown(value: object) -> object:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else value
