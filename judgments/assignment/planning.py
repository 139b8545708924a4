"""Planning a deal, and carrying it out: settings, controls, screens, and the doors opened."""

from copy import copy
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Avg, Count

from judgments.assignment import assigning
from judgments.assignment import controls as assignment_controls
from judgments.assignment.rules.assigning import Settings
from judgments.assignment.rules.planning import SECONDS_AN_HOUR, Plan, plan_of
from judgments.campaigns import settings as campaign_settings
from judgments.campaigns import states
from judgments.models import Assignment, Campaign, Judgment, Membership, Screen, System, SystemOutput
from judgments.protocols import protocol_of
from judgments.rules.errors import Refused
from judgments.rules.progress import Progress, no_progress

PLAN_SETTINGS = (
    "design", "screen_size", "redundancy", "batch_size", "repeat_share", "control_share", "automatic_ties",
    "one_domain_a_day", "seed",
)  # fmt: skip
MOST_SCREENS = 1_000_000
FEWEST_JUDGMENTS = 20
# As many as are looked at.
NEWEST = 1000
# What takes a few seconds while somebody waits for a page: to plan, and to deal.
MOST_ASSIGNMENTS_PLANNED = 100_000
MOST_ASSIGNMENTS_AT_ONCE = 20_000
# What a worker deals without running out of memory.
MOST_ASSIGNMENTS = 2_000_000


class RoughPlan(NamedTuple):
    """About what a deal will give that is too large to be tried out while somebody waits."""

    screens: int
    assignments: int
    batches: int
    hours: float


class Pace(NamedTuple):
    """Seconds a screen takes, and of how many judgments of the campaign that is the mean; 0 if that is a guess."""

    seconds: float
    judgments: int


def idle_rule(campaign: Campaign, controls: int) -> str:
    """Why the rule about controls can exclude nobody, with so many dealt anew to each who does all; else nothing."""
    there = Screen.objects.filter(campaign=campaign, has_control=True).count()
    if campaign.control_pass_share is None or controls + there >= campaign.least_controls:
        return ""
    return (
        f"Nobody will be excluded by controls: a judge sees {controls + there} at most, and the rule begins at "
        f"{campaign.least_controls}. Lower that in Settings, or have more controls assigned."
    )


def pace(campaign: Campaign) -> Pace:
    """The campaign's own pace, as soon as there is one."""
    of_judges = Assignment.objects.filter(campaign=campaign, judge__role=Membership.Role.JUDGE).done()
    newest = of_judges.order_by("-submitted_at").values("pk")[:NEWEST]
    timed = Judgment.objects.current().filter(assignment__in=newest, skipped=False, active_seconds__gt=0)
    found = timed.aggregate(mean=Avg("active_seconds"), judgments=Count("pk"))
    if found["judgments"] < FEWEST_JUDGMENTS:
        return Pace(protocol_of(campaign).seconds, 0)
    return Pace(found["mean"], found["judgments"])


def plan(campaign: Campaign, settings: dict[str, Any], screens: int | None = None) -> Plan:
    """What these settings would deal now; nothing is stored."""
    campaign = _as_set(campaign, settings)
    chosen_by = assigning.settings_of(campaign, screens)
    _check_size(assigning.expected_assignments(campaign, chosen_by))
    drawn = assigning.draw(campaign, chosen_by)
    if not drawn.batches:
        raise Refused(assigning.nothing_to_assign(campaign))
    behind = _behind(campaign) if protocol_of(campaign).has_candidates else {}
    return plan_of(drawn.batches, len(drawn.automatic), behind, pace(campaign).seconds)


def rough_plan(campaign: Campaign, settings: dict[str, Any], screens: int | None = None) -> RoughPlan | None:
    """About what these settings would deal, if that is too much to be tried out."""
    chosen_by, assignments = _expected(campaign, settings, screens)
    if assignments <= MOST_ASSIGNMENTS_PLANNED:
        return None
    a_round = assignments // chosen_by.redundancy
    shown = a_round * chosen_by.fresh_per_batch() // chosen_by.batch_size
    hours = assignments * pace(campaign).seconds / SECONDS_AN_HOUR
    return RoughPlan(shown, assignments, -(-a_round // chosen_by.batch_size), hours)


def takes_long(campaign: Campaign, settings: dict[str, Any], screens: int | None = None) -> bool:
    """Whether a deal by these settings is for a worker."""
    return _expected(campaign, settings, screens)[1] > MOST_ASSIGNMENTS_AT_ONCE


def _expected(campaign: Campaign, settings: dict[str, Any], screens: int | None) -> tuple[Settings, int]:
    """The settings of the plan and about how many assignments it makes; refused where even a worker could not do it."""
    campaign = _as_set(campaign, settings)
    chosen_by = assigning.settings_of(campaign, screens)
    assignments = assigning.expected_assignments(campaign, chosen_by)
    if assignments > MOST_ASSIGNMENTS:
        raise Refused(
            f"{assignments:,} assignments are more than the {MOST_ASSIGNMENTS:,} that can be made at once. Assign "
            "fewer screens, or fewer judges to each; you can assign more later."
        )
    return chosen_by, assignments


def _as_set(campaign: Campaign, settings: dict[str, Any]) -> Campaign:
    """The campaign as it would be by these settings; it is not stored."""
    campaign = copy(campaign)
    for name, value in settings.items():
        setattr(campaign, name, value)
    campaign_settings.check(campaign)
    return campaign


@transaction.atomic
def launch(
    campaign: Campaign,
    settings: dict[str, Any],
    screens: int | None = None,
    with_controls: bool = False,
    opens: bool = True,
    progress: Progress = no_progress,
) -> assigning.Assigned:
    """Store the settings, make controls if wished, deal, and let judges in."""
    campaign_settings.configure(campaign, **settings)
    if with_controls:
        assignment_controls.make_controls(campaign)
    assigned = assigning.assign(campaign, screens, progress)
    if opens:
        states.open_campaign(campaign)
    return assigned


def launch_at_once(
    campaign: Campaign, settings: dict[str, Any], screens: int | None, with_controls: bool
) -> assigning.Assigned:
    """The same while somebody waits, so not for very many assignments; the doors stay as they are."""
    plan(campaign, settings, screens)
    return launch(campaign, settings, screens, with_controls, opens=False)


def _check_size(assignments: int) -> None:
    """Refuse what would take minutes, and memory, while somebody waits."""
    if assignments > MOST_ASSIGNMENTS_PLANNED:
        raise Refused(
            f"{assignments:,} assignments are too many to be tried out while you wait. Look at the plan again."
        )


def _behind(campaign: Campaign) -> dict[int, list[str]]:
    """The names of the judged systems behind each candidate."""
    outputs = SystemOutput.objects.filter(system__in=System.objects.filter(campaign=campaign).judged())
    behind: dict[int, list[str]] = {}
    for candidate, name in outputs.order_by("system__name").values_list("candidate", "system__name").iterator(10_000):
        behind.setdefault(candidate, []).append(name)
    return behind
