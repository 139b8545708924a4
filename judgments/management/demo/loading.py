"""Loading the demonstration: a campaign for each protocol, partly judged by simulated judges."""

import hashlib
import hmac
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from uuid import uuid4

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from judgments.assignment import claiming
from judgments.campaigns import settings as campaign_settings
from judgments.campaigns import states
from judgments.judges import invitations
from judgments.judging.submission import submit
from judgments.management.demo import comparisons, corrections, verdicts
from judgments.management.demo.simulation import SimulatedJudge
from judgments.models import Assignment, Campaign, Invitation, Judgment, Membership
from judgments.rules.progress import Progress, no_progress

# Consent, tutorial and comprehension check of a crowd campaign.
ONBOARDING = Path(__file__).parent / "onboarding"
ORGANISER = "olga"
GUEST = "guest"
SEED = 2015
Answer = Callable[[Assignment, SimulatedJudge, random.Random], list]


@dataclass(frozen=True)
class Demo:
    """A demonstration campaign: its settings, its material, its simulated judges and their answers."""

    settings: dict[str, object]
    instructions: str
    prepare: Callable[[Campaign], None]
    answers_in: Callable[[Campaign], Answer]
    judges: Sequence[SimulatedJudge]
    judged_each: int
    seconds: float
    has_onboarding: bool = False


DEMOS = {
    "demo": Demo(
        {"name": "Demo: ranking", "protocol": "ranking", "preset": "recommended", "control_share": 0.1},
        "Read the sentence in bold in its context. Then rank the versions below it: 1 for the best one, "
        "higher numbers for worse ones, the same number where you see no difference in quality. Only the order counts.",
        comparisons.prepare,
        comparisons.answers_in,
        comparisons.JUDGES,
        judged_each=50,
        seconds=37,
    ),
    "demo-rating": Demo(
        {
            "name": "Demo: rating", "protocol": "rating", "design": "complete", "redundancy": 3, "control_share": 1.0,
            "repeat_share": 0.1, "batch_size": 20, "control_pass_share": 0.7, "completion_code": "HERON-7",
            "failed_code": "WREN-4",
        },
        "Read the sentence in bold in its context. Then give each version below it a score, from 0 for garbled "
        "to 100 for perfect, and tick the box where the meaning differs from the original.",
        comparisons.prepare,
        comparisons.answers_in,
        comparisons.JUDGES,
        judged_each=40,
        seconds=37,
        has_onboarding=True,
    ),
    "demo-verdict": Demo(
        {
            "name": "Demo: verdicts", "protocol": "verdict", "preset": "madnani2011", "redundancy": 9,
            "feedback": True, "completion_code": "HERON-8", "failed_code": "WREN-5",
        },
        "Read the sentence. Is the marked word an error: is it superfluous, or should another word replace it? Choose "
        "OK if you would leave it, and Unknown if you cannot tell. Other errors in the sentence do not matter.",
        verdicts.prepare,
        verdicts.answers_in,
        verdicts.JUDGES,
        judged_each=60,
        seconds=6,
    ),
    "demo-correction": Demo(
        {
            "name": "Demo: corrections", "protocol": "correction", "preset": "bryant2015", "redundancy": 4,
            "batch_size": 31,
        },
        "Correct the sentence so that it is grammatical and fluent, and change nothing else. Mark each error as "
        "narrowly as possible, write its replacement, and choose a category.",
        corrections.prepare,
        corrections.answers_in,
        corrections.JUDGES,
        judged_each=62,
        seconds=40,
    ),
}  # fmt: skip


def organiser_password() -> str:
    """Derive the organiser's password from the secret key: stable across restarts, different on every installation."""
    return hmac.new(settings.SECRET_KEY.encode(), b"demo organiser", hashlib.sha256).hexdigest()[:12]


def load(progress: Progress = no_progress) -> list[Invitation]:
    """Create the campaigns that do not exist yet, and return the guest's invitation to each."""
    _organiser()
    for slug, demo in DEMOS.items():
        if not Campaign.objects.filter(slug=slug).exists():
            _load_campaign(slug, demo, progress)
    return list(Invitation.objects.filter(campaign__slug__in=DEMOS, pseudonym=GUEST).order_by("campaign"))


def _organiser() -> None:
    if not User.objects.filter(username=ORGANISER).exists():
        User.objects.create_superuser(ORGANISER, password=organiser_password(), first_name="Olga")


@transaction.atomic
def _load_campaign(slug: str, demo: Demo, progress: Progress) -> None:
    chosen = dict(demo.settings)
    preset = campaign_settings.preset(str(chosen.pop("preset")), str(chosen["protocol"])) if "preset" in chosen else {}
    campaign = campaign_settings.find_or_prepare(slug)
    campaign_settings.configure(campaign, **preset | chosen | {"seed": SEED, "instructions": demo.instructions})
    campaign_settings.make_organiser(campaign, ORGANISER)
    demo.prepare(campaign)
    states.open_campaign(campaign)
    invitations.invite(campaign, [GUEST])
    _judge(campaign, demo, progress)
    if demo.has_onboarding:
        campaign_settings.configure(
            campaign, **{file.stem: file.read_text(encoding="utf-8") for file in ONBOARDING.iterdir()}
        )


def _judge(campaign: Campaign, demo: Demo, progress: Progress) -> None:
    """Let every simulated judge answer some assignments, through the functions that serve real judges."""
    role = Membership.Role.JUDGE
    judges = [Membership.objects.create(campaign=campaign, role=role, pseudonym=one.name) for one in demo.judges]
    answers = demo.answers_in(campaign)
    done = 0
    for simulated, judge in zip(demo.judges, judges, strict=True):
        rng = random.Random(f"{SEED}:{campaign.slug}:{simulated.name}")
        clock = timezone.now() - timedelta(days=rng.uniform(1, 3))
        for _ in range(demo.judged_each):
            assignment = claiming.claim_straight_on(judge)
            if assignment is None:
                break
            seconds = demo.seconds * rng.lognormvariate(0, 0.5)
            clock += timedelta(seconds=seconds)
            _submit(assignment, answers(assignment, simulated, rng), clock, seconds)
            done += 1
            progress(done, len(demo.judges) * demo.judged_each)


def _submit(assignment: Assignment, answers: list, clock: datetime, seconds: float) -> None:
    judgment = submit(assignment, key=uuid4(), answers=answers)
    Judgment.objects.filter(pk=judgment.pk).update(wall_seconds=seconds, active_seconds=seconds, submitted_at=clock)
    Assignment.objects.filter(pk=assignment.pk).update(
        claimed_at=clock - timedelta(seconds=seconds), submitted_at=clock
    )
