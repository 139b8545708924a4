"""Loading the demonstration: a finished evaluation, and a campaign for each protocol; simulated judges answer."""

import hashlib
import hmac
import random
from dataclasses import dataclass
from datetime import datetime, timedelta
from types import ModuleType
from uuid import uuid4

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from judgments.assignment import claiming
from judgments.campaigns import settings as campaign_settings
from judgments.campaigns import states
from judgments.judges import invitations, onboarding
from judgments.judging.submission import submit
from judgments.management.demo import FINISHED, GUEST, RUNNING, comparisons, corrections, essays, marking, verdicts
from judgments.models import Assignment, Campaign, Invitation, Judgment, Membership
from judgments.rules.progress import Progress, no_progress

# Only one demonstration campaign has them, so that visitors to the others see a screen at once.
ONBOARDING = ("consent", "tutorial")
ORGANISER = "olga"
SEED = 2015


@dataclass(frozen=True)
class Demo:
    """A demonstration campaign: its settings, and the module with its material, simulated judges and their answers."""

    settings: dict[str, object]
    content: ModuleType
    judged_each: int
    seconds: float
    has_onboarding: bool = False
    is_finished: bool = False


DEMOS = {
    FINISHED: Demo(
        {"name": "Demo: a finished evaluation", "protocol": "ranking", "preset": "recommended", "control_share": 0.1},
        comparisons,
        judged_each=67,  # of 268
        seconds=37,
        is_finished=True,
    ),
    RUNNING: Demo(
        {"name": "Demo: ranking", "protocol": "ranking", "preset": "recommended", "control_share": 0.1},
        comparisons,
        judged_each=20,
        seconds=37,
    ),
    "demo-rating": Demo(
        {
            "name": "Demo: rating", "protocol": "rating", "design": "complete", "redundancy": 3, "control_share": 1.0,
            "repeat_share": 0.1, "batch_size": 20, "control_pass_share": 0.7, "completion_code": "HERON-7",
            "failed_code": "WREN-4",
        },
        comparisons,
        judged_each=25,
        seconds=37,
        has_onboarding=True,
    ),
    "demo-verdict": Demo(
        {
            "name": "Demo: verdicts", "protocol": "verdict", "preset": "madnani2011", "redundancy": 9,
            "feedback": True, "completion_code": "HERON-8", "failed_code": "WREN-5",
        },
        verdicts,
        judged_each=60,
        seconds=6,
    ),
    "demo-correction": Demo(
        {
            "name": "Demo: corrections", "protocol": "correction", "preset": "bryant2015", "redundancy": 4,
            "batch_size": 31,
        },
        corrections,
        judged_each=62,
        seconds=40,
    ),
    "demo-essays": Demo(
        {
            "name": "Demo: whole texts", "protocol": "essays", "preset": "kocmi2024", "screen_size": 2,
            "redundancy": 4, "control_share": 0.25,
        },
        essays,
        judged_each=20,
        seconds=180,
    ),
    "demo-marking": Demo(
        {"name": "Demo: marking edits", "protocol": "marking", "preset": "recommended", "redundancy": 3},
        marking,
        judged_each=20,
        seconds=60,
    ),
}  # fmt: skip


def organiser_password() -> str:
    """Derive the organiser's password from the secret key: stable across restarts, different on every installation."""
    return hmac.new(settings.SECRET_KEY.encode(), b"demo organiser", hashlib.sha256).hexdigest()[:12]


def login() -> str:
    """The organiser's password, to be printed: if the demonstration was loaded here and it is still the same."""
    if settings.ON_TLS:
        return ""
    organiser, password = User.objects.filter(username=ORGANISER, is_active=True).first(), organiser_password()
    return password if organiser and organiser.check_password(password) else ""


