"""A large campaign for trying things on: `python -m benchmarks.large NAME` fills the installation's own database.

Texts are made, imported and dealt by the platform's own verbs, links are given and judges come in; then the database
answers all assignments but a few (`answering`).
"""

import os
import sys
from argparse import ArgumentParser
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from benchmarks.maker import SEED, write_material

ROUNDS, BATCH_SIZE = 10, 20
SETTINGS = {
    "redundancy": ROUNDS, "batch_size": BATCH_SIZE, "repeat_share": 0.1, "control_share": 0.05, "seed": SEED,
    "control_pass_share": 0.6, "completion_code": "THANKS",
}  # fmt: skip
SCREENS_A_BATCH = 18
# One batch in fifty is left to be judged.
LEFT = 50
JUDGMENTS_A_SENTENCE = 50
ENTRIES_A_JUDGE, INVITED_BESIDES = 50, 10


class Shape(NamedTuple):
    """How many of everything; judgments are rounded up to whole batches."""

    judgments: int = 1_000_000
    judges: int = 200
    systems: int = 20

    @property
    def batches(self) -> int:
        """How many batches are judged."""
        return -(-self.judgments // (ROUNDS * BATCH_SIZE))

    @property
    def sentences(self) -> int:
        """How many sentences there are to draw from."""
        return max(200, self.judgments // JUDGMENTS_A_SENTENCE)


def no_word(words: str) -> None:
    """Say nothing."""


def make(slug: str, shape: Shape, organiser: str = "", tell: Callable[[str], None] = no_word) -> int:
    """Make the campaign in the database at hand, run by a user; how many judgments it has."""
    from django.core.management import call_command

    from judgments.assignment import assigning, controls
    from judgments.campaigns import settings, states
    from judgments.judges.statistics import count_anew
    from judgments.models import Campaign, Membership
    from judgments.rules.errors import Refused

    if Campaign.objects.filter(slug=slug).exists():
        raise Refused(f"There is a campaign {slug} already; choose another name.")
    if shape.judges < ROUNDS:
        raise Refused(f"Every screen is judged {ROUNDS} times, so there must be {ROUNDS} judges or more.")
    with TemporaryDirectory() as folder:
        texts = Path(folder) / "texts"
        write_material(texts, shape.sentences, shape.systems)
        call_command("import_outputs", slug, str(texts), stdout=StringIO(), organiser=organiser)
    campaign = settings.configure(Campaign.objects.get(slug=slug), **SETTINGS)
    controls.make_controls(campaign)
    tell(f"{shape.sentences:,} sentences of {shape.systems} systems are there")
    assigned = assigning.assign(campaign, (shape.batches + shape.batches // LEFT + 1) * SCREENS_A_BATCH)
    states.open_campaign(campaign)
    _tidy()
    tell(f"{assigned.assignments:,} assignments are dealt")
    _let_in(campaign, shape.judges)
    judgments = _answer(campaign, shape, tell)
    for judge in Membership.objects.filter(campaign=campaign, role=Membership.Role.JUDGE).select_related("campaign"):
        count_anew(judge)
    _tidy()
    return judgments


def _let_in(campaign, judges: int) -> None:
    """Judges who came by personal links, some who did not, and what the journal has of it."""
    from judgments.judges import invitations
    from judgments.models import JournalEntry
    from judgments.models.journal import THE_PLATFORM

    names = [f"judge {number:04}" for number in range(1, judges + INVITED_BESIDES + 1)]
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


def _answer(campaign, shape: Shape, tell: Callable[[str], None]) -> int:
    from benchmarks.answering import answer

    def told(done: int, turns: int) -> None:
        tell(f"{done * BATCH_SIZE:,} of {turns * BATCH_SIZE:,} assignments are judged")

    return answer(campaign.pk, shape.batches, ROUNDS, BATCH_SIZE, told)


def _tidy() -> None:
    """What PostgreSQL's own housekeeping does within minutes; SQLite has none."""
    from django.db import connection

    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE" if connection.in_atomic_block else "VACUUM ANALYZE")


def main() -> None:
    """Read the command line and fill the database that the environment names."""
    parser = ArgumentParser(prog="python -m benchmarks.large", description=__doc__)
    parser.add_argument("campaign", help="the short name of the campaign to be made")
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
