"""A large campaign for experiments: `python -m benchmarks.large NAME` fills the installation's own database.

Texts are generated, imported and assigned as organisers do it, and judges are invited and join; then the answers of
nearly all assignments are written directly. Better systems mostly get better ranks, controls come last, every fiftieth
judge answers at random, and the judgments are spread evenly over the last month.
"""

import os
import sys
from argparse import ArgumentParser
from collections.abc import Callable
from datetime import timedelta
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np

from benchmarks.crowd import tidy
from tests.services.texts import SEED, write_material

ROUNDS, BATCH_SIZE = 10, 20
SETTINGS = {
    "redundancy": ROUNDS, "batch_size": BATCH_SIZE, "repeat_share": 0.1, "control_share": 0.05, "seed": SEED,
    "control_pass_share": 0.6, "least_seconds": None, "completion_code": "THANKS",
}  # fmt: skip
SCREENS_A_BATCH = 18
# One batch in LEFT is left to judge.
LEFT = 50
JUDGMENTS_A_SENTENCE = 50
ENTRIES_A_JUDGE, NOT_JOINING = 50, 10
# Batches per transaction, so that other users of the database do not wait long.
AT_ONCE = 100
DAYS, SCREEN_SECONDS, FIRST_SECONDS, LAST_SECONDS = 30, 20, 60, 600
# One in so many judgments is skipped or flagged; one in so many judges answers at random.
SKIPPED, FLAGGED, BY_CHANCE = 100, 250, 50
OF_KIND = {"control": -1.0, "source": 0.0}


