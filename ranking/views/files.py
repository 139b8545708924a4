"""A report's files for downloading: each by itself, or all in one."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from ranking import bundles, exports
from ranking.access import report_of
from ranking.models import Report


@require_safe
@login_required
def report_file(request: HttpRequest, pk: int, name: str) -> HttpResponse:
    """One of the report's files."""
    return file_of(report_of(request.user, pk), name)


@require_safe
@login_required
def report_zip(request: HttpRequest, pk: int) -> HttpResponse:
    """All of the report's files in one."""
    return zip_of(report_of(request.user, pk))


@require_safe
@login_required
def report_bundle(request: HttpRequest, pk: int) -> HttpResponse:
    """All that makes the report's numbers again."""
    return bundle_of(report_of(request.user, pk))


def file_of(report: Report, name: str) -> HttpResponse:
    """One file as a download."""
    file = exports.report_file(report, name)
    return _download(report, file.name, file.text, file.content_type)


def zip_of(report: Report) -> HttpResponse:
    """The ZIP as a download."""
    return _download(report, f"report-{report.pk}.zip", exports.report_zip(report), "application/zip")


def bundle_of(report: Report) -> HttpResponse:
    """The bundle as a download."""
    return _download(report, f"report-{report.pk}-bundle.zip", bundles.bundle(report), "application/zip")


def _download(report: Report, name: str, content: str | bytes, content_type: str) -> HttpResponse:
    response = HttpResponse(content, content_type=content_type)
    response["Content-Disposition"] = f'attachment; filename="{report.campaign.slug}-{name}"'
    return response
