"""The steps of a campaign, from texts to a report: what each gives, how it stands, and which comes next."""

from dataclasses import dataclass
from enum import StrEnum

from django.db.models import Exists, OuterRef

from judgments.campaigns import settings
from judgments.campaigns.overview import CampaignProgress, reported_in
from judgments.campaigns.overview import progress as progress_of
from judgments.charts.numbers import quantity, text_list
from judgments.models import Alarm, Campaign, Invitation, Membership, Screen, SharedLink, Slot, System
from judgments.models.assignments import judges_in
from judgments.protocols import protocol_of
from judgments.protocols.guidance import LANGUAGES
from judgments.rules.authored.pay import SECONDS_AN_HOUR

GUIDANCE = ("instructions", "consent", "tutorial")
OF_RULE = ("control_pass_share", "least_controls", "least_seconds")


class StepState(StrEnum):
    DONE = "done"
    TO_DO = "to do"
    OPTIONAL = "optional"
    READY_MADE = "ready-made"
    ATTENTION = "needs attention"


@dataclass(frozen=True)
class Step:
    """A step and what it gives, the page for it, its state, and what is there or what is missing."""

    title: str
    gives: str
    page: str
    state: StepState
    note: str = ""


TRIAL = Step(
    "Try the judging page", "The first batch as judges see it; nothing is stored.", "preview", StepState.OPTIONAL
)
TEAMS = Step(
    "Invite teams", "Each hands in its outputs by a link, until a deadline.", "submissions", StepState.OPTIONAL
)


def steps_of(campaign: Campaign, progress: CampaignProgress) -> list[Step]:
    """All steps; imported judgments need no screens, judges or opening."""
    made = _done_or_to_do(reported_in([campaign]))
    report = Step("Make a report", "Who is better, and how sure that is.", "report_list", made)
    if progress.recorded and not progress.assignments:
        return [_material(campaign, progress), report]
    protocol = protocol_of(campaign)
    teams = [TEAMS] if protocol.has_lines else []
    hours = progress.assignments * protocol.seconds / SECONDS_AN_HOUR
    cost = f"About {hours:,.1f} hours of judging." if hours and not campaign.opened_at else ""
    opening = Step("Open the campaign", "Judges may begin.", "organise", _done_or_to_do(campaign.opened_at), cost)
    return [
        _material(campaign, progress), *teams, _guidance(campaign), _rule(campaign, progress),
        _screens(campaign, progress), _judges(campaign), TRIAL, opening, _judging(campaign, progress), report,
    ]  # fmt: skip


def next_of(campaign: Campaign, steps: list[Step]) -> Step | None:
    """The first step to do, if there is one; alarms about judges come before a report. An archive asks for nothing."""
    if campaign.state == Campaign.State.ARCHIVED:
        return None
    has_alarms = (StepState.ATTENTION, "board")
    to_do = (step for step in steps if step.state is StepState.TO_DO or (step.state, step.page) == has_alarms)
    return next(to_do, None)


def next_to_prepare(campaign: Campaign) -> Step | None:
    """The next step of a campaign that was not opened yet, for pages that end a step."""
    return None if campaign.opened_at else next_of(campaign, steps_of(campaign, progress_of(campaign)))


def missing_of(steps: list[Step]) -> list[Step]:
    """What an organiser should look at before the campaign opens."""
    return [step for step in steps if step.state is StepState.ATTENTION]


def _done_or_to_do(is_done: object) -> StepState:
    return StepState.DONE if is_done else StepState.TO_DO


def _material(campaign: Campaign, progress: CampaignProgress) -> Step:
    protocol = protocol_of(campaign)
    what, gives = ("texts", "outputs") if protocol.has_outputs else ("usages", "classifications")
    about = f"The {protocol.unit}s, and the {gives} of each system."
    note = quantity(progress.segments, protocol.unit) if progress.segments else ""
    has_nothing_to_compare = (
        protocol.has_outputs
        and protocol.has_candidates
        and not (progress.assignments or progress.recorded)
        and not System.objects.filter(campaign=campaign).judged().exists()
    )
    if note and has_nothing_to_compare:
        note += f"; systems have no {gives} yet"
    state = _done_or_to_do((progress.segments or progress.recorded) and not has_nothing_to_compare)
    return Step(f"Upload {what}", about, "material", state, note)


def _guidance(campaign: Campaign) -> Step:
    missing = [name for name in GUIDANCE if not getattr(campaign, name)]
    if missing:
        state = StepState.ATTENTION if "instructions" in missing else StepState.OPTIONAL
    else:
        # Texts that are still the ready-made ones need not have been looked at.
        chosen = {"protocol": campaign.protocol, "language": campaign.language, "preset": campaign.preset}
        ready = [settings.with_guidance(chosen, language) for language in LANGUAGES]
        is_ready_made = any(all(text.get(name) == getattr(campaign, name) for name in GUIDANCE) for text in ready)
        state = StepState.READY_MADE if is_ready_made else StepState.DONE
    note = f"Missing: {', '.join(missing)}." if missing else ""
    gives = "Instructions, a consent text and three examples, ready-made; you can change each."
    return Step("Look at what judges read", gives, "settings", state, note)


