"""The material of a campaign: its systems and what they wrote."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from judgments import access, overview
from judgments.views.english import in_english


@require_safe
@login_required
@in_english
def material(request: HttpRequest, slug: str) -> HttpResponse:
    """The systems."""
    campaign = access.campaign_to_organise(request.user, slug)
    page = {"campaign": campaign, "progress": overview.progress(campaign), "systems": overview.systems(campaign)}
    return render(request, "judgments/material.html", page)
