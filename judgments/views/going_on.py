"""Where a judge goes next: to a seat, to what comes before the first one, or to the end of a batch."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from judgments import scheduling
from judgments.faults import Refused
from judgments.models import Membership
from judgments.preparation import NotPrepared


def go_on(request: HttpRequest, judge: Membership) -> HttpResponse:
    """Claim the next seat and go there, or to the page that says why there is none."""
    try:
        seat = scheduling.claim_next(judge)
    except NotPrepared as missing:
        return redirect(missing.step.value, judge.campaign.slug)
    except Refused as reason:
        messages.error(request, str(reason))
        return redirect("campaign", judge.campaign.slug)
    if seat:
        return redirect("seat", seat.pk)
    scheduling.finish_batch(judge)
    return redirect("thanks", judge.campaign.slug)
