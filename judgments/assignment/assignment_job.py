"""Assigning screens: within the request, or in a worker if there are very many."""

from dataclasses import asdict
from typing import Any

from django.db import transaction

from judgments.assignment import assigning, planning
from judgments.jobs.attempts import Attempt
from judgments.jobs.control import create_single
from judgments.jobs.kinds import handles
from judgments.jobs.tasks import enqueue
from judgments.models import AssignmentJob, Campaign
from judgments.models.members import Visitor
from judgments.rules.errors import Refused

ASSIGNING = "choosing and assigning screens"
UNFINISHED = "Screens are already being assigned. Wait until that job has finished, or cancel it."


def request(
    campaign: Campaign, user: Visitor, settings: dict[str, Any], screens: int | None, with_controls: bool
) -> AssignmentJob:
    """Create a job for a worker; a campaign has at most one at a time."""
    return enqueue(
        create_single(
            AssignmentJob, UNFINISHED, campaign=campaign, requested_by_id=user.pk, settings=settings, screens=screens,
            with_controls=with_controls,
        )
    )  # fmt: skip


def assign_or_request(
    campaign: Campaign, user: Visitor, settings: dict[str, Any], screens: int | None, with_controls: bool
) -> assigning.Assigned | AssignmentJob:
    """Assign within the request, or create a job for very many assignments; refused while a job is running."""
    if AssignmentJob.objects.unfinished().filter(campaign=campaign).exists():
        raise Refused(UNFINISHED)
    if planning.takes_long(campaign, settings, screens):
        return request(campaign, user, settings, screens, with_controls)
    return planning.launch_at_once(campaign, settings, screens, with_controls)


def check_plan(campaign: Campaign, assigned_before: int | None) -> None:
    """Refuse a plan made before other screens were assigned, for example when a button was pressed twice."""
    if assigned_before is not None and assigned_before != assigning.next_batch(campaign):
        raise Refused("Screens have been assigned in the meantime. Check the new plan before you assign more.")


@handles(AssignmentJob)
def assign(job: AssignmentJob, attempt: Attempt) -> None:
    """Assign everything in one transaction."""
    attempt.step(ASSIGNING, 0.0)
    with transaction.atomic():
        assigned = planning.launch(
            job.campaign, job.settings, job.screens, job.with_controls, False, attempt.progress(0.0, 1.0)
        )
        attempt.finish(assigned=asdict(assigned))
