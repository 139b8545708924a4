"""What the form of a protocol asks about at a seat, or in an example of the tutorial."""

from judgments.lessons import categories_offered
from judgments.models import Campaign, Seat
from judgments.protocols import PROTOCOLS
from judgments.protocols.base import Asking
from judgments.rules.tutorials import Example


def asking_at(seat: Seat) -> Asking:
    """A place for each candidate; where there are none one, for what is said of the sentence itself."""
    if PROTOCOLS[seat.campaign.protocol].has_candidates:
        return Asking(len(seat.order))
    return Asking(1, seat.screen.segment.text or "", categories_offered(seat.campaign))


def asking_in(campaign: Campaign, example: Example) -> Asking:
    """The same for an example, which has a version for each place."""
    return Asking(len(example.versions), example.source, categories_offered(campaign))
