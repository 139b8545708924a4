"""What the form of a protocol asks about at a seat, or in an example of the tutorial."""

from judgments.models import Seat
from judgments.protocols.base import Asking
from judgments.rules.tutorials import Example


def asking_at(seat: Seat) -> Asking:
    """A place for each candidate; one where there are none."""
    return Asking(len(seat.order) or 1)


def asking_in(example: Example) -> Asking:
    """The same for an example, which has a version for each place."""
    return Asking(len(example.versions))
