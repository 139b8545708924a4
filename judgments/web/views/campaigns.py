"""Campaigns: creation, settings, journal, deletion."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from judgments.campaigns import access, deleting, overview
from judgments.campaigns import settings as campaign_settings
from judgments.judges import exclusion
from judgments.rules.errors import Refused
from judgments.rules.files.problems import Problems
from judgments.web.forms.campaigns import DeletionForm, NewCampaignForm, SettingsForm
from judgments.web.views.shared import in_english


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@in_english
def new_campaign(request: HttpRequest) -> HttpResponse:
    access.check_may_make_campaigns(request.user)
    form = NewCampaignForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            campaign = campaign_settings.create(request.user.get_username(), **form.cleaned_data)
        except Refused as reason:
            form.add_error(None, str(reason))
        else:
            messages.success(request, "The campaign is there. Bring in what is to be judged.")
            return redirect("material", campaign.slug)
    return render(request, "judgments/new_campaign.html", {"form": form})


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@in_english
def settings(request: HttpRequest, slug: str) -> HttpResponse:
    campaign = access.campaign_to_organise(request.user, slug)
    form = SettingsForm(campaign, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            campaign_settings.configure(campaign, **form.cleaned_data)
        except (Refused, Problems) as reason:
            form.add_error(None, str(reason).splitlines())
        else:
            messages.success(request, "The settings are stored.")
            return redirect("settings", slug)
    campaign.refresh_from_db()
    return render(
        request, "judgments/settings.html", {"campaign": campaign, "form": form, "rule": exclusion.rule_of(campaign)}
    )


@require_safe
@login_required
@in_english
def journal(request: HttpRequest, slug: str) -> HttpResponse:
    """Actions in the campaign, newest first."""
    campaign = access.campaign_to_organise(request.user, slug)
    page = {"campaign": campaign, "entries": overview.entries(campaign, request.GET.get("page"))}
    return render(request, "judgments/journal.html", page)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@in_english
def delete_campaign(request: HttpRequest, slug: str) -> HttpResponse:
    """List what is deleted with the campaign, and delete it once its name is typed."""
    campaign = access.campaign_to_organise(request.user, slug)
    form = DeletionForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            deleting.delete_campaign(campaign, form.cleaned_data["typed"])
        except Refused as reason:
            form.add_error("typed", str(reason))
        else:
            messages.success(request, f"{slug} is deleted.")
            return redirect("home")
    page = {"campaign": campaign, "contents": deleting.contents(campaign), "form": form}
    return render(request, "judgments/delete_campaign.html", page)
