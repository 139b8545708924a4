"""Publishing a report, and the public page of a published one."""

import zipfile
from io import BytesIO

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_safe

from judgments.web.views.shared import english_page, refusals_as_messages
from ranking.models import Publication
from ranking.publishing.public_page import PAGE, publish, withdraw
from ranking.reports.building import report_to_publish
from ranking.reports.downloads import TYPES
from ranking.web.release import LICENCE_CHOICES, ReleaseForm
from ranking.web.reports import download

PUBLIC_TYPES = TYPES | {
    "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "zip": "application/zip",
}  # fmt: skip


class PublicationForm(ReleaseForm):
    """The choices of a release that a page has, too; a licence is not required."""

    title = description = None  # type: ignore[assignment]
    licence = forms.ChoiceField(
        required=False,
        choices=[("", "None stated"), *LICENCE_CHOICES],
        help_text="The terms under which everybody may use the page and its files; they are stated on the page.",
    )
    with_texts = forms.BooleanField(
        required=False,
        label="The source texts and outputs may be shown",
        help_text="They are added as texts.csv. Tick this only if their licence allows it.",
    )


@english_page("GET", "POST")
def publication(request: HttpRequest, pk: int) -> HttpResponse:
    """Publish a report, and see where it stands."""
    report = report_to_publish(request.user, pk)
    form = PublicationForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        with refusals_as_messages(request):
            publish(report, form.choices())
            messages.success(request, "The report is published.")
        return redirect("publication", pk)
    published = Publication.objects.filter(report=report).defer("content").first()
    page = {
        "report": report,
        "campaign": report.campaign,
        "form": form,
        "publication": published,
    }
    return render(request, "ranking/publication.html", page)


@english_page("POST")
def withdraw_publication(request: HttpRequest, pk: int) -> HttpResponse:
    report = report_to_publish(request.user, pk)
    withdraw(report)
    messages.success(request, "The report is no longer public.")
    return redirect("publication", pk)


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
    return download(published.report, "report.zip", bytes(published.content), "application/zip")
