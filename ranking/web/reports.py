"""Reports in the browser: request one, watch its progress, read it, download its files, compare two, publish one; and
the live board of a campaign, with the ranking so far.

The choices for the ZIP of a release are not stored.
"""

import zipfile
from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.views.decorators.http import require_safe

from judgments.campaigns import overview
from judgments.campaigns.access import get_campaign_to_organise_or_404
from judgments.judges import people, watching
from judgments.models import Alarm, Campaign, Job
from judgments.rules.errors import Refused
from judgments.web.actions import carry_out
from judgments.web.charts import progress_chart
from judgments.web.views.shared import campaign_page, english_page, refusals_as_errors
from ranking.actions import PublishReport
from ranking.models import Publication, Report
from ranking.numbers.tables import to_csv
from ranking.publishing.facts import ReleaseForm
from ranking.publishing.public_page import PAGE
from ranking.publishing.release import check_releasable, release
from ranking.reports import boards, building, downloads
from ranking.reports.answers import describe_doubted
from ranking.reports.building import report_of, reports_to_compare
from ranking.reports.comparing import changes_between, comparison, in_order
from ranking.reports.kinds.kind import NoReportKind, kind_for, kind_of, kinds_offered
from ranking.reports.page import missing_of, page_of
from ranking.reports.rows import excluded_from_reports
from ranking.sequential.stopping import outlook_of

PUBLIC_TYPES = downloads.TYPES | {
    "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "zip": "application/zip",
}  # fmt: skip
# Charts of the interim report that the board shows.
FIGURES = ("forest_expected-wins", "agreement")


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
    made = list(Report.objects.of(campaign).prefetch_related("reporttable_set"))
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
    newest = Report.objects.finished(campaign).first()
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
    finished = list(Report.objects.finished(campaign))
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


@english_page("GET", "POST")
def release_data(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the choices; answer with the release."""
    report = report_of(request.user, pk, get_campaign_to_organise_or_404)
    check_releasable(report)
    form = ReleaseForm(request.POST if request.method == "POST" else None)
    if not form.is_valid():
        return render(request, "ranking/release.html", {"report": report, "campaign": report.campaign, "form": form})
    return download(report.campaign, "release.zip", release(report, form.choices()), "application/zip")


@english_page("GET", "POST")
def publication(request: HttpRequest, pk: int) -> HttpResponse:
    """Publish a report, and see where it stands."""
    report = report_of(request.user, pk, get_campaign_to_organise_or_404)
    given = request.POST if request.method == "POST" else None
    form = PublishReport(report.campaign, report, request.user, data=given)
    if published := carry_out(request, form):
        return published
    publication = Publication.objects.filter(report=report).defer("content").first()
    page = {"report": report, "campaign": report.campaign, "form": form, "publication": publication}
    return render(request, "ranking/publication.html", page)


@require_safe
def public_file(request: HttpRequest, token: str, name: str = PAGE) -> HttpResponse:
    """Serve a file of a published report to everybody."""
    published = get_object_or_404(Publication, token=token)
    with zipfile.ZipFile(BytesIO(published.content)) as archive:
        if name not in archive.namelist():
            raise Http404(f"There is no file {name} in this report.")
        content = archive.read(name)
    return HttpResponse(content, content_type=PUBLIC_TYPES[name.rpartition(".")[2]])


@require_safe
def public_site(request: HttpRequest, token: str) -> HttpResponse:
    """Serve the whole folder, to open from disk or to put elsewhere."""
    published = get_object_or_404(Publication.objects.select_related("report__campaign"), token=token)
    return download(published.report.campaign, "report.zip", bytes(published.content), "application/zip")


@campaign_page("GET")
def board(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Show progress, speed, forecast, and the newest interim ranking."""
    report, is_in_progress = boards.interim(campaign)
    tables = downloads.tables_of(report) if report else {}
    charts = kind_for(campaign.protocol).charts_of(tables) if report else {}
    progress = overview.progress(campaign)
    speed, judges = overview.speed(campaign, progress), people.judges(campaign)
    judged = sum(judge.done for judge in judges if judge.excluded_at is None)  # type: ignore[attr-defined]
    judged -= excluded_from_reports(campaign)
    page = {
        "campaign": campaign,
        "progress": progress,
        "progress_chart": progress_chart(campaign, progress),
        "speed": speed,
        "outlook": outlook_of(campaign, judged, speed.per_day, tables, report),
        "judges": judges,
        "invited": people.personal_links(campaign).filter(membership=None),
        "alarms": watching.open_alarms(campaign),
        "report": report,
        "missing": missing_of(kind_for(campaign.protocol), report.gaps) if report else [],
        "glance": boards.glance(tables),
        "figures": [charts[name] for name in FIGURES if name in charts],
        "has_ranking": boards.has_ranking(campaign),
        "is_in_progress": is_in_progress,
    }
    return render(request, "ranking/board.html", page)


@campaign_page("POST")
def refresh_board(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Request a newer ranking; scripts are answered in JSON."""
    boards.refresh(campaign)
    if request.get_preferred_type(["text/html", "application/json"]) == "application/json":
        shown, is_in_progress = boards.interim(campaign)
        return JsonResponse({"report": shown.pk if shown else None, "going": is_in_progress})
    return redirect("board", campaign.slug)
