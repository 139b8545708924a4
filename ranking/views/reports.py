"""Reports in the browser: ask for one, watch it being made, read it, take it along."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.forms import Form
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from judgments.campaigns import overview
from judgments.campaigns.access import campaign_to_organise
from judgments.jobs.attempts import cancel
from judgments.models import Campaign, Work
from judgments.web.views.shared import in_english
from ranking import exports, reports
from ranking.access import report_of
from ranking.chapters import chapters_of, missing_of, rankings_of
from ranking.choosing import form_for
from ranking.forms import ComparisonForm
from ranking.models import Report
from ranking.plots.gallery import plots_of
from ranking.stats.kinds import kind_for
from ranking.tasks import enqueue


@require_safe
@login_required
@in_english
def report_list(request: HttpRequest, slug: str) -> HttpResponse:
    """All reports of a campaign, and the form for a new one."""
    campaign = campaign_to_organise(request.user, slug)
    return show_list(request, campaign)


def show_list(request: HttpRequest, campaign: Campaign, **forms: Form) -> HttpResponse:
    """The page of all reports, with its forms empty or as they were filled in."""
    made, kind = list(Report.objects.of(campaign)), kind_for(campaign.protocol)
    finished = [report for report in made if report.state == Work.State.DONE]
    page = {
        "campaign": campaign,
        "reports": made,
        "has_judgments": bool(made) or overview.has_judgments(campaign),
        "does": kind.does,
        "can_compare": len(finished) > 1 and kind.compares,
        "form": form_for(campaign)(),
        "comparison": ComparisonForm(finished),
    }
    return render(request, "ranking/report_list.html", page | forms)


@require_POST
@login_required
@in_english
def new_report(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask for a report and go to its page."""
    campaign = campaign_to_organise(request.user, slug)
    form = form_for(campaign)(request.POST)
    if not form.is_valid():
        return show_list(request, campaign, form=form)
    chosen = form.cleaned_data
    report, is_new = reports.request_unless_waiting(campaign, request.user, chosen["preset"], chosen["parameters"])
    if is_new:
        enqueue(report)
    return redirect("report", report.pk)


@require_POST
@login_required
@in_english
def cancel_report(request: HttpRequest, pk: int) -> HttpResponse:
    """Stop a report that is being made."""
    report = report_of(request.user, pk)
    if not cancel(report):
        messages.error(request, "The report was over already.")
    return redirect("report", report.pk)


@require_safe
@login_required
@in_english
def report(request: HttpRequest, pk: int) -> HttpResponse:
    """The report, or how far it is."""
    report = report_of(request.user, pk)
    tables = exports.tables_of(report)
    plots = plots_of(tables)
    page = {
        "report": report,
        "campaign": report.campaign,
        "rankings": rankings_of(tables, plots),
        "missing": missing_of(report.gaps),
        "chapters": chapters_of(tables, plots),
        "tables": tables,
        "plots": plots,
        "stale": reports.is_stale(report),
    }
    return render(request, "ranking/report.html", page)


@require_safe
@login_required
def judges_in_report(request: HttpRequest, slug: str) -> HttpResponse:
    """The way to what the newest finished report says of each judge."""
    campaign = campaign_to_organise(request.user, slug)
    newest = Report.objects.of(campaign).filter(state=Work.State.DONE).first()
    if newest is None:
        messages.info(request, "There is no finished report yet; make one, and its chapter on judges says more.")
        return redirect("report_list", slug)
    return redirect(f"{reverse('report', args=[newest.pk])}#judges")


@require_safe
@login_required
def report_state(request: HttpRequest, pk: int) -> JsonResponse:
    """How far the report is, for the page that waits."""
    return JsonResponse(report_of(request.user, pk).told())
