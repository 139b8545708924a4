"""Judging: begin, answer a seat, go on."""

from uuid import uuid4

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from judgments import access, scheduling, submission
from judgments.faults import Refused
from judgments.models import Membership, Seat, Segment
from judgments.protocols import PROTOCOLS


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
    slots = submission.shown_slots(seat)
    form = protocol.form(request.POST or None, candidates=len(slots), initial={"key": uuid4()})
    if form.is_valid():
        try:
            submission.submit(seat, **form.submission())
        except Refused as reason:
            messages.error(request, str(reason))
        return _next(request, access.judge_of(request.user, seat.campaign.slug))
    return render(request, "judgments/seat.html", _page(seat, slots, form, protocol.fragment))


def _page(seat: Seat, slots, form, fragment: str) -> dict:
    segment = seat.screen.segment
    near = list(Segment.objects.around(segment).order_by("position"))
    return {
        "campaign": seat.campaign,
        "seat": seat,
        "segment": segment,
        "before": [s for s in near if s.position < segment.position],
        "after": [s for s in near if s.position > segment.position],
        "rows": list(zip(slots, form.rows(), strict=True)),
        "form": form,
        "fragment": fragment,
        "place": seat.position + 1,
        "places": Seat.objects.filter(batch=seat.batch_id, round=seat.round).count(),
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
