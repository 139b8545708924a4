"""Runs as jobs: a worker lets a program answer assignments at an endpoint that the operator offers.

Organisers choose among the operator's endpoints and enter no addresses: a worker can reach what they cannot.
"""

import os
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from django.conf import settings

from judgments.jobs.attempts import Attempt
from judgments.jobs.control import create_single
from judgments.jobs.kinds import LONG, handles
from judgments.jobs.tasks import enqueue
from judgments.judges import programs
from judgments.models import Assignment, Campaign, ProgramRun, Screen
from judgments.models.members import Visitor
from judgments.programs.endpoints import (
    EDIT_DISTANCE,
    ChatEndpoint,
    Endpoint,
    EndpointError,
    RuleEndpoint,
    is_local,
)
from judgments.programs.platform import Platform, PlatformError
from judgments.programs.running import Choices, Outcome, run
from judgments.programs.storing import prompt_of
from judgments.rules.errors import Refused

BUSY = "This program is already running. Wait until it has finished, or cancel it."
LEAVES = (
    "sends the sentences, their neighbours, the systems' outputs without names, and your instructions to {}, outside"
    " this network. Allow it only if the texts may be passed on."
)


def offered() -> dict[str, str]:
    """The endpoints that organisers can choose from by name, each with its address; a rule has none."""
    return {EDIT_DISTANCE: ""} | settings.PROGRAM_ENDPOINTS


def key_of(name: str) -> str:
    """The key of an endpoint, from the environment alone."""
    return os.environ.get(f"PROGRAM_KEY_{name.upper().replace('-', '_')}", "")


def what_leaves(name: str) -> str:
    """What the endpoint would learn, in words; empty if it is in this network."""
    url = offered()[name]
    return "" if not url or is_local(url) else f"{name} {LEAVES.format(url)}"


def request(
    campaign: Campaign, user: Visitor, name: str, endpoint: str, choices: Choices, may_leave: bool = False
) -> ProgramRun:
    """Enrol the program if it is new, and let a worker run it."""
    programs.check_takes_unplanned(campaign)
    if endpoint not in offered():
        raise Refused(f"There is no endpoint {endpoint!r}; choose from {', '.join(offered())}.")
    if (leaves := what_leaves(endpoint)) and not may_leave:
        raise Refused(leaves)
    prompt_of(campaign)
    program = programs.seat(campaign, name)
    run = create_single(
        ProgramRun, BUSY, campaign=campaign, requested_by=user, program=program, endpoint=endpoint,
        choices=asdict(choices),
    )  # fmt: skip
    enqueue(run)
    return run


@handles(ProgramRun, LONG, explained=(EndpointError, PlatformError))
def answer(job: ProgramRun, attempt: Attempt) -> None:
    """Let the program answer; what an earlier attempt did counts on."""
    attempt.step("asking", 0.0)
    before = {name: getattr(job, name) for name in ("answered", "unreadable", "tokens", "cost")}
    screens = Screen.objects.filter(campaign=job.campaign, automatic=False).count()
    judged = Assignment.objects.held_by(job.program).done().count()

    def note(outcome: Outcome) -> None:
        done = min((judged + outcome.answered) / max(screens, 1), 1.0)
        attempt.write(progress=done, **_sums(before, outcome))

    platform = Platform(settings.PROGRAM_SITE, job.campaign.slug, programs.token_of_seat(job.program))
    outcome = run(platform, _opened(job.endpoint), Choices(**job.choices), note)
    attempt.finish(stopped=outcome.stopped, **_sums(before, outcome))


def _opened(name: str) -> Endpoint:
    url = offered().get(name)
    if url is None:
        raise EndpointError(f"The operator no longer offers the endpoint {name}.")
    return ChatEndpoint(url, key_of(name)) if url else RuleEndpoint()


def _sums(before: Mapping[str, Any], outcome: Outcome) -> dict[str, Any]:
    return {name: value + getattr(outcome, name) for name, value in before.items()}
