"""The screens of a campaign: what a deal will give, the deal, and how a judge will see it."""

from typing import Any
from uuid import uuid4

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from judgments import tasks
from judgments.assignment import assigning, assignment_job, planning
from judgments.campaigns import access, overview
from judgments.jobs import attempts
from judgments.judging.submission import shown_slots
from judgments.models import Campaign, Deal
from judgments.protocols import protocol_of
from judgments.protocols.specification import specification_for
from judgments.rules.errors import Refused
from judgments.web.forms.assignment import AssignForm, PlanForm
from judgments.web.views.judging import page_of
from judgments.web.views.shared import in_english, refusals_as_messages


@require_safe
@login_required
@in_english
def screens(request: HttpRequest, slug: str) -> HttpResponse:
    """What is dealt, and what a deal by the settings asked for would give."""
    campaign = access.campaign_to_organise(request.user, slug)
    page = {
        "campaign": campaign,
        "progress": overview.progress(campaign),
        "pace": planning.pace(campaign),
        "assigned_before": assigning.next_batch(campaign),
        "going_on": overview.deal_going_on(campaign),
    }
    form = PlanForm(campaign, request.GET)
    if form.is_valid():
        try:
            page |= _outlook(campaign, form)
        except Refused as reason:
            form.add_error(None, str(reason))
    return render(request, "judgments/screens.html", page | {"form": form})


def _outlook(campaign: Campaign, form: PlanForm) -> dict[str, Any]:
    """The plan, or a rough one of very many assignments."""
    wished = form.settings(), form.cleaned_data["screens"]
    rough = planning.rough_plan(campaign, *wished)
    if rough:
        return {"rough": rough}
    plan = planning.plan(campaign, *wished)
    return {"plan": plan, "idle_rule": planning.idle_rule(campaign, plan.controls)}


@require_safe
@login_required
@in_english
def preview(request: HttpRequest, slug: str) -> HttpResponse:
    """A dealt screen as a judge will see it; nothing is stored."""
    campaign = access.campaign_to_organise(request.user, slug)
    screens = Paginator(overview.planned_screens(campaign), 1).get_page(request.GET.get("screen"))
    if not screens:
        messages.info(request, "There is nothing to look at yet; deal screens first.")
        return redirect("screens", slug)
    assignment = overview.first_assignment(screens[0])
    slots = shown_slots(assignment)
    form = protocol_of(campaign).form(None, specification=specification_for(assignment), initial={"key": uuid4()})
    page = page_of(assignment, slots, form) | {"number": screens.number, "count": screens.paginator.count}
    return render(request, "judgments/preview.html", page)


@require_POST
@login_required
@in_english
def assign(request: HttpRequest, slug: str) -> HttpResponse:
    """Deal as planned; judges are let in by opening the campaign."""
    campaign = access.campaign_to_organise(request.user, slug)
    form = AssignForm(campaign, request.POST)
    if not form.is_valid():
        messages.error(request, "Nothing was dealt, as something in the plan is not possible. Look at it again.")
        return redirect("screens", slug)
    given = form.cleaned_data
    wished = form.settings(), given["screens"], given.get("with_controls", False)
    with refusals_as_messages(request):
        assignment_job.check_plan(campaign, given["assigned_before"])
        assigned = assignment_job.carry_out(campaign, request.user, *wished)
        if isinstance(assigned, Deal):
            tasks.enqueue(assigned)
            return redirect("show_deal", slug, assigned.pk)
        messages.success(request, f"{assigned.screens} screens are dealt to {assigned.assignments} assignments.")
        return redirect("organise", slug)
    return redirect("screens", slug)


@require_safe
@login_required
@in_english
def show_deal(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """How far a large deal is, or what became of it."""
    asked = access.deal_of(request.user, slug, pk)
    if asked.state == asked.State.DONE:
        messages.success(
            request, f"{asked.dealt['screens']} screens are dealt to {asked.dealt['assignments']} assignments."
        )
        return redirect("organise", slug)
    return render(request, "judgments/show_deal.html", {"campaign": asked.campaign, "deal": asked})


@require_safe
@login_required
def deal_state(request: HttpRequest, slug: str, pk: int) -> JsonResponse:
    """How far the work is, for the page that waits."""
    return JsonResponse(access.deal_of(request.user, slug, pk).told())


@require_POST
@login_required
@in_english
def cancel_deal(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Stop a large deal."""
    asked = access.deal_of(request.user, slug, pk)
    with refusals_as_messages(request):
        if not attempts.cancel(asked):
            messages.error(request, "This was over already.")
    return redirect("show_deal", slug, pk)
