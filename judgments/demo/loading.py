"""Loading the demonstration: two campaigns over the same texts, partly judged by simulated judges."""

import hashlib
import hmac
import random
from datetime import datetime, timedelta
from pathlib import Path
from statistics import fmean
from uuid import uuid4

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from judgments import campaigns, dealing, intake, invitations, scheduling
from judgments.models import Campaign, Invitation, Judgment, Membership, Seat, SystemOutput
from judgments.progress import Progress, no_progress
from judgments.protocols.rating import Score
from judgments.rules.simulation import SimulatedJudge, opinions, ranked, scored
from judgments.rules.uploads import Roles, UploadedFile, read_material
from judgments.submission import shown_slots, submit

TEXTS = Path(__file__).parent / "texts"
# What a crowd campaign shows before its first screen.
RECEPTION = Path(__file__).parent / "reception"
REFERENCES = frozenset({"reference-a", "reference-b"})
CONTROL = "source+error"
ORGANISER = "olga"
GUEST = "guest"
SEED = 2015
JUDGES = (
    SimulatedJudge("ada", noise=0.03, tie_width=0.05),
    SimulatedJudge("ben", noise=0.05, tie_width=0.08),
    SimulatedJudge("chloe", noise=0.08, tie_width=0.04),
    SimulatedJudge("dan", noise=0.25, tie_width=0.1),
)
# What the made-up systems are worth beyond likeness to a reference: Curlew rewrites well, Magpie badly.
MERITS = {"Heron": 0.1, "Curlew": 0.22, "Plover": 0.05, "Wren": 0.02, "Lapwing": 0.0, "Magpie": -0.05, CONTROL: -0.1}
DEMOS = {
    "demo": {"name": "Demo: ranking", "protocol": "ranking", "preset": "recommended", "control_share": 0.1},
    "demo-rating": {"name": "Demo: rating", "protocol": "rating", "design": "complete", "redundancy": 3,
                    "control_share": 1.0, "repeat_share": 0.1, "batch_size": 20, "control_pass_share": 0.7,
                    "completion_code": "HERON-7", "failed_code": "WREN-4"},
}  # fmt: skip
SCREENS, JUDGED_EACH = 120, {"demo": 50, "demo-rating": 40}
INSTRUCTIONS = {
    "ranking": "Read the sentence in bold in its context. Then rank the versions below it: 1 for the best one, "
    "higher numbers for worse ones, the same number where you see no difference in quality. Only the order counts.",
    "rating": "Read the sentence in bold in its context. Then give each version below it a score, from 0 for garbled "
    "to 100 for perfect, and tick the box where a version says something else than the original.",
}


def organiser_password() -> str:
    """The demo organiser's password: the same on every start, another one on every installation."""
    return hmac.new(settings.SECRET_KEY.encode(), b"demo organiser", hashlib.sha256).hexdigest()[:12]


def load(progress: Progress = no_progress) -> list[Invitation]:
    """Make what is not there yet, and give the guest's invitation to each demo campaign."""
    _organiser()
    for slug in DEMOS:
        if not Campaign.objects.filter(slug=slug).exists():
            _load_campaign(slug, progress)
    return list(Invitation.objects.filter(campaign__slug__in=DEMOS, pseudonym=GUEST).order_by("campaign"))


def _organiser() -> None:
    if not User.objects.filter(username=ORGANISER).exists():
        User.objects.create_superuser(ORGANISER, password=organiser_password(), first_name="Olga")


@transaction.atomic
def _load_campaign(slug: str, progress: Progress) -> None:
    files = [UploadedFile(file.name, file.read_bytes()) for file in sorted(TEXTS.iterdir())]
    roles = Roles(source_takes_part=True, references=REFERENCES, controls=frozenset({CONTROL}))
    material = read_material(files, roles)
    demo = dict(DEMOS[slug])
    preset = campaigns.preset(str(demo.pop("preset"))) if "preset" in demo else {}
    campaign = campaigns.find_or_prepare(slug)
    instructions = INSTRUCTIONS[str(demo["protocol"])]
    campaigns.configure(campaign, **preset | demo | {"seed": SEED, "instructions": instructions})
    campaigns.make_organiser(campaign, ORGANISER)
    intake.store_material(campaign, material)
    dealing.deal(campaign, SCREENS if campaign.design == Campaign.Design.SAMPLED else None)
    scheduling.open_campaign(campaign)
    invitations.invite(campaign, [GUEST])
    _judge(campaign, {lines.name: lines.texts for lines in material.references}, progress)
    if campaign.protocol == Campaign.Protocol.RATING:
        campaigns.configure(campaign, **{file.stem: file.read_text(encoding="utf-8") for file in RECEPTION.iterdir()})


def _judge(campaign: Campaign, references: dict, progress: Progress) -> None:
    """Let every simulated judge work through some seats, by the same verbs that real judges use."""
    by_position = dict(enumerate(zip(*references.values(), strict=True)))
    merits = _merits(campaign)
    total = len(JUDGES) * JUDGED_EACH[campaign.slug]
    done = 0
    for simulated in JUDGES:
        judge = Membership.objects.create(campaign=campaign, role=Membership.Role.JUDGE, pseudonym=simulated.name)
        rng = random.Random(f"{SEED}:{campaign.slug}:{simulated.name}")
        clock = timezone.now() - timedelta(days=rng.uniform(1, 3))
        for _ in range(JUDGED_EACH[campaign.slug]):
            seat = scheduling.claim_straight_on(judge)
            if seat is None:
                break
            seconds = rng.lognormvariate(3.6, 0.5)
            clock += timedelta(seconds=seconds)
            _answer(seat, simulated, by_position[seat.screen.segment.position], merits, rng, clock, seconds)
            done += 1
            progress(done, total)


def _merits(campaign: Campaign) -> dict[int, float]:
    """Of each candidate, the mean merit of the systems behind it; none where the source is left unchanged."""
    behind: dict[int, list[str]] = {}
    outputs = SystemOutput.objects.filter(system__campaign=campaign).values_list("candidate", "system__name")
    for candidate, name in outputs:
        behind.setdefault(candidate, []).append(name)
    return {
        candidate: 0.0 if "source" in names else fmean(MERITS.get(name, 0.0) for name in names)
        for candidate, names in behind.items()
    }


def _answer(
    seat: Seat,
    judge: SimulatedJudge,
    references: tuple[str, ...],
    merits: dict[int, float],
    rng: random.Random,
    clock: datetime,
    seconds: float,
) -> None:
    slots = shown_slots(seat)
    texts = [slot.candidate.text or "" for slot in slots]
    thought = opinions(judge, texts, [merits[slot.candidate_id] for slot in slots], references, rng)
    if seat.campaign.protocol == Campaign.Protocol.RANKING:
        answers: list = ranked(judge, thought)
    else:
        answers = [Score(score, meaning_changed=score < 40 and rng.random() < 0.3) for score in scored(thought)]
    judgment = submit(seat, key=uuid4(), answers=answers)
    Judgment.objects.filter(pk=judgment.pk).update(wall_seconds=seconds, active_seconds=seconds, submitted_at=clock)
    Seat.objects.filter(pk=seat.pk).update(claimed_at=clock - timedelta(seconds=seconds), submitted_at=clock)
