"""Disputed screens, and the page on which an organiser adjudicates one."""

from typing import Any
from uuid import uuid4

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from judgments.judging import adjudication
from judgments.judging.context import BatchPlace
from judgments.judging.submission import Begun, begun_answers
from judgments.models import Campaign, Screen
from judgments.protocols.rows import shown_slots
from judgments.rules.errors import Refused
from judgments.web.views.judging import form_of, page_of, screen_of
from judgments.web.views.shared import campaign_page, refusals_as_errors


@campaign_page("GET")
def disputes(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """List the disputed screens of a part of the text, with the answers of all judges."""
    page: dict[str, Any] = {"campaign": campaign}
    try:
        adjudication.check(campaign)
    except Refused as reason:
        return render(request, "judgments/disputes.html", page | {"reason": reason})
    part = adjudication.parts_of(campaign, request.GET.get("part"))
    listed, disputes = adjudication.disputes_in(campaign, part, request.GET.get("page"))
    page |= {"part": part, "page": listed, "disputes": disputes, "reason": ""}
    return render(request, "judgments/disputes.html", page)


@campaign_page("GET", "POST", observers=False)
def adjudicate(request: HttpRequest, campaign: Campaign, pk: int) -> HttpResponse:
    """Show a screen as judges see it, and store the organiser's answers beside theirs."""
    screens = Screen.objects.select_related("campaign", "segment", "usage").filter(automatic=False, has_control=False)
    assignment = adjudication.assignment_of(get_object_or_404(screens, campaign=campaign, pk=pk))
    slots = shown_slots(assignment)
    begun = begun_answers(assignment, slots) if assignment.pk else Begun({})
    form = form_of(assignment, request.POST or None, {"key": uuid4()} | begun.answers, slots=slots)
    if request.method == "POST" and form.is_valid():
        with refusals_as_errors(form):
            adjudication.adjudicate(assignment.screen, **form.submission())
            messages.success(request, "Your answers are stored. Reports use them if you choose adjudicated answers.")
            return redirect("disputes", campaign.slug)
    screen = screen_of(assignment, slots, form, request.path) | {"is_active": True, "is_submitted": begun.is_submitted}
    page = page_of(campaign, [screen], BatchPlace(1, 1)) | {"is_preview": True, "is_adjudication": True}
    return render(request, "judgments/adjudicate.html", page)
