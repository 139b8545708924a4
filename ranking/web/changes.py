"""Comparing two reports on a campaign."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from judgments.models import Campaign, Job
from judgments.rules.errors import Refused
from judgments.web.views.shared import campaign_page, english_page
from ranking.models import Report
from ranking.numbers.tables import to_csv
from ranking.reports.building import reports_to_compare
from ranking.reports.comparing import changes_between, comparison, in_order
from ranking.web.forms import ComparisonForm
from ranking.web.reports import show_list


@campaign_page("GET")
def compare_reports(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Go from the choice of two reports to their comparison."""
    finished = list(Report.objects.of(campaign).filter(state=Job.State.DONE))
    form = ComparisonForm(finished, request.GET)
    if not form.is_valid():
        return show_list(request, campaign, comparison=form)
    return redirect("report_changes", form.cleaned_data["one"], form.cleaned_data["other"])


@english_page("GET")
def report_changes(request: HttpRequest, pk: int, other: int) -> HttpResponse:
    """Show what changed from the older report to the newer one."""
    earlier, later = in_order(*reports_to_compare(request.user, pk, other))
    page: dict[str, Any] = {"campaign": earlier.campaign, "earlier": earlier, "later": later, "both": (earlier, later)}
    try:
        compared = comparison(earlier, later)
    except Refused as reason:
        return render(request, "ranking/report_changes.html", page | {"refusal": reason})
    page |= {"comparison": compared, "changes": compared.changes}
    return render(request, "ranking/report_changes.html", page)


@english_page("GET")
def changes_file(request: HttpRequest, pk: int, other: int, name: str) -> HttpResponse:
    """Download one of the two tables of changes as CSV."""
    return changes_file_of(*reports_to_compare(request.user, pk, other), name)


def changes_file_of(one: Report, other: Report, name: str) -> HttpResponse:
    earlier, later = in_order(one, other)
    try:
        changes = changes_between(earlier, later)
    except Refused as reason:
        raise Http404(str(reason)) from reason
    for table in (changes.moves, changes.pairs):
        if name == f"{table.name}.csv":
            response = HttpResponse(to_csv(table), content_type="text/csv; charset=utf-8")
            file = f"{earlier.campaign.slug}-{earlier.pk}-{later.pk}-{name}"
            response["Content-Disposition"] = f'attachment; filename="{file}"'
            return response
    raise Http404(f"There is no file {name} here.")
