"""Reports in the browser: request one, watch its progress, read it, download its files."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from judgments.campaigns import overview
from judgments.campaigns.access import campaign_to_organise
from judgments.models import Campaign, Job
from judgments.web.views.shared import in_english
from ranking.models import Report
from ranking.reports import building, bundles, downloads
from ranking.reports.access import report_of
from ranking.reports.kinds.registry import NoReportKind, kind_for, kind_of
from ranking.reports.page import chapters_of, missing_of, rankings_of
from ranking.web.forms import ComparisonForm


@require_safe
@login_required
@in_english
def report_list(request: HttpRequest, slug: str) -> HttpResponse:
    """Show all reports of a campaign, and the form for a new one."""
    campaign = campaign_to_organise(request.user, slug)
    return show_list(request, campaign)


def show_list(request: HttpRequest, campaign: Campaign, **forms: Form) -> HttpResponse:
    try:
        kind = kind_for(campaign.protocol)
    except NoReportKind as reason:
        return render(request, "ranking/report_list.html", {"campaign": campaign, "refusal": reason})
    made = list(Report.objects.of(campaign))
    finished = [report for report in made if report.state == Job.State.DONE]
    page = {
        "campaign": campaign,
        "reports": made,
        "has_judgments": bool(made) or overview.has_judgments(campaign),
        "does": kind.does,
        "can_compare": len(finished) > 1 and kind.is_comparable,
        "form": kind.form(),
        "comparison": ComparisonForm(finished),
    }
    return render(request, "ranking/report_list.html", page | forms)


@require_POST
@login_required
@in_english
def new_report(request: HttpRequest, slug: str) -> HttpResponse:
    """Request a report, and go to its page."""
    campaign = campaign_to_organise(request.user, slug)
    try:
        form = kind_for(campaign.protocol).form(request.POST)
    except NoReportKind:
        return show_list(request, campaign)
    if not form.is_valid():
        return show_list(request, campaign, form=form)
    chosen = form.cleaned_data
    return redirect(building.request_unless_waiting(campaign, request.user, chosen["preset"], chosen["parameters"]))


@require_safe
@login_required
@in_english
def report(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the report, or its progress."""
    report = report_of(request.user, pk)
    kind, tables = kind_of(report), downloads.tables_of(report)
    charts = kind.charts_of(tables)
    page = {
        "report": report,
        "kind": kind,
        "campaign": report.campaign,
        "rankings": rankings_of(tables, charts),
        "missing": missing_of(kind, report.gaps),
        "chapters": chapters_of(kind, tables, charts),
        "tables": tables,
        "charts": charts,
        "stale": building.is_stale(report),
    }
    return render(request, "ranking/report.html", page)


@require_safe
@login_required
def judges_in_report(request: HttpRequest, slug: str) -> HttpResponse:
    """Redirect to the chapter on judges of the newest finished report."""
    campaign = campaign_to_organise(request.user, slug)
    newest = Report.objects.of(campaign).filter(state=Job.State.DONE).first()
    if newest is None:
        messages.info(request, "There is no finished report yet; make one, and its chapter on judges says more.")
        return redirect("report_list", slug)
    return redirect(f"{reverse('report', args=[newest.pk])}#judges")


@require_safe
@login_required
def report_file(request: HttpRequest, pk: int, name: str) -> HttpResponse:
    return file_of(report_of(request.user, pk), name)


@require_safe
@login_required
def report_zip(request: HttpRequest, pk: int) -> HttpResponse:
    return zip_of(report_of(request.user, pk))


@require_safe
@login_required
def report_bundle(request: HttpRequest, pk: int) -> HttpResponse:
    return bundle_of(report_of(request.user, pk))


def file_of(report: Report, name: str) -> HttpResponse:
    file = downloads.report_file(report, name)
    return _download(report, file.name, file.text, file.content_type)


def zip_of(report: Report) -> HttpResponse:
    return _download(report, f"report-{report.pk}.zip", downloads.report_zip(report), "application/zip")


def bundle_of(report: Report) -> HttpResponse:
    return _download(report, f"report-{report.pk}-bundle.zip", bundles.bundle(report), "application/zip")


def _download(report: Report, name: str, content: str | bytes, content_type: str) -> HttpResponse:
    response = HttpResponse(content, content_type=content_type)
    response["Content-Disposition"] = f'attachment; filename="{report.campaign.slug}-{name}"'
    return response
