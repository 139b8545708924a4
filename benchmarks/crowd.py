"""A campaign for simulated judges: dealt, with invitations, filled up, and checked against what judges were told."""

from benchmarks.harness import apart
from benchmarks.platforms import Installation
from tests.services.judges import Judge
from tests.services.texts import SEED

SLUG = "benchmark"
SETTINGS = {"batch_size": 20, "repeat_share": 0.1, "seed": SEED}
# When a campaign is nearly full, a share of the batches of the last round is left, and every second of these begun.
LEFT = 10
BEGUN = 12


def deal(platform: Installation, screens: int, rounds: int, judges: int) -> tuple[int, list[str]]:
    """Deal screens for several judges each and invite judges; how many seats there are, and the judges' tokens."""
    platform.enter()
    from judgments import campaigns, dealing, invitations, scheduling

    campaign = campaigns.configure(campaigns.find_or_prepare(SLUG), redundancy=rounds, **SETTINGS)
    seats = dealing.deal(campaign, screens).seats
    scheduling.open_campaign(campaign)
    invited = invitations.invite(campaign, [f"judge-{number}" for number in range(1, judges + 1)])
    tidy()
    return seats, [invitation.token for invitation in invited]


def fill(platform: Installation) -> int:
    """Have all but a hundredth of the seats submitted, round by round; how many are left.

    Judges who have not begun get the first round as if they had judged for weeks, absent ones the others.
    """
    platform.enter()
    from django.db.models import F
    from django.utils import timezone

    from judgments.models import Batch, Campaign, Completion, Membership, Seat

    campaign = Campaign.objects.get(slug=SLUG)
    batches = Batch.objects.filter(campaign=campaign).order_by("pk")
    left = batches[batches.count() - batches.count() // LEFT].pk
    free = Seat.objects.filter(campaign=campaign, judge=None)
    now = timezone.now()

    def give(seats, judge: Membership) -> None:
        seats.update(judge=judge, claimed_at=now, leased_until=now, submitted_at=now)

    present = list(Membership.objects.filter(campaign=campaign, role=Membership.Role.JUDGE, seat=None))
    for place, judge in enumerate(present):
        give(free.annotate(turn=F("batch") % len(present)).filter(round=0, turn=place), judge)
        finished = Seat.objects.filter(judge=judge).values_list("batch", flat=True).distinct()
        Completion.objects.bulk_create(
            Completion(judge=judge, batch_id=batch, screens=SETTINGS["batch_size"], earns_code=True)
            for batch in finished
        )
    for number in range(1, campaign.redundancy):
        absent = Membership.objects.create(campaign=campaign, role=Membership.Role.JUDGE, pseudonym=f"absent {number}")
        there = free.filter(round=number)
        if number < campaign.redundancy - 1:
            give(there, absent)
        else:
            give(there.filter(batch__lt=left), absent)
            give(there.annotate(odd=F("batch") % 2).filter(odd=1, position__lt=BEGUN), absent)
    tidy()
    return free.count()


def check(platform: Installation, judges: list[Judge]) -> None:
    """Stop if an answer is missing that a judge was told is saved, or if a seat was judged twice."""
    agree([key for judge in judges for key in judge.saved], apart(judgments, platform).value)


def judgments(platform: Installation) -> list[tuple[str, int]]:
    """The key and the seat of every judgment."""
    platform.enter()
    from judgments.models import Judgment

    there = Judgment.objects.filter(seat__campaign__slug=SLUG)
    return [(str(key), seat) for key, seat in there.values_list("key", "seat")]


def agree(told: list[str], kept: list[tuple[str, int]]) -> None:
    """A judge who was told that an answer is saved must find it, once, however many others were there."""
    if sorted(told) != sorted(key for key, _ in kept):
        raise SystemExit(f"{len(told)} answers were told saved, and {len(kept)} judgments are kept.")
    if len({seat for _, seat in kept}) != len(kept):
        raise SystemExit("A seat was judged twice.")


def tidy() -> None:
    """What PostgreSQL's own housekeeping does within minutes; SQLite has none."""
    from django.db import connection

    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE" if connection.in_atomic_block else "VACUUM ANALYZE")
