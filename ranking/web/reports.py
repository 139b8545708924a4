"""Reports in the browser: request one, watch its progress, read it, download its files."""

from django.contrib import messages
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from judgments.campaigns import overview
from judgments.models import Alarm, Campaign, Job
from judgments.web.views.shared import campaign_page, english_page, refusals_as_errors
from ranking.models import Report
from ranking.reports import building, downloads
from ranking.reports.building import report_of
from ranking.reports.kinds.registry import NoReportKind, kind_for, kind_of, kinds_offered
from ranking.reports.page import page_of
from ranking.web.forms import ComparisonForm

KEPT = "What was computed before is kept, and shown below."


@campaign_page("GET")
def report_list(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Show all reports of a campaign, and the form for a new one."""
    return show_list(request, campaign)


def show_list(request: HttpRequest, campaign: Campaign, **forms: Form) -> HttpResponse:
    try:
        kinds = kinds_offered(campaign)
    except NoReportKind as reason:
        return render(request, "ranking/report_list.html", {"campaign": campaign, "refusal": reason})
    kind = next((kind for kind in kinds if kind.name == request.GET.get("kind")), kinds[0])
    made = list(Report.objects.of(campaign))
    finished = [report for report in made if report.state == Job.State.DONE and kind_of(report).is_comparable]
    page = {
        "campaign": campaign,
        "reports": made,
        "has_judgments": bool(made) or overview.has_judgments(campaign),
        "kinds": kinds,
        "kind": kind,
        "can_compare": len(finished) > 1,
        "form": kind.form_for(campaign),
        "comparison": ComparisonForm(finished),
    }
    return render(request, "ranking/report_list.html", page | forms)


@campaign_page("POST")
def new_report(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Request a report, and go to its page."""
    try:
        kind = kind_for(campaign.protocol, request.GET.get("kind", ""))
    except NoReportKind:
        return show_list(request, campaign)
    form = kind.form_for(campaign, request.POST)
    if not form.is_valid():
        return show_list(request, campaign, form=form)
    chosen = form.cleaned_data
    with refusals_as_errors(form, None):
        wanted = kind.name, chosen["preset"], chosen["parameters"]
        return redirect(building.request_unless_waiting(campaign, request.user, *wanted))
    return show_list(request, campaign, form=form)


@english_page("GET")
def report(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the report, or its progress."""
    report = report_of(request.user, pk)
    tables = downloads.tables_of(report)
    page = page_of(report, tables, is_public=False)
    page |= {"stale": building.is_stale(report), "kept_tables": KEPT if tables else ""}
    page |= {"alarms": Alarm.objects.open_in(report.campaign).count()}
    return render(request, "ranking/report.html", page)


@campaign_page("GET")
def judges_in_report(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Redirect to the chapter on judges of the newest finished report."""
    newest = Report.objects.of(campaign).filter(state=Job.State.DONE).first()
    if newest is None:
        messages.info(request, "There is no finished report yet; make one, and see its chapter on judges.")
        return redirect("report_list", campaign.slug)
    return redirect(f"{reverse('report', args=[newest.pk])}#judges")


@english_page("GET")
def report_file(request: HttpRequest, pk: int, name: str) -> HttpResponse:
    return file_of(report_of(request.user, pk), name)


@english_page("GET")
def report_zip(request: HttpRequest, pk: int) -> HttpResponse:
    return zip_of(request, report_of(request.user, pk))


@english_page("GET")
def report_bundle(request: HttpRequest, pk: int) -> HttpResponse:
    return bundle_of(report_of(request.user, pk))


def file_of(report: Report, name: str) -> HttpResponse:
    text = downloads.report_file(report, name)
    return download(report, name, text, downloads.TYPES[name.rpartition(".")[2]])


def zip_of(request: HttpRequest, report: Report) -> HttpResponse:
    """The files for a paper; with `?tables=all` in the address all files."""
    all_tables = request.GET.get("tables") == "all"
    name = f"report-{report.pk}.zip" if all_tables else f"report-{report.pk}-paper.zip"
    return download(report, name, downloads.report_zip(report, all_tables), "application/zip")


def bundle_of(report: Report) -> HttpResponse:
    return download(report, f"report-{report.pk}-bundle.zip", downloads.bundle(report), "application/zip")


def download(report: Report, name: str, content: str | bytes, content_type: str) -> HttpResponse:
    response = HttpResponse(content, content_type=content_type)
    response["Content-Disposition"] = f'attachment; filename="{report.campaign.slug}-{name}"'
    return response
