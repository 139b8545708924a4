"""Giving the numbers away: a report as a public page, and its data as a ZIP; the choices for the ZIP are not stored."""

import zipfile
from io import BytesIO
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_safe

from judgments.web.views.shared import english_page, refusals_as_messages
from ranking.models import Publication
from ranking.publishing.facts import LICENCES, OTHER, ReleaseChoices
from ranking.publishing.public_page import PAGE, publish, withdraw
from ranking.publishing.release import check_releasable, release
from ranking.reports.building import report_to_publish
from ranking.reports.downloads import TYPES
from ranking.web.reports import download

PUBLIC_TYPES = TYPES | {
    "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "zip": "application/zip",
}  # fmt: skip


OTHER_LABEL = "Another one, as written below"
LICENCE_CHOICES = (
    *((name, f"{licence.name} ({licence.spdx})") for name, licence in LICENCES.items()),
    (OTHER, OTHER_LABEL),
)


class ReleaseForm(forms.Form):
    """The choices of a release, in the names of `ReleaseChoices`."""

    licence = forms.ChoiceField(
        choices=[("", "Choose a licence"), *LICENCE_CHOICES],
        help_text="The terms under which everybody may use the judgments.",
    )
    own_licence = forms.CharField(
        required=False,
        max_length=20_000,
        label="Text of another licence",
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="Only if you choose another one.",
    )
    with_texts = forms.BooleanField(
        required=False,
        label="The texts of the source and of the systems may be given away",
        help_text="Source texts may have a licence of their own that forbids this: ask whoever collected them. "
        "Without texts, segments are known by their numbers alone, and the numbers of a report on corrections cannot "
        "be computed again.",
    )
    title = forms.CharField(
        required=False, max_length=200, help_text="Empty: Judgments of, and the name of the campaign."
    )
    description = forms.CharField(
        required=False,
        max_length=5000,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text="What these data are, in a few sentences of plain text.",
    )
    creators = forms.CharField(
        required=False,
        max_length=5000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="Whom to cite, one a line: Lovelace, Ada for a person, the plain name for an institution.",
    )
    contact = forms.CharField(
        required=False, max_length=300, help_text="The address of the paper or of a page, or an e-mail address."
    )

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if not self.errors and (given["licence"] == OTHER) != bool(given["own_licence"]):
            self.add_error("own_licence", f"Write a text here if you choose {OTHER_LABEL!r}, and only then.")
        return given

    def choices(self) -> ReleaseChoices:
        given = self.cleaned_data
        return ReleaseChoices(**given | {"creators": tuple(given["creators"].splitlines())})


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
    form = PublicationForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        with refusals_as_messages(request):
            publish(report, form.choices())
            messages.success(request, "The report is published.")
        return redirect("publication", pk)
    published = Publication.objects.filter(report=report).defer("content").first()
    page = {"report": report, "campaign": report.campaign, "form": form, "publication": published}
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
    return download(published.report.campaign, "report.zip", bytes(published.content), "application/zip")
