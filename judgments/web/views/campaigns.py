"""Campaigns and their jobs: creation, import, progress, state, settings, organisers, journal, deletion."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render

from judgments.actions.campaigns import AddOrganiser, Configure, DeleteCampaign, RestoreGuidance
from judgments.actions.links import InviteObservers
from judgments.archive import deleting, importing
from judgments.campaigns import access, overview, steps
from judgments.campaigns import settings as campaign_settings
from judgments.jobs.control import cancel_or_refuse
from judgments.jobs.turns import outlook
from judgments.judges import exclusion, people
from judgments.material.rules.reading import Roles
from judgments.material.uploads import MOST_BYTES, too_large, upload_files
from judgments.models import Campaign, ImportJob
from judgments.protocols import protocol_of
from judgments.protocols.guidance import TEXTS, language_for
from judgments.web.actions import carry_out
from judgments.web.forms.campaigns import (
    BundleForm,
    NewCampaignForm,
    SettingsForm,
)
from judgments.web.views.shared import (
    campaign_page,
    english_page,
    refusals_as_errors,
    refusals_as_messages,
    takes_files,
)


@english_page("GET", "POST")
@takes_files(too_large, may=access.check_may_make_campaigns)
def new_campaign(request: HttpRequest) -> HttpResponse:
    """Make a campaign; with files, the next page is their preview."""
    spoken = request.LANGUAGE_CODE  # type: ignore[attr-defined] # set by Django's middleware
    form = NewCampaignForm(request.POST or None, request.FILES or None, otherwise=spoken)
    if request.method == "POST" and form.is_valid():
        given = dict(form.cleaned_data)
        files, _ = given.pop("texts"), given.pop("cells")
        with refusals_as_errors(form):
            campaign = campaign_settings.create(request.user.get_username(), **given)
            if access.campaigns_run_by(request.user).filter(name=campaign.name).count() > 1:
                messages.info(request, "You have another campaign of this name; delete it if you do not want both.")
            if files:
                return redirect(upload_files(campaign, request.user, files, Roles()))
            messages.success(request, "The campaign was created. Now upload its material.")
            return redirect("material", campaign.slug)
    return render(request, "judgments/new_campaign.html", {"form": form, "most_bytes": MOST_BYTES})


@english_page("GET", "POST")
@takes_files(importing.too_large_a_bundle, may=access.check_may_make_campaigns)
def new_import(request: HttpRequest) -> HttpResponse:
    form = BundleForm(request.POST, request.FILES) if request.method == "POST" else BundleForm()
    if form.is_valid():
        bundle = form.cleaned_data["bundle"]
        with refusals_as_errors(form, "slug"):
            return redirect(importing.request_import(request.user, bundle.name, bundle, form.cleaned_data["slug"]))
    return render(request, "judgments/new_import.html", {"form": form, "most_bytes": MOST_BYTES})


@english_page("GET")
def import_job(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the progress of an import, its problems, or the new campaign."""
    job = access.get_job_or_404(request.user, ImportJob.KIND, pk)
    if job.state == job.State.DONE and job.campaign:
        messages.success(
            request, f"{job.campaign.slug} was imported. Invite its judges again; their links were not imported."
        )
        return redirect("organise", job.campaign.slug)
    return render(request, "judgments/import_job.html", {"job": job})


@english_page("GET")
def job_state(request: HttpRequest, kind: str, pk: int) -> JsonResponse:
    job = access.get_job_or_404(request.user, kind, pk)
    return JsonResponse(job.progress_now() | {"ahead": outlook(job)})


@english_page("POST")
def cancel_job(request: HttpRequest, kind: str, pk: int) -> HttpResponse:
    job = access.get_job_to_cancel_or_404(request.user, kind, pk)
    with refusals_as_messages(request):
        cancel_or_refuse(job)
    return redirect(job)


@campaign_page("GET")
def organise(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    progress = overview.progress(campaign)
    listed = steps.steps_of(campaign, progress)
    page = {
        "campaign": campaign,
        "progress": progress,
        "steps": listed,
        "next_step": steps.next_of(campaign, listed),
        "missing": steps.missing_of(listed),
        "rule": exclusion.rule_of(campaign),
    }
    return render(request, "judgments/organise.html", page)


@campaign_page("GET", "POST")
def settings(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    form = SettingsForm(campaign, request.POST or None)
    if request.method == "POST" and form.is_valid():
        saving = Configure(campaign, None, request.user, data=form.changes())
        if saved := carry_out(request, saving):
            return saved
        for name, faults in saving.errors.items():
            form.add_error(name if name in form.fields else None, faults)
    campaign.refresh_from_db()
    page = {"campaign": campaign, "form": form, "rule": exclusion.rule_of(campaign), "guidance": None}
    if protocol_of(campaign).guidance:
        missing = [name for name in TEXTS if not getattr(campaign, name)]
        usual = {"language": language_for(campaign.language), "texts": missing}
        page["guidance"] = RestoreGuidance(campaign, initial=usual)
    return render(request, "judgments/settings.html", page)


@campaign_page("GET")
def journal(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    page = {"campaign": campaign, "entries": overview.entries(campaign, request.GET.get("page"))}
    return render(request, "judgments/journal.html", page)


@campaign_page("GET", "POST", observers=False)
def delete_campaign(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """List what is deleted with the campaign; delete it once its name is typed."""
    form = DeleteCampaign(campaign, None, request.user, data=request.POST or None)
    page = {"campaign": campaign, "contents": deleting.contents(campaign), "form": form}
    return carry_out(request, form) or render(request, "judgments/delete_campaign.html", page)


@campaign_page("GET", observers=False)
def organisers(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Show who runs the campaign: organisers, and observers who only see it."""
    page = {
        "campaign": campaign,
        "members": people.organisers(campaign),
        "links": people.unused_links(campaign),
        "adding": AddOrganiser(campaign),
        "inviting": InviteObservers(campaign),
    }
    return render(request, "judgments/organisers.html", page)
