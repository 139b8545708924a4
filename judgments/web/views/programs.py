"""Programs that judge: their tokens, runs at endpoints, the prompt, and what they wrote."""

from dataclasses import asdict
from typing import Any

from django.contrib import messages
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from judgments.campaigns import access
from judgments.judges import programs as program_services
from judgments.models import Campaign, ProgramRun
from judgments.programs import runs, storing
from judgments.protocols import protocol_of
from judgments.web.forms.programs import USUAL, ProgramForm, PromptForm, RunForm
from judgments.web.views.shared import campaign_page, refusals_as_errors, refusals_as_messages


@campaign_page("GET", "POST")
def programs(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Show everything about programs; a token is shown once, to the organiser who requested it."""
    form = ProgramForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        name = form.cleaned_data["name"]
        with refusals_as_errors(form, "name"):
            messages.success(request, f"The token of {name}, shown only now: {program_services.enrol(campaign, name)}")
            return redirect("programs", campaign.slug)
    return _page(request, campaign, form=form)


@campaign_page("POST")
def run_program(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    form = RunForm(request.POST)
    if form.is_valid():
        with refusals_as_errors(form):
            runs.request(campaign, request.user, **form.asked())
            return redirect("programs", campaign.slug)
    return _page(request, campaign, run_form=form)


@campaign_page("POST")
def change_prompt(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    form = PromptForm(request.POST)
    if form.is_valid():
        with refusals_as_errors(form):
            prompt = storing.change_prompt(campaign, form.cleaned_data["text"])
            messages.success(request, f"Programs are now asked with version {prompt.version} of the prompt.")
            return redirect("programs", campaign.slug)
    return _page(request, campaign, prompt_form=form)


@campaign_page("POST")
def dismiss_program(request: HttpRequest, campaign: Campaign, pk: int) -> HttpResponse:
    program = access.program_to_organise(campaign, pk)
    with refusals_as_messages(request):
        program_services.dismiss(program)
        messages.success(request, f"{program.pseudonym} was dismissed. Its judgments stay stored.")
    return redirect("programs", campaign.slug)


def _page(request: HttpRequest, campaign: Campaign, **forms: Form) -> HttpResponse:
    prompt, ready_made = storing.newest_prompt(campaign), protocol_of(campaign).prompt
    past = list(ProgramRun.objects.filter(campaign=campaign).select_related("program")[: runs.SHOWN])
    usual = asdict(USUAL) | (past[0].choices | {"endpoint": past[0].endpoint} if past else {})
    page: dict[str, Any] = {
        "form": ProgramForm(),
        "run_form": RunForm(initial=usual),
        "prompt_form": PromptForm(initial={"text": prompt.text if prompt else ""}),
        "campaign": campaign,
        "programs": storing.with_costs(campaign),
        "runs": past,
        "running": [run for run in past if not run.is_over],
        "has_endpoints": len(runs.offered()) > 1,
        "prompt": prompt,
        "ready_made": "" if prompt and prompt.text == ready_made else ready_made,
        "said": storing.worth_reading(campaign),
    }
    return render(request, "judgments/programs.html", page | forms)