def load(progress: Progress = no_progress) -> list[Invitation]:
    """Create the campaigns that do not exist yet, and return the guest's invitation to each."""
    if not User.objects.filter(username=ORGANISER).exists():
        User.objects.create_superuser(ORGANISER, password=organiser_password(), first_name="Olga")
    for slug, demo in DEMOS.items():
        if not Campaign.objects.filter(slug=slug).exists():
            _load_campaign(slug, demo, progress)
    return list(Invitation.objects.filter(campaign__slug__in=DEMOS, pseudonym=GUEST).order_by("campaign"))


@transaction.atomic
def _load_campaign(slug: str, demo: Demo, progress: Progress) -> None:
    chosen = dict(demo.settings)
    preset = campaign_settings.preset(str(chosen.pop("preset")), str(chosen["protocol"])) if "preset" in chosen else {}
    campaign = campaign_settings.find_or_prepare(slug)
    initial = campaign_settings.with_guidance(preset | chosen | {"seed": SEED})
    onboarding = {name: initial.pop(name) for name in ONBOARDING}
    campaign_settings.configure(campaign, **initial)
    campaign_settings.make_organiser(campaign, ORGANISER)
    demo.content.prepare(campaign)
    states.open_campaign(campaign)
    if not demo.is_finished:
        invitations.invite(campaign, [GUEST])
    _judge(campaign, demo, progress)
    if demo.has_onboarding:
        campaign_settings.configure(campaign, **onboarding)
    if demo.is_finished:
        states.close_campaign(campaign)


def _judge(campaign: Campaign, demo: Demo, progress: Progress) -> None:
    """Let every simulated judge answer some assignments, through the functions that serve real judges."""
    role, simulated = Membership.Role.JUDGE, demo.content.JUDGES
    judges = [Membership.objects.create(campaign=campaign, role=role, pseudonym=one.name) for one in simulated]
    answers = demo.content.answers_in(campaign)
    begun = timezone.now() - timedelta(days=12 if demo.is_finished else 1)
    Campaign.objects.filter(pk=campaign.pk).update(opened_at=begun)
    done = 0
    pairs = list(zip(simulated, judges, strict=True))
    # In a second turn they take what is left of one another's batches.
    for turn, (one, judge) in enumerate(pairs * 2 if demo.is_finished else pairs):
        rng = random.Random(f"{SEED}:{campaign.slug}:{turn}")
        clock = begun + timedelta(days=rng.uniform(0, 0.8))
        for _ in range(demo.judged_each):
            assignment = claiming.claim_next_skipping_breaks(judge)
            if assignment is None:
                break
            seconds = demo.seconds * rng.lognormvariate(0, 0.5)
            clock += timedelta(seconds=seconds)
            _submit(assignment, answers(assignment, one, rng), clock, seconds)
            done += 1
            progress(done, len(simulated) * demo.judged_each)


def judge_on() -> None:
    """Let a simulated judge of the running campaign answer a screen, so that there is something to watch.

    A campaign of people that is called the same gets no invented answer: judges who joined by a link have an account.
    """
    demo, one = DEMOS[RUNNING], random.choice(comparisons.JUDGES)
    simulated = Membership.objects.filter(pseudonym=one.name, role=Membership.Role.JUDGE, user=None)
    judge = simulated.filter(
        campaign__slug=RUNNING, campaign__name=demo.settings["name"], campaign__state=Campaign.State.OPEN
    ).first()
    if judge is None or onboarding.next_step(judge):  # nobody agrees to what somebody who tries the demo adds
        return
    if assignment := claiming.claim_next_skipping_breaks(judge):
        answers = comparisons.answers_in(judge.campaign)(assignment, one, random.Random())
        _submit(assignment, answers, timezone.now(), demo.seconds)


def _submit(assignment: Assignment, answers: list, clock: datetime, seconds: float) -> None:
    judgment = submit(assignment, key=uuid4(), answers=answers)
    Judgment.objects.filter(pk=judgment.pk).update(wall_seconds=seconds, active_seconds=seconds, submitted_at=clock)
    Assignment.objects.filter(pk=assignment.pk).update(
        claimed_at=clock - timedelta(seconds=seconds), submitted_at=clock
    )
