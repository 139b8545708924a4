"""The screens of a campaign: planning, assigning, and previewing them."""

from typing import Any
from uuid import uuid4

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import urlencode

from judgments.actions.campaigns import sentence_on_assigned
from judgments.assignment import assigning, planning
from judgments.campaigns import overview, steps
from judgments.judges import exclusion
from judgments.judging.context import BatchPlace
from judgments.judging.preview import preview_of
from judgments.models import AssignmentJob, Campaign
from judgments.protocols import protocol_of
from judgments.rules.errors import Refused
from judgments.web.forms.campaigns import ScreensForm
from judgments.web.views.judging import form_of, page_of, screen_of
from judgments.web.views.shared import campaign_page, refusals_as_errors


@campaign_page("GET")
def screens(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Show the assigned screens, and a preview of the plan for more."""
    page = {
        "campaign": campaign,
        "progress": overview.progress(campaign),
        "pace": planning.pace(campaign),
        "assigned_before": assigning.next_batch(campaign),
        "job": AssignmentJob.objects.unfinished().newest(campaign),
        "withdrawable": assigning.can_be_withdrawn(campaign),
    }
    page["left_out"] = steps.left_out(campaign, page["progress"].screens)
    form = ScreensForm(campaign, request.GET)
    if not form.is_bound and not page["progress"].screens:
        form = ScreensForm(campaign, form.as_it_is())
    if form.is_valid():
        with refusals_as_errors(form):
            page |= _preview(campaign, form)
    return render(request, "judgments/screens.html", page | {"form": form})


def _preview(campaign: Campaign, form: ScreensForm) -> dict[str, Any]:
    """The plan, or an estimate for very many assignments."""
    request = form.settings(), form.cleaned_data["screens"]
    about = planning.scope_of(campaign, form.settings())
    if rough := planning.rough_plan(campaign, *request):
        return {"rough": rough, "about": about}
    plan = planning.plan(campaign, *request, form.cleaned_data.get("make_controls", False))
    can_predict = protocol_of(campaign).can_be_simulated
    judges = form.cleaned_data.get("judges")
    return {
        "query": urlencode({name: value for name, value in form.data.items() if value is not None}),
        "simulates": plan.assignments <= planning.MOST_ASSIGNMENTS_SIMULATED,
        "plan": plan,
        "judges": judges,
        "hours_each": plan.hours / judges if judges else None,
        "about": about,
        "can_predict": can_predict,
        "rule": exclusion.rule_of(campaign),
        "too_few": steps.too_few_judges(campaign, judges or 0, form.settings().get("redundancy")),
        "idle_rule": steps.idle_rule(campaign, plan.controls),
    }


@campaign_page("GET", "POST")
def preview(request: HttpRequest, campaign: Campaign, number: int = 1) -> HttpResponse:
    """Show the judging page with a screen of the first batch to try, then the next; nothing is stored."""
    try:
        tried = preview_of(campaign, number)
    except Refused as reason:
        return render(request, "judgments/preview_end.html", {"campaign": campaign, "reason": reason})
    if not tried:
        return render(request, "judgments/preview_end.html", {"campaign": campaign, "reason": None})
    screens = []
    for assignment, slots, place in tried:
        is_active = place.number == number
        given = request.POST or None if is_active else None
        form = form_of(assignment, given, {"key": uuid4()}, f"id_{place.number}_%s", slots)
        if form.is_valid():
            return redirect("preview", campaign.slug, number + 1)
        address = reverse("preview", args=[campaign.slug, place.number])
        screens.append(screen_of(assignment, slots, form, address) | {"is_active": is_active, "is_submitted": False})
    page = page_of(campaign, screens, BatchPlace(number, tried[0].place.of)) | {"is_preview": True}
    return render(request, "judgments/preview.html", page)


@campaign_page("GET")
def assignment_job(request: HttpRequest, campaign: Campaign, pk: int) -> HttpResponse:
    """Show the progress or outcome of a job that assigns very many screens."""
    job = get_object_or_404(AssignmentJob, campaign=campaign, pk=pk)
    if job.state == job.State.DONE:
        messages.success(request, sentence_on_assigned(campaign, **job.outcome))
        return redirect("organise", campaign.slug)
    return render(request, "judgments/assignment_job.html", {"campaign": campaign, "job": job})
