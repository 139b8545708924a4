"""Runs as jobs: a worker lets a program answer assignments at an endpoint that the operator offers.

Organisers choose among the operator's endpoints and enter no addresses: a worker can reach what they cannot.
"""

import os
import time
from dataclasses import asdict
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from judgments.jobs.attempts import Attempt, StaleAttempt
from judgments.jobs.control import create_single
from judgments.jobs.tasks import enqueue, wake_worker
from judgments.judges import programs
from judgments.models import Assignment, Campaign, ProgramRun
from judgments.models.jobs import LONG
from judgments.models.members import Visitor
from judgments.programs.endpoints import EDIT_DISTANCE, ChatEndpoint, Endpoint, EndpointError, RuleEndpoint, is_local
from judgments.programs.platform import PlatformClient, PlatformError
from judgments.programs.running import RunChoices, RunOutcome, run
from judgments.programs.storing import stored_prompt
from judgments.rules.errors import Refused

# The seconds after which other jobs have their turn, and the work by which all others of its owner go first.
TURN, WORK = 60.0, 86_400.0
SHOWN = 10
SUMS = ("answered", "unreadable", "tokens", "cost", "after")
BUSY = "This program is already running. Wait until it has finished, or cancel it."
LEAVES = (
    "sends the sentences, their neighbours, the systems' outputs without names, and your instructions to {}, outside"
    " this network. Allow it only if the texts may be passed on."
)


def endpoints_offered() -> dict[str, str]:
    """The endpoints that organisers can choose from by name, each with its address; a rule has none."""
    return {EDIT_DISTANCE: ""} | settings.PROGRAM_ENDPOINTS


def key_of(name: str) -> str:
    """The key of an endpoint, from the environment alone."""
    return os.environ.get(f"PROGRAM_KEY_{name.upper().replace('-', '_')}", "")


def what_leaves(name: str) -> str:
    """What the endpoint would learn, in words; empty if it is in this network."""
    url = endpoints_offered()[name]
    return "" if not url or is_local(url) else f"{name} {LEAVES.format(url)}"


@transaction.atomic
def request(
    campaign: Campaign, user: Visitor | None, name: str, endpoint: str, choices: RunChoices, may_leave: bool = False
) -> ProgramRun:
    """Enrol the program if it is new, and let a worker run it; without a name it has that of the model."""
    campaign.check_takes_unplanned()
    if endpoint not in endpoints_offered():
        raise Refused(f"There is no endpoint {endpoint!r}; choose from {', '.join(endpoints_offered())}.")
    if choices.fault:
        raise Refused(choices.fault)
    if (leaves := what_leaves(endpoint)) and not may_leave:
        raise Refused(leaves)
    if stored_prompt(campaign) is None:
        raise Refused("There is no ready-made prompt for this protocol; write one on the page Programs.")
    program = programs.enrolled_program(campaign, name or choices.name)
    run = create_single(
        ProgramRun, BUSY, campaign=campaign, requested_by=user, about=program.pseudonym, program=program,
        endpoint=endpoint, choices=asdict(choices), work=WORK,
    )  # fmt: skip
    enqueue(run)
    return run


def answer(job: ProgramRun, attempt: Attempt) -> None:
    """Let the program answer for a while, and then let other jobs have their turn; what was done before counts on."""
    screens = programs.count_judgeable(job.campaign)
    began, choices = time.monotonic(), RunChoices(**job.choices)

    def show(outcome: RunOutcome) -> None:
        done = Assignment.objects.held_by(job.program).done().count()
        goal = min(screens, done - outcome.answered + (choices.most or screens))
        cost = f", cost {outcome.cost:.4g}" if outcome.cost else ""
        step = f"asking {choices.model[:100]}, {done:,} of {screens:,} screens judged{cost}"
        attempt.step(step, min(done / max(goal, 1), 1.0))
        attempt.write(**_sums(outcome))

    def note(outcome: RunOutcome) -> None:
        show(outcome)
        if time.monotonic() - began > TURN:
            # Back to the queue; only what ends a worker counts as a failed attempt, so this one is not counted.
            attempt.write(state=job.State.QUEUED, queued_at=timezone.now(), attempt=attempt.number - 1)
            wake_worker(LONG)
            raise StaleAttempt

    platform = PlatformClient(settings.PROGRAM_SITE, job.campaign.slug, programs.program_token(job.program))
    outcome = RunOutcome(**{name: getattr(job, name) for name in SUMS})
    show(outcome)
    try:
        run(platform, _opened(job.endpoint), choices, note, outcome)
    except (EndpointError, PlatformError) as reason:
        attempt.write(**_sums(outcome))
        attempt.fail(str(reason))
        return
    attempt.finish(stopped=outcome.stopped, **_sums(outcome))


def _opened(name: str) -> Endpoint:
    url = endpoints_offered().get(name)
    if url is None:
        raise EndpointError(f"The operator no longer offers the endpoint {name}.")
    return ChatEndpoint(url, key_of(name)) if url else RuleEndpoint()


def _sums(outcome: RunOutcome) -> dict[str, Any]:
    return {name: getattr(outcome, name) for name in SUMS}
