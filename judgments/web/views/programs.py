"""Programs that judge: their tokens, runs at endpoints, the prompt, and what they wrote."""

from dataclasses import asdict
from typing import Any

from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from judgments.actions.programs import ChangePrompt, EnrolProgram, RunProgram
from judgments.models import Campaign, ProgramRun
from judgments.programs import runs, storing
from judgments.programs.running import RunChoices
from judgments.protocols import protocol_of
from judgments.web.actions import carry_out
from judgments.web.forms.campaigns import Group
from judgments.web.views.shared import campaign_page

SELDOM = ("probes", "samples", "temperature", "seed", "at_once")


class RunForm(RunProgram):
    @property
    def group(self) -> Group:
        """The fields, with those folded that are rarely changed."""
        usual, seldom = ([one for one in self if (one.name in SELDOM) == folded] for folded in (False, True))
        return Group("", usual, [], seldom)


@campaign_page("GET")
def programs(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Show everything about programs; a token is shown once, to the organiser who requested it."""
    return _page(request, campaign)


@campaign_page("POST")
def run_program(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    form = RunForm(campaign, None, request.user, data=request.POST)
    return carry_out(request, form) or _page(request, campaign, run_form=form)


@campaign_page("POST")
def change_prompt(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    form = ChangePrompt(campaign, None, request.user, data=request.POST)
    return carry_out(request, form) or _page(request, campaign, prompt_form=form)


def _page(request: HttpRequest, campaign: Campaign, **forms: Form) -> HttpResponse:
    prompt, ready_made = storing.newest_prompt(campaign), protocol_of(campaign).prompt
    past = list(ProgramRun.objects.filter(campaign=campaign).select_related("program")[: runs.SHOWN])
    usual = asdict(RunChoices("")) | (past[0].choices | {"endpoint": past[0].endpoint} if past else {})
    page: dict[str, Any] = {
        "form": EnrolProgram(campaign),
        "run_form": RunForm(campaign, initial=usual),
        "prompt_form": ChangePrompt(campaign, initial={"text": prompt.text if prompt else ""}),
        "campaign": campaign,
        "programs": storing.with_costs(campaign),
        "runs": past,
        "running": [run for run in past if not run.is_over],
        "has_endpoints": len(runs.endpoints_offered()) > 1,
        "prompt": prompt,
        "ready_made": "" if prompt and prompt.text == ready_made else ready_made,
        "said": storing.recent_replies(campaign),
    }
    return render(request, "judgments/programs.html", page | forms)