class Shape(NamedTuple):
    """Sizes; judgments are rounded up to whole batches."""

    judgments: int = 1_000_000
    judges: int = 200
    systems: int = 20

    @property
    def batches(self) -> int:
        return -(-self.judgments // (ROUNDS * BATCH_SIZE))

    @property
    def sentences(self) -> int:
        return max(200, self.judgments // JUDGMENTS_A_SENTENCE)


def make(slug: str, shape: Shape, organiser: str = "", tell: Callable[[str], None] = lambda words: None) -> int:
    from django.core.management import call_command

    from judgments.assignment import assigning, planning
    from judgments.campaigns import settings, states
    from judgments.judges.statistics import count_anew
    from judgments.models import Campaign, Judgment, Membership
    from judgments.rules.errors import Refused

    if Campaign.objects.filter(slug=slug).exists():
        raise Refused(f"There is a campaign {slug} already; choose another name.")
    if shape.judges < ROUNDS:
        raise Refused(f"Every screen is judged {ROUNDS} times, so there must be {ROUNDS} judges or more.")
    with TemporaryDirectory() as folder:
        texts = Path(folder) / "texts"
        write_material(texts, shape.sentences, shape.systems)
        call_command("import_outputs", slug, str(texts), stdout=StringIO(), organiser=organiser, guidance="none")
    campaign = settings.configure(Campaign.objects.get(slug=slug), **SETTINGS)
    planning.make_controls(campaign)
    tell(f"Imported {shape.sentences:,} sentences of {shape.systems} systems")
    assigned = assigning.assign(campaign, (shape.batches + shape.batches // LEFT + 1) * SCREENS_A_BATCH)
    states.open_campaign(campaign)
    tidy()
    tell(f"Made {assigned.assignments:,} assignments")
    _let_in(campaign, shape.judges)
    _answer(campaign, shape, tell)
    tidy()
    for judge in Membership.objects.filter(campaign=campaign, role=Membership.Role.JUDGE).select_related("campaign"):
        count_anew(judge)
    return Judgment.objects.filter(assignment__campaign=campaign).count()


def _let_in(campaign, judges: int) -> None:
    """Invite judges by personal links, let all but some join, and write the journal."""
    from judgments.judges import invitations
    from judgments.models import JournalEntry
    from judgments.models.journal import THE_PLATFORM

    names = [f"judge {number:04}" for number in range(1, judges + NOT_JOINING + 1)]
    for invitation in invitations.invite(campaign, names)[:judges]:
        invitations.accept(invitation)
    invitations.share(campaign, judges)
    JournalEntry.objects.bulk_create(
        JournalEntry(
            campaign=campaign, slug=campaign.slug, actor=THE_PLATFORM, what=f"included {name} again: the rule is met"
        )
        for _ in range(ENTRIES_A_JUDGE)
        for name in names[:judges]
    )


def _answer(campaign, shape: Shape, tell: Callable[[str], None]) -> None:
    """Let the judges take turns to answer all assignments of the first batches."""
    from django.db import transaction
    from django.utils import timezone

    from judgments.models import Batch, Completion, Membership

    there = Membership.objects.filter(campaign=campaign, role=Membership.Role.JUDGE)
    judges = list(there.order_by("pk").values_list("pk", flat=True))
    batches = list(Batch.objects.filter(campaign=campaign).order_by("number")[: shape.batches])
    since = timezone.now() - timedelta(days=DAYS)
    step = (DAYS * 86400 - LAST_SECONDS) / (shape.batches * ROUNDS)
    rng, merits = np.random.default_rng(SEED), _merits(campaign)
    turn = 0
    for first in range(0, len(batches), AT_ONCE):
        with transaction.atomic():
            for batch in batches[first : first + AT_ONCE]:
                sittings = []
                for _ in range(ROUNDS):
                    begun = since + timedelta(seconds=FIRST_SECONDS + turn * step)
                    sittings.append((judges[turn % len(judges)], begun))
                    turn += 1
                ended = _judge(batch, sittings, merits, rng)
                Completion.objects.bulk_create(
                    Completion(judge_id=judge, batch=batch, screens=BATCH_SIZE, earns_code=True, finished_at=end)
                    for (judge, _), end in zip(sittings, ended, strict=True)
                )
        tell(f"{turn * BATCH_SIZE:,} of {len(batches) * ROUNDS * BATCH_SIZE:,} assignments are judged")


def _judge(batch, sittings: list, merits: dict[int, float], rng: np.random.Generator) -> list:
    """Fill the assignments of a batch, each round by the judge of one sitting; return when each sitting ended."""
    from judgments.models import Assignment, Judgment, Placement, Slot

    slots: dict[int, list[int]] = {}
    there = Slot.objects.filter(screen__assignment__batch=batch).distinct().order_by("screen", "position")
    for screen, candidate in there.values_list("screen", "candidate"):
        slots.setdefault(screen, []).append(candidate)
    assignments = list(Assignment.objects.filter(batch=batch).order_by("round", "position"))
    ended = [begun for _, begun in sittings]
    judgments, placements = [], []
    for assignment in assignments:
        judge, begun = sittings[assignment.round]
        seconds = int(rng.integers(SCREEN_SECONDS // 2, SCREEN_SECONDS * 5 // 2))
        submitted_at = begun + timedelta(seconds=assignment.position * SCREEN_SECONDS)
        assignment.judge_id, assignment.claimed_at = judge, submitted_at - timedelta(seconds=seconds)
        assignment.leased_until = assignment.submitted_at = submitted_at
        ended[assignment.round] = max(ended[assignment.round], submitted_at)
        is_skipped, is_flagged = assignment.pk % SKIPPED == 7, assignment.pk % FLAGGED == 3
        judgment = Judgment(
            assignment=assignment, screen_id=assignment.screen_id, wall_seconds=seconds, active_seconds=seconds * 0.8,
            submitted_at=submitted_at, skipped=is_skipped, flagged=is_flagged,
            skip_reason="I do not understand it" if is_skipped else "",
            comment="The sentence seems to be cut off." if is_flagged else "",
        )  # fmt: skip
        judgments.append(judgment)
        if not is_skipped:
            shown, size = slots[assignment.screen_id], len(slots[assignment.screen_id])
            for place, chance in zip(assignment.shown_positions(), rng.random(size).tolist(), strict=True):
                merit = 1.5 + 4 * (1 - merits[shown[place]]) + 3 * (chance - 0.5)
                rank = int(min(size, max(1, 1 + size * chance if judge % BY_CHANCE == 0 else merit)))
                placements.append((judgment, shown[place], rank))
    # Several times faster than `bulk_update`.
    claimed = ["judge", "claimed_at", "leased_until", "submitted_at"]
    Assignment.objects.bulk_create(assignments, update_conflicts=True, unique_fields=["pk"], update_fields=claimed)
    Judgment.objects.bulk_create(judgments)
    Placement.objects.bulk_create(
        Placement(judgment=judgment, screen_id=judgment.screen_id, candidate_id=candidate, rank=rank)
        for judgment, candidate, rank in placements
    )
    return ended


def _merits(campaign) -> dict[int, float]:
    """Return the quality of each candidate, by the places of its systems in order of names."""
    from judgments.models import System, SystemOutput

    systems = list(System.objects.filter(campaign=campaign).order_by("name"))
    value = {system.pk: OF_KIND.get(system.kind, place / len(systems)) for place, system in enumerate(systems, 1)}
    behind: dict[int, list[float]] = {}
    outputs = SystemOutput.objects.filter(system__in=value, candidate__isnull=False)
    for candidate, system in outputs.values_list("candidate", "system"):
        behind.setdefault(candidate, []).append(value[system])
    return {candidate: sum(values) / len(values) for candidate, values in behind.items()}


def main() -> None:
    parser = ArgumentParser(prog="python -m benchmarks.large", description=__doc__)
    parser.add_argument("campaign", help="the short name of the new campaign")
    shape = Shape()
    for name, number in shape._asdict().items():
        parser.add_argument(f"--{name}", type=int, default=number, metavar="N", help=f"how many (default: {number:,})")
    parser.add_argument("--organiser", default="", metavar="USERNAME", help="who runs the campaign")
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "appraise_gec.settings")
    import django

    django.setup()
    from judgments.rules.errors import Refused

    try:
        made = make(
            options.campaign, Shape(options.judgments, options.judges, options.systems), options.organiser, print
        )
    except Refused as reason:
        sys.exit(str(reason))
    print(f"{options.campaign}: {made:,} judgments.")


if __name__ == "__main__":
    main()
