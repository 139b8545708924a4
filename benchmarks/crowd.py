"""A campaign for simulated judges: assign it, fill it, and check it against the confirmed answers."""

import asyncio
from time import perf_counter

from benchmarks.harness import apart
from benchmarks.platforms import Installation
from tests.services.judges import DRAFTS, Judge
from tests.services.texts import SEED

SLUG = "benchmark"
SETTINGS = {"batch_size": 20, "repeat_share": 0.1, "least_seconds": None, "seed": SEED}
# In a nearly full campaign, one in LEFT batches of the last round is left, and every second of these is begun.
LEFT = 10
BEGUN = 12


class Inserter(Judge):
    """Somebody at the bare project, who inserts a row whenever a judge would send something."""

    async def join(self) -> None:
        await self.browser.get("/join/")

    async def insert(self) -> None:
        await self.browser.post("/assignments/", "application/json", ranks="1 2 3 4 5", active="8.0")

    async def judge(self, end: float, pause: float) -> None:
        await asyncio.sleep(self._rng.uniform(0, pause * (DRAFTS + 1)))
        while perf_counter() < end:
            await self._think(pause)
            await self.insert()


def assign(platform: Installation, screens: int, rounds: int, judges: int) -> tuple[int, list[str]]:
    """Assign screens and invite judges; return the number of assignments and the judges' tokens."""
    platform.enter()
    from judgments.assignment import assigning
    from judgments.campaigns import settings, states
    from judgments.judges import invitations

    campaign = settings.configure(settings.find_or_prepare(SLUG), redundancy=rounds, **SETTINGS)
    assignments = assigning.assign(campaign, screens).assignments
    states.open_campaign(campaign)
    invited = invitations.invite(campaign, [f"judge-{number}" for number in range(1, judges + 1)])
    tidy()
    return assignments, [invitation.token for invitation in invited]


def fill(platform: Installation) -> int:
    """Mark all but a hundredth of the assignments as submitted, round by round; return how many are left.

    Judges who have not begun get the first round, as if they had judged for weeks; absent ones get the other rounds.
    """
    platform.enter()
    from django.db.models import F
    from django.utils import timezone

    from judgments.models import Assignment, Batch, Campaign, Completion, Membership

    campaign = Campaign.objects.get(slug=SLUG)
    batches = Batch.objects.filter(campaign=campaign).order_by("pk")
    left = batches[batches.count() - batches.count() // LEFT].pk
    free = Assignment.objects.filter(campaign=campaign, judge=None)
    now = timezone.now()

    def give(assignments, judge: Membership) -> None:
        assignments.update(judge=judge, claimed_at=now, leased_until=now, submitted_at=now)

    present = list(Membership.objects.filter(campaign=campaign, role=Membership.Role.JUDGE, assignment=None))
    for place, judge in enumerate(present):
        give(free.annotate(turn=F("batch") % len(present)).filter(round=0, turn=place), judge)
        finished = Assignment.objects.filter(judge=judge).values_list("batch", flat=True).distinct()
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
    """Fail if a confirmed answer is missing, or if an assignment was judged twice."""
    agree([key for judge in judges for key in judge.saved], apart(judgments, platform).value)


def judgments(platform: Installation) -> list[tuple[str, int]]:
    platform.enter()
    from judgments.models import Judgment

    there = Judgment.objects.filter(assignment__campaign__slug=SLUG)
    return [(str(key), assignment) for key, assignment in there.values_list("key", "assignment")]


def agree(confirmed: list[str], stored: list[tuple[str, int]]) -> None:
    """Every confirmed answer must be stored exactly once."""
    if sorted(confirmed) != sorted(key for key, _ in stored):
        raise SystemExit(f"{len(confirmed)} answers were confirmed, but {len(stored)} judgments are stored.")
    if len({assignment for _, assignment in stored}) != len(stored):
        raise SystemExit("An assignment was judged twice.")


def tidy() -> None:
    """Vacuum, as PostgreSQL does by itself within minutes; SQLite does not need it."""
    from django.db import connection

    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE" if connection.in_atomic_block else "VACUUM ANALYZE")
