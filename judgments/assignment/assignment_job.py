"""Deals by a worker: asked for, carried out as a whole, cancelled."""

from dataclasses import asdict
from typing import Any

from django.db import IntegrityError, transaction

from judgments.assignment import assigning, planning
from judgments.jobs.attempts import Attempt
from judgments.models import Campaign, Deal, Work
from judgments.models.journal import acting
from judgments.models.members import Visitor
from judgments.rules.errors import Refused

MISFIT = "Nothing was assigned."
CHOOSING = "choosing screens and dealing them"
ON_ITS_WAY = "Screens are being dealt already. Wait until that is over, or cancel it."


def ask(campaign: Campaign, user: Visitor, settings: dict[str, Any], screens: int | None, with_controls: bool) -> Deal:
    """A deal that waits for a worker; one at a time."""
    try:
        with transaction.atomic():
            return Deal.objects.create(
                campaign=campaign, asked_by_id=user.pk, settings=settings, screens=screens, with_controls=with_controls
            )
    except IntegrityError as error:
        raise Refused(ON_ITS_WAY) from error


def carry_out(
    campaign: Campaign, user: Visitor, settings: dict[str, Any], screens: int | None, with_controls: bool
) -> assigning.Assigned | Deal:
    """Deal while somebody waits, or have a worker deal very many assignments; not while another deal is on its way."""
    if Deal.objects.filter(campaign=campaign).exclude(state__in=Work.OVER).exists():
        raise Refused(ON_ITS_WAY)
    if planning.takes_long(campaign, settings, screens):
        return ask(campaign, user, settings, screens, with_controls)
    return planning.launch_at_once(campaign, settings, screens, with_controls)


def check_plan(campaign: Campaign, assigned_before: int | None) -> None:
    """Refuse to deal by a plan that was made before something else was dealt, as by a button pressed twice."""
    if assigned_before is not None and assigned_before != assigning.next_batch(campaign):
        raise Refused("Screens were dealt in the meantime. Look at the plan again before you deal more.")


def run(deal_id: int) -> None:
    """Carry out a queued deal; a second call for the same one, or a call too late, does nothing."""
    attempt = Attempt.begun(Deal.objects.all(), deal_id, MISFIT)
    if attempt is None:
        return
    with attempt.going_on():
        attempt.step(CHOOSING, 0.0)
        deal = Deal.objects.select_related("campaign", "asked_by").get(pk=deal_id)
        who = deal.asked_by.get_username() if deal.asked_by else ""
        with acting(lambda: who), transaction.atomic():
            assigned = planning.launch(
                deal.campaign, deal.settings, deal.screens, deal.with_controls, False, attempt.progress(0.0, 1.0)
            )
            attempt.finish(dealt=asdict(assigned))
