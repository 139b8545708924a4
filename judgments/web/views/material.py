"""The material of a campaign: its systems, and uploads from checking to storing."""

from typing import Any

from django.contrib import messages
from django.forms.models import model_to_dict
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render

from judgments.actions.material import ChangeSystem
from judgments.campaigns import access, overview, steps
from judgments.charts.columns import distinct_outputs
from judgments.charts.numbers import quantity
from judgments.material import systems, uploads
from judgments.material.rules.files import FileRow
from judgments.material.rules.reading import Roles
from judgments.material.upload_handlers import handler_for
from judgments.material.uploads import MOST_BYTES, too_large
from judgments.models import Campaign, Upload
from judgments.protocols import protocol_of
from judgments.rules.texts.diff import Piece
from judgments.web.actions import carry_out
from judgments.web.forms.material import FilesForm, TableForm, UploadForm, is_about_empty_line
from judgments.web.views.shared import (
    campaign_page,
    english_page,
    refusals_as_messages,
    takes_files,
)


@campaign_page("GET")
def material(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    return _show_material(request, campaign, _upload_form(campaign)())


def _upload_form(campaign: Campaign) -> type[FilesForm | UploadForm]:
    return UploadForm if handler_for(campaign).has_roles else FilesForm


def _show_material(request: HttpRequest, campaign: Campaign, form: FilesForm | UploadForm) -> HttpResponse:
    page = {
        "campaign": campaign,
        "progress": overview.progress(campaign),
        "systems": overview.systems(campaign),
        "distinct": distinct_outputs(overview.distinct_outputs(campaign), unit=protocol_of(campaign).unit),
        "uploads": Upload.objects.not_stored(campaign).filter(about=Upload.Purpose.MATERIAL),
        "compares": protocol_of(campaign).has_candidates,
        "usages": overview.usages(campaign),
        "is_closed": campaign.state in (Campaign.State.CLOSED, Campaign.State.ARCHIVED),
        "form": form,
        "most_bytes": MOST_BYTES,
    }
    return render(request, "judgments/material.html", page)


@campaign_page("GET", "POST", observers=False)
def system(request: HttpRequest, campaign: Campaign, pk: int) -> HttpResponse:
    """Change a system's name, its kind, or whether it is ranked."""
    system = ChangeSystem.subject_in(campaign, pk)
    # Browsers send nothing for a box that is not ticked.
    given = {"takes_part": ""} | request.POST.dict() if request.method == "POST" else None
    form = ChangeSystem(campaign, system, request.user, data=given, initial=model_to_dict(system))
    for name in systems.fixed_fields(system):
        del form.fields[name]
    form.fields["name"].required = True
    page = {"campaign": campaign, "system": system, "form": form}
    return carry_out(request, form) or render(request, "judgments/system.html", page)


@campaign_page("POST")
@takes_files(too_large, page="material")
def new_upload(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    form = _upload_form(campaign)(request.POST, request.FILES)
    if form.is_valid():
        with refusals_as_messages(request):
            return redirect(uploads.upload_files(campaign, request.user, form.cleaned_data["texts"], form.roles()))
    return _show_material(request, campaign, form)


@english_page("GET")
def upload(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Show the progress of the job, the preview, or what was stored, and go on to the plan if that comes next."""
    upload = access.get_upload_or_404(request.user, slug, pk, about=Upload.Purpose.MATERIAL)
    if upload.is_stored and (step := steps.next_to_prepare(upload.campaign)) and step.page == "screens":
        messages.success(request, _sentence_on_stored(upload))
        return redirect("screens", slug)
    return _show(request, upload, _table_form(upload))


def _table_form(upload: Upload, given: QueryDict | None = None) -> TableForm | None:
    """The table of files; None for usages, and for files that could not be opened."""
    files = (upload.preview or {}).get("files")
    if files is None or upload.is_stored:
        return None
    return TableForm(given, files=[FileRow(**file) for file in files], roles=Roles.read(upload.options))


def _show(request: HttpRequest, upload: Upload, form: TableForm | None) -> HttpResponse:
    preview = None if upload.is_stored else upload.preview
    for sample in preview["samples"] if preview else ():
        for version in sample.get("versions", ()):
            version["pieces"] = [Piece(*piece) for piece in version["pieces"]]
    rows = form.rows(preview["contributions"], upload.problems) if form and preview else []
    files = {row.file.file for row in rows}
    protocol = protocol_of(upload.campaign)
    distinct = dict(preview.get("distinct", ())) if preview else {}
    page = {
        "campaign": upload.campaign,
        "upload": upload,
        "preview": preview,
        "has_roles": handler_for(upload.campaign).has_roles,
        "next_step": steps.next_to_prepare(upload.campaign) if upload.is_stored else None,
        "stored": _sentence_on_stored(upload) if upload.is_stored else "",
        "compares": protocol.has_candidates,
        "distinct": distinct_outputs(distinct, unit=protocol.unit),
        "form": form,
        "rows": rows,
        "asked_in": next((row for row in rows if row.asks_about_empty_lines), None),
        "first_empty": _first_empty_line(upload.problems) if rows else "",
        "other_problems": [problem for problem in upload.problems if problem["file"] not in files],
    }
    return render(request, "judgments/upload.html", page)


def _sentence_on_stored(upload: Upload) -> str:
    taken, unit = upload.taken, protocol_of(upload.campaign).unit
    if not handler_for(upload.campaign).has_roles:
        return (
            f"Stored: {quantity(taken['usages'], 'usage')} in {quantity(taken['segments'], 'new sentence')}, "
            f"{quantity(taken['systems'], 'new system')}, {quantity(taken['classifications'], 'classification')}."
        )
    replaced = f", {quantity(taken['replaced'], 'output')} replaced" if taken["replaced"] else ""
    return (
        f"Stored: {taken.get('what', 'systems')} with {quantity(taken['outputs'], 'output')} for "
        f"{quantity(taken['segments'], unit)}{replaced}."
    )


def _first_empty_line(problems: list[dict[str, Any]]) -> str:
    """Where the first of the empty lines is about which alone the page has to ask."""
    if not problems or not all(map(is_about_empty_line, problems)):
        return ""
    first = problems[0]
    return first["what"].rpartition(":")[0] or f"line {first['line']} of {first['file']}"


@english_page("POST")
def check_upload(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Check the files again with new names and roles, or store them so if the button to store was pressed."""
    upload = access.get_upload_or_404(request.user, slug, pk, about=Upload.Purpose.MATERIAL)
    form = _table_form(upload, request.POST)
    if form and not form.is_valid():
        return _show(request, upload, form)
    with refusals_as_messages(request):
        if shown := request.POST.get("store"):
            uploads.request_storing(upload, shown, form.roles() if form and form.has_changed() else None)
        else:
            uploads.check_again(upload, form.roles() if form else Roles.read(upload.options))
    return redirect("upload", slug, pk)