def idle_rule(campaign: Campaign, planned: int = 0) -> str:
    """Why the rule about controls cannot exclude anybody with so many more controls, or an empty text."""
    controls = planned + Screen.objects.filter(campaign=campaign, has_control=True).count()
    if campaign.control_pass_share is None or controls >= campaign.least_controls:
        return ""
    advice = "" if campaign.opened_at else " Lower that number now in Settings; it is fixed when the campaign opens."
    return (
        f"The rule about controls will exclude nobody: a judge sees at most {controls} controls, and the rule needs "
        f"{campaign.least_controls}.{advice}"
    )


def too_few_judges(campaign: Campaign, new: int = 0, each: int | None = None) -> str:
    """Why the judges, with so many new ones, can never give so many answers to each screen; empty if they can, or if
    nobody was invited yet.
    """
    wanted = each or campaign.redundancy
    judges = new + judges_in(campaign).filter(excluded_at=None).count() + _invited(campaign)
    if not 0 < judges < wanted or SharedLink.objects.filter(campaign=campaign).exists():
        return ""
    return (
        f"{quantity(judges, 'judge')} cannot give {wanted} answers to a screen; invite {wanted - judges} more, or "
        "lower Judges per screen."
    )


def _invited(campaign: Campaign) -> int:
    """How many judges have a link and did not follow it yet."""
    invited = Invitation.objects.valid().filter(campaign=campaign, role=Membership.Role.JUDGE)
    return invited.filter(membership=None).count()


def left_out(campaign: Campaign, screens: int) -> str:
    """Which systems are on none of so many screens, because they came after these were assigned; or an empty text."""
    if not screens or campaign.later_screens or not protocol_of(campaign).has_candidates:
        return ""
    shown = Slot.objects.filter(candidate__systemoutput__system=OuterRef("pk"))
    systems = System.objects.filter(campaign=campaign).judged().exclude(systemoutput=None).exclude(Exists(shown))
    names = sorted(systems.values_list("name", flat=True).distinct())
    advice = "assign more" if campaign.design == Campaign.Design.SAMPLED else "withdraw these, and assign them again"
    are = "are" if len(names) > 1 else "is"
    return f"{text_list(names)} {are} on none of the {screens:,} screens: {advice}." if names else ""


def _rule(campaign: Campaign, progress: CampaignProgress) -> Step:
    has_rule = campaign.control_pass_share is not None or campaign.least_seconds is not None
    note = "" if has_rule else "There is no rule, so careless answers would count."
    gives = "It excludes careless judges, and is fixed when the campaign opens."
    state = StepState.DONE if has_rule else StepState.ATTENTION
    if progress.assignments and (idle := idle_rule(campaign)):
        state, note = StepState.DONE if campaign.opened_at else StepState.ATTENTION, idle
    elif has_rule and campaign.preset:
        own = settings.preset(campaign.preset, campaign.protocol)
        if all(getattr(campaign, name) == own[name] for name in OF_RULE if name in own):
            state, note = StepState.READY_MADE, f"The rule of the preset {campaign.preset}."
    return Step("Agree on the exclusion rule", gives, "settings", state, note)


def _screens(campaign: Campaign, progress: CampaignProgress) -> Step:
    state, note = _done_or_to_do(progress.assignments), ""
    if progress.assignments:
        note = f"{progress.screens:,} screens, {progress.assignments:,} assignments"
        has_controls = not (campaign.control_share and protocol_of(campaign).has_candidates) or campaign.opened_at
        if not has_controls and not Screen.objects.filter(campaign=campaign, has_control=True).exists():
            state = StepState.ATTENTION
            note += f". No screen has a control, although their share is {campaign.control_share:g}."
    if left := left_out(campaign, progress.screens):
        state, note = StepState.ATTENTION, f"{note}. {left}"
    return Step("Plan and assign screens", "What is judged, how often, and in how many hours.", "screens", state, note)


def _judges(campaign: Campaign) -> Step:
    judges, waiting = judges_in(campaign).count(), _invited(campaign)
    state = _done_or_to_do(judges or waiting or SharedLink.objects.filter(campaign=campaign).exists())
    note = quantity(judges, "judge") if judges else ""
    note += f"{', ' * bool(judges)}{waiting:,} invited and not here yet" if waiting else ""
    return Step("Invite judges", "Personal links, or a shared link.", "judges", state, note)


def _judging(campaign: Campaign, progress: CampaignProgress) -> Step:
    title, gives = "Watch the judging", "Progress, quality, and an interim ranking."
    if not campaign.opened_at:
        return Step(title, gives, "board", StepState.TO_DO)
    is_over = not campaign.is_open or progress.done == progress.assignments
    note = f"{progress.done:,} of {progress.assignments:,} judged" if progress.done else "Nobody has begun yet."
    if alarms := Alarm.objects.open_in(campaign).count():
        note += f". {alarms} alarm{'s' * (alarms != 1)} about judges to look at."
        return Step(title, gives, "board", StepState.ATTENTION, note)
    return Step(title, gives, "board", _done_or_to_do(is_over), note)
