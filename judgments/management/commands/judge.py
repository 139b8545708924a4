"""Let a program judge: ask a language model, or a rule, about every screen of a campaign that it has not judged.

The endpoint has OpenAI's chat interface (Ollama, vLLM, LM Studio, llama-server, hosted services). Its key is read from
the environment variable PROGRAM_KEY and stored nowhere. Start it again after it was ended: nothing is judged twice.
Examples:

  python manage.py judge mytask --endpoint http://127.0.0.1:11434/v1 --model llama3.1:8b
  python manage.py judge mytask --endpoint edit-distance
"""

import os
from typing import Any

from django.conf import settings
from django.core.management import CommandError

from judgments.actions.programs import RunProgram
from judgments.judges import programs
from judgments.management.base import CAMPAIGN, PlatformCommand, argument, option
from judgments.models import Campaign
from judgments.programs.endpoints import (
    EDIT_DISTANCE,
    ChatEndpoint,
    Endpoint,
    EndpointError,
    RuleEndpoint,
    check_url,
    is_local,
)
from judgments.programs.platform import PlatformClient, PlatformError, check_is_reached
from judgments.programs.running import RunChoices, RunOutcome, run
from judgments.programs.runs import LEAVES

USUAL = RunChoices("")
OF_RUNS = ("seed", "probes", "samples", "most", "price_in", "price_out", "most_cost", "at_once")


class Command(PlatformCommand):
    arguments = (
        CAMPAIGN,
        argument("--endpoint", required=True, metavar="URL", help=f"its address up to /v1, or {EDIT_DISTANCE}"),
        argument("--model", metavar="NAME", help=f"the model to ask for; {EDIT_DISTANCE} has none"),
        argument("--as", dest="name", metavar="NAME", help="its name in reports (default: that of the model)"),
        argument("--texts-may-leave", action="store_true", help="allow an endpoint outside this network"),
        argument("--temperature", type=float, nargs="?", default=USUAL.temperature, help="default: 0; alone: none"),
        *(option(name, RunProgram.base_fields[name]) for name in OF_RUNS),
        argument("--per-minute", type=float, default=0, help="at most so many requests a minute (default: no limit)"),
        argument("--site", help="the address of the platform (default: SITE_URL)"),
    )

    def run(
        self, campaign: Campaign, endpoint: str, model: str | None, name: str | None, options: dict[str, Any]
    ) -> str:
        given = {one: options[one] for one in OF_RUNS if options[one] is not None}
        try:
            asked = self._opened(endpoint, options)
            choices = RunChoices(self._model(endpoint, model), options["temperature"], **given)
            if choices.fault:
                raise CommandError(choices.fault)
            site = options["site"] or settings.SITE_URL
            check_is_reached(site)
            program = programs.enrolled_program(campaign, name or choices.name)
            platform = PlatformClient(site, campaign.slug, programs.program_token(program))
            outcome = run(platform, asked, choices, self._note)
        except (EndpointError, PlatformError) as reason:
            raise CommandError(str(reason)) from reason
        if not outcome.answered and not outcome.unreadable and not outcome.stopped:
            return f"0 judged: {program.pseudonym} has judged every screen before."
        return f"{_summary(outcome)} {outcome.stopped}".strip()

    def _model(self, endpoint: str, model: str | None) -> str:
        if endpoint == EDIT_DISTANCE:
            if model:
                raise CommandError(f"{EDIT_DISTANCE} has no model; leave --model out. --as gives it another name.")
            return EDIT_DISTANCE
        if not model:
            raise CommandError("Name the model with --model, as the endpoint names it.")
        return model

    def _opened(self, endpoint: str, options: dict[str, Any]) -> Endpoint:
        if endpoint == EDIT_DISTANCE:
            return RuleEndpoint()
        check_url(endpoint)
        if not is_local(endpoint) and not options["texts_may_leave"]:
            raise CommandError(f"This {LEAVES.format(endpoint)} To allow it, add --texts-may-leave.")
        return ChatEndpoint(endpoint, os.environ.get("PROGRAM_KEY", ""), per_minute=options["per_minute"])

    def _note(self, outcome: RunOutcome) -> None:
        self.stderr.write(_summary(outcome))


def _summary(outcome: RunOutcome) -> str:
    unreadable = f", {outcome.unreadable} could not be read" if outcome.unreadable else ""
    cost = f", {outcome.tokens:,} tokens, cost {outcome.cost:.4g}" if outcome.tokens else ""
    return f"{outcome.answered} judged{unreadable}{cost}."
