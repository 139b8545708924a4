"""Reports in the browser: request one, watch its progress, read it, download its files, compare two."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.timezone import localtime

from judgments.campaigns import overview
from judgments.models import Alarm, Campaign, Job
from judgments.rules.errors import Refused
from judgments.web.views.shared import campaign_page, english_page, refusals_as_errors
from ranking.models import Report
from ranking.numbers.tables import to_csv
from ranking.reports import building, downloads
from ranking.reports.answers import describe_doubted
from ranking.reports.building import report_of, reports_to_compare
from ranking.reports.comparing import changes_between, comparison, in_order
from ranking.reports.kinds.registry import NoReportKind, kind_for, kind_of, kinds_offered
from ranking.reports.page import page_of


class ComparisonForm(forms.Form):
    """Two of the finished reports on a campaign; initially the two newest."""

    one = forms.TypedChoiceField(coerce=int, label="Report")
    other = forms.TypedChoiceField(coerce=int, label="Compared with")

    def __init__(self, finished: Sequence[Report], given: Mapping[str, Any] | None = None) -> None:
        super().__init__(given, initial={"one": finished[1].pk, "other": finished[0].pk} if len(finished) > 1 else {})
        choices = []
        for report in finished:
            made = date_format(localtime(report.created_at), "j M Y H:i e")
            label = f"{report.pk}: {made}, {report.preset or 'own choices'}, {report.judgments} judgments"
            choices.append((report.pk, label))
        for name in ("one", "other"):
            self.fields[name].choices = choices  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if not self.errors and given["one"] == given["other"]:
            raise forms.ValidationError("Both are the same report; choose another one to compare it with.")
        return given


@campaign_page("GET")
def report_list(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Show all reports of a campaign, and the form for a new one."""
    return show_list(request, campaign)


def show_list(request: HttpRequest, campaign: Campaign, **given: forms.Form) -> HttpResponse:
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
    return render(request, "ranking/report_list.html", page | given)


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
    report = report_of(request.user, pk)
    tables = downloads.tables_of(report)
    doubted = {alarm.judge.pseudonym for alarm in Alarm.objects.open_in(report.campaign)}
    page = page_of(report, tables, is_public=False) | {
        "stale": building.is_stale(report),
        "kept_tables": "What was computed before is kept, and shown below." if tables else "",
        "doubted": describe_doubted(tables, doubted),
        "is_all_judged": report.campaign.is_open and overview.is_all_judged(report.campaign),
    }
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
    return download(report.campaign, name, text, downloads.TYPES[name.rpartition(".")[2]])


def zip_of(request: HttpRequest, report: Report) -> HttpResponse:
    """The files for a paper; with `?tables=all` in the address all files."""
    all_tables = request.GET.get("tables") == "all"
    name = f"report-{report.pk}.zip" if all_tables else f"report-{report.pk}-paper.zip"
    return download(report.campaign, name, downloads.report_zip(report, all_tables), "application/zip")


def bundle_of(report: Report) -> HttpResponse:
    return download(report.campaign, f"report-{report.pk}-bundle.zip", downloads.bundle(report), "application/zip")


def download(campaign: Campaign, name: str, content: str | bytes, content_type: str) -> HttpResponse:
    response = HttpResponse(content, content_type=content_type)
    response["Content-Disposition"] = f'attachment; filename="{campaign.slug}-{name}"'
    return response


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
    tables = {f"{table.name}.csv": table for table in (changes.moves, changes.pairs)}
    if name not in tables:
        raise Http404(f"There is no file {name} here.")
    return download(earlier.campaign, f"{earlier.pk}-{later.pk}-{name}", to_csv(tables[name]), downloads.TYPES["csv"])
