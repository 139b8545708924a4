"""Giving the numbers away: a report as a public page, and its data as a ZIP; the choices for the ZIP are not stored."""

import zipfile
from io import BytesIO

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from judgments.web.actions import carry_out
from judgments.web.views.shared import english_page
from ranking.actions import PublishReport
from ranking.models import Publication
from ranking.publishing.facts import ReleaseForm
from ranking.publishing.public_page import PAGE
from ranking.publishing.release import check_releasable, release
from ranking.reports.building import report_to_publish
from ranking.reports.downloads import TYPES
from ranking.web.reports import download

PUBLIC_TYPES = TYPES | {
    "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "zip": "application/zip",
}  # fmt: skip


@english_page("GET", "POST")
def release_data(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the choices; answer with the release."""
    report = report_to_publish(request.user, pk)
    check_releasable(report)
    form = ReleaseForm(request.POST if request.method == "POST" else None)
    if not form.is_valid():
        return render(request, "ranking/release.html", {"report": report, "campaign": report.campaign, "form": form})
    return download(report.campaign, "release.zip", release(report, form.choices()), "application/zip")


@english_page("GET", "POST")
def publication(request: HttpRequest, pk: int) -> HttpResponse:
    """Publish a report, and see where it stands."""
    report = report_to_publish(request.user, pk)
    given = request.POST if request.method == "POST" else None
    form = PublishReport(report.campaign, report, request.user, data=given)
    if published := carry_out(request, form):
        return published
    publication = Publication.objects.filter(report=report).defer("content").first()
    page = {"report": report, "campaign": report.campaign, "form": form, "publication": publication}
    return render(request, "ranking/publication.html", page)


@require_safe
def public_page(request: HttpRequest, token: str) -> HttpResponse:
    return public_file(request, token, PAGE)


@require_safe
def public_file(request: HttpRequest, token: str, name: str) -> HttpResponse:
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
