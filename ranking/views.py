"""Reports in the browser: ask for one, watch it being made, read it, take it along."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from judgments.access import campaign_to_organise
from judgments.views.english import in_english
from ranking import exports, reports
from ranking.access import report_of
from ranking.models import Report
from ranking.tasks import enqueue


@require_safe
@login_required
@in_english
def report_list(request: HttpRequest, slug: str) -> HttpResponse:
    """All reports of a campaign, and the button for a new one."""
    campaign = campaign_to_organise(request.user, slug)
    found = Report.objects.filter(campaign=campaign)
    return render(request, "ranking/report_list.html", {"campaign": campaign, "reports": found})


@require_POST
@login_required
def new_report(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask for a report and go to its page."""
    campaign = campaign_to_organise(request.user, slug)
    report = reports.request_report(campaign, request.user)
    enqueue(report)
    return redirect("report", report.pk)


@require_safe
@login_required
@in_english
def report(request: HttpRequest, pk: int) -> HttpResponse:
    """The report, or how far it is."""
    report = report_of(request.user, pk)
    page = {
        "report": report,
        "campaign": report.campaign,
        "standings": report.standing_set.all(),
        "counts": exports.count_rows(report),
    }
    return render(request, "ranking/report.html", page)


@require_safe
@login_required
def report_state(request: HttpRequest, pk: int) -> JsonResponse:
    """How far the report is, for the page that waits."""
    report = report_of(request.user, pk)
    state = {"state": report.state, "progress": report.progress, "step": report.step, "over": report.is_over}
    return JsonResponse(state)


@require_safe
@login_required
def report_file(request: HttpRequest, pk: int, name: str) -> HttpResponse:
    """One of the report's CSV files."""
    report = report_of(request.user, pk)
    response = HttpResponse(exports.csv_file(report, name), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{report.campaign.slug}-{name}"'
    return response
