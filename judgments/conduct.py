"""Counting how judges work: at the end of a batch, and when an organiser asks for it."""

from dataclasses import asdict

from django.db.models import Max

from judgments.models import Conduct, Membership, Seat
from judgments.people import LONG_AGO
from judgments.quality import figures_of
from judgments.rules.conduct import Figures


def count_anew(judge: Membership) -> Figures:
    """The figures of a judge as they are now, kept for the table of judges."""
    # What is submitted meanwhile is not among the figures, and counted as newer than them.
    newest = Seat.objects.held_by(judge).done().aggregate(newest=Max("submitted_at"))["newest"]
    found = figures_of(judge, newest or LONG_AGO)
    told = asdict(found) | {"counted_up_to": newest}
    Conduct.objects.bulk_create(
        [Conduct(judge=judge, **told)], update_conflicts=True, unique_fields=["judge"], update_fields=told
    )
    return found
