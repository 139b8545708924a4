"""The screens of a campaign: what a deal will give, the deal, and how a judge will see it."""

from uuid import uuid4

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from judgments import access, launching, overview
from judgments.faults import Refused
from judgments.forms.dealing import DealForm
from judgments.protocols import PROTOCOLS
from judgments.submission import shown_slots
from judgments.views.english import in_english
from judgments.views.judging import page_of


@require_safe
@login_required
@in_english
def screens(request: HttpRequest, slug: str) -> HttpResponse:
    """What is dealt, and what a deal by the settings asked for would give."""
    campaign = access.campaign_to_organise(request.user, slug)
    page = {"campaign": campaign, "progress": overview.progress(campaign), "pace": launching.pace(campaign)}
    form = DealForm(campaign, request.GET)
    if form.is_valid():
        try:
            page["plan"] = launching.plan(campaign, form.settings(), form.cleaned_data["screens"])
        except Refused as reason:
            form.add_error(None, str(reason))
    return render(request, "judgments/screens.html", page | {"form": form})


@require_safe
@login_required
@in_english
def preview(request: HttpRequest, slug: str) -> HttpResponse:
    """A dealt screen as a judge will see it; nothing is stored."""
    campaign = access.campaign_to_organise(request.user, slug)
    screens = Paginator(overview.dealt_screens(campaign), 1).get_page(request.GET.get("screen"))
    if not screens:
        messages.info(request, "There is nothing to look at yet; deal screens first.")
        return redirect("screens", slug)
    seat = overview.first_seat(screens[0])
    slots = shown_slots(seat)
    form = PROTOCOLS[campaign.protocol].form(None, candidates=len(slots), initial={"key": uuid4()})
    page = page_of(seat, slots, form) | {"number": screens.number, "count": screens.paginator.count}
    return render(request, "judgments/preview.html", page)


@require_POST
@login_required
@in_english
def deal(request: HttpRequest, slug: str) -> HttpResponse:
    """Deal as planned; judges are let in by opening the campaign."""
    campaign = access.campaign_to_organise(request.user, slug)
    form = DealForm(campaign, request.POST)
    if form.is_valid():
        given = form.cleaned_data
        try:
            dealt = launching.launch_at_once(
                campaign, form.settings(), given["screens"], given.get("with_controls", False)
            )
        except Refused as reason:
            messages.error(request, str(reason))
        else:
            messages.success(request, f"{dealt.screens} screens are dealt to {dealt.seats} seats.")
            return redirect("organise", slug)
    else:
        messages.error(request, "Nothing was dealt, as something in the plan is not possible. Look at it again.")
    return redirect("screens", slug)
