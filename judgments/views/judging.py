"""Judging: begin, answer a seat, go on."""

from uuid import uuid4

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from judgments import access, scheduling, submission
from judgments.faults import Refused
from judgments.models import Membership, Seat, Slot
from judgments.protocols import PROTOCOLS
from judgments.protocols.base import AnswerForm, JudgingProtocol
from judgments.showing import showing

ANSWERS_A_PAGE = 50


@require_safe
@login_required
def campaign(request: HttpRequest, slug: str) -> HttpResponse:
    """What the campaign is about, and the button to begin or go on."""
    campaign = access.campaign_for(request.user, slug)
    judge = access.judge_in(request.user, campaign)
    done = Seat.objects.held_by(judge).done().count() if judge else 0
    organises = access.is_organiser(request.user, campaign)
    page = {"campaign": campaign, "judge": judge, "done": done, "organises": organises}
    return render(request, "judgments/campaign.html", page)


@require_POST
@login_required
def begin(request: HttpRequest, slug: str) -> HttpResponse:
    """Claim the next seat and go there."""
    return _next(request, access.judge_of(request.user, slug))


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def seat(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a seat's screen, or take the answers and go on with the next seat."""
    seat = access.seat_of(request.user, pk)
    protocol = PROTOCOLS[seat.campaign.protocol]
    slots = [] if request.POST else submission.shown_slots(seat)
    begun = {} if request.POST else submission.begun_answers(seat, slots)
    form = protocol.form(request.POST or None, candidates=len(seat.order), initial={"key": uuid4()} | begun)
    by_script = request.get_preferred_type(["text/html", "application/json"]) == "application/json"
    if form.is_valid():
        try:
            submission.submit(seat, **form.submission())
        except Refused as reason:
            if by_script:
                return JsonResponse({"message": str(reason)}, status=409)
            messages.error(request, str(reason))
        if by_script:
            return JsonResponse({"message": "saved"})
        return _next(request, access.holder_of(seat))
    if by_script:
        return JsonResponse({"message": "This answer was not complete. Reload the page and answer again."}, status=400)
    return render(request, "judgments/seat.html", _page(seat, slots or submission.shown_slots(seat), form, protocol))


@require_POST
@login_required
def next_seat(request: HttpRequest, pk: int) -> HttpResponse:
    """Claim the seat after this one ahead, so that its page is there when this one is answered."""
    seat = access.seat_of(request.user, pk)
    try:
        following = scheduling.claim_next(access.holder_of(seat), after=seat)
    except Refused:
        following = None
    return redirect("seat", following.pk) if following else HttpResponse(status=204)


@require_POST
@login_required
def draft(request: HttpRequest, pk: int) -> HttpResponse:
    """Keep what is filled in so far; the page sends it by itself."""
    seat = access.seat_of(request.user, pk)
    form = PROTOCOLS[seat.campaign.protocol].form(request.POST, candidates=len(seat.order))
    answers = form.draft()
    try:
        submission.save_draft(seat, answers, form.cleaned_data.get("active"))
    except Refused as reason:
        return JsonResponse({"message": str(reason)}, status=409)
    return JsonResponse({"saved": len(answers)})


@require_safe
@login_required
def answers(request: HttpRequest, slug: str) -> HttpResponse:
    """What a judge has answered so far, newest first, each to be looked at and changed."""
    judge = access.judge_of(request.user, slug)
    seats = Seat.objects.held_by(judge).done().select_related("screen__segment").order_by("-submitted_at")
    page = Paginator(seats, ANSWERS_A_PAGE).get_page(request.GET.get("page"))
    return render(request, "judgments/answers.html", {"campaign": judge.campaign, "page": page})


def _page(seat: Seat, slots: list[Slot], form: AnswerForm, protocol: JudgingProtocol) -> dict:
    shown = showing(seat, slots)
    rows = list(zip(slots, shown.wordings, form.rows(), strict=True))
    return {
        "campaign": seat.campaign,
        "seat": seat,
        "shown": shown,
        "rows": rows,
        "form": form,
        "fragment": protocol.fragment,
        "keys": protocol.keys,
    }


def _next(request: HttpRequest, judge: Membership) -> HttpResponse:
    try:
        seat = scheduling.claim_next(judge)
    except Refused as reason:
        messages.error(request, str(reason))
        return redirect("campaign", judge.campaign.slug)
    if seat is None:
        messages.success(request, "Thank you: there is nothing left for you to judge at the moment.")
        return redirect("campaign", judge.campaign.slug)
    return redirect("seat", seat.pk)
