"""Making controls: screens whose right answer is known."""

from django.db import transaction

from judgments.assignment.rules.controls import add_errors_to_all
from judgments.material.rules.contents import Lines, Material
from judgments.material.storing import Taken, store_material
from judgments.models import Campaign, Segment, System
from judgments.rules.errors import Refused

CONTROL_NAME = "source+error"


@transaction.atomic
def make_controls(campaign: Campaign) -> Taken:
    """Add a control to the systems: every source sentence with one or two errors added."""
    if System.objects.filter(campaign=campaign, kind=System.Kind.CONTROL).exists():
        raise Refused("The campaign already has a control.")
    sources = Segment.objects.filter(campaign=campaign).order_by("position").values_list("text", flat=True)
    if not sources or None in sources:
        raise Refused("Controls are made from source sentences, but the campaign has none.")
    control = Lines(CONTROL_NAME, add_errors_to_all([text or "" for text in sources], campaign.seed))
    return store_material(campaign, Material(places=[], source=None, controls=[control]))
