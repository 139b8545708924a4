"""A large campaign for simulated judges, made and filled by the platform's own verbs and models."""

from benchmarks.installation import Installation
from benchmarks.maker import SEED

SLUG = "benchmark"
SETTINGS = {"batch_size": 20, "repeat_share": 0.1, "seed": SEED}
# What is left when a campaign is nearly full: a share of the batches of the last round, every second of them begun.
LEFT = 10
BEGUN = 12


def assign(platform: Installation, screens: int, rounds: int) -> int:
    """Deal screens for several judges each and let judges in; how many assignments there are."""
    platform.enter()
    # The platform's modules want its settings first.
    from judgments.assignment import assigning
    from judgments.campaigns import settings, states

    campaign = settings.configure(settings.find_or_prepare(SLUG), redundancy=rounds, **SETTINGS)
    assigned = assigning.assign(campaign, screens)
    states.open_campaign(campaign)
    _tidy()
    return assigned.assignments


def invite(platform: Installation, judges: int) -> list[str]:
    """The tokens of so many invitations."""
    platform.enter()
    from judgments.judges import invitations
    from judgments.models import Campaign

    names = [f"judge-{number}" for number in range(1, judges + 1)]
    return [invitation.token for invitation in invitations.invite(Campaign.objects.get(slug=SLUG), names)]


def fill(platform: Installation) -> int:
    """Have all but a hundredth of the assignments submitted, round by round, the first by who is there; how many are
    left.

    Judges who have not begun get the first round as if they had judged for weeks, absent ones the others.
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

    present = Membership.objects.filter(campaign=campaign, role=Membership.Role.JUDGE, assignment=None)
    for place, judge in enumerate(judges := list(present)):
        give(free.annotate(turn=F("batch") % len(judges)).filter(round=0, turn=place), judge)
        finished = Assignment.objects.filter(judge=judge).values_list("batch", flat=True).distinct()
        Completion.objects.bulk_create(
            Completion(judge=judge, batch_id=batch, screens=SETTINGS["batch_size"], earns_code=True)
            for batch in finished
        )
    for number in range(1, campaign.redundancy):
        absent = Membership.objects.create(campaign=campaign, role=Membership.Role.JUDGE, pseudonym=f"absent {number}")
        is_last = number == campaign.redundancy - 1
        there = free.filter(round=number)
        give(there.filter(batch__lt=left) if is_last else there, absent)
        if is_last:
            give(there.annotate(odd=F("batch") % 2).filter(odd=1, position__lt=BEGUN), absent)
    _tidy()
    return free.count()


def judgments(platform: Installation) -> list[tuple[str, int]]:
    """The key and the assignment of every judgment."""
    platform.enter()
    from judgments.models import Judgment

    there = Judgment.objects.filter(assignment__campaign__slug=SLUG)
    return [(str(key), assignment) for key, assignment in there.values_list("key", "assignment")]


def _tidy() -> None:
    """What the database's own housekeeping does within minutes."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
