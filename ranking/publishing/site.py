"""The public form of a report: a folder of files that opens from disk and on any web host, without scripts.

It is made once, when the organiser publishes the report, so that a public page never changes by itself.
"""

from django.conf import settings
from django.template.loader import render_to_string

from judgments.models import Segment, System, SystemOutput
from ranking.models import Report
from ranking.numbers.spreadsheets import written_lines
from ranking.publishing.anonymous import AnonymousReport, anonymised
from ranking.reports.downloads import bundle_files, files_of, zipped
from ranking.reports.page import page_of

PAGE, TEXTS = "index.html", "texts.csv"
STYLES = ("css/house.css", "css/plots.css", "css/report.css")


def site_of(report: Report, with_texts: bool) -> bytes:
    """The ZIP of a finished report: its page, its files without names of judges and, if wanted, the texts."""
    public = anonymised(report)
    files: dict[str, str | bytes] = {file.name: file.text for file in files_of(public.report, public.tables)}
    files["files.zip"] = zipped(files)
    files["bundle.zip"] = zipped(bundle_files(public.report, public.tables, public.inputs))
    if with_texts:
        files[TEXTS] = _texts(report)
    return zipped({PAGE: _page(public, with_texts), **files})


def _page(public: AnonymousReport, with_texts: bool) -> str:
    styles = "\n".join((settings.BASE_DIR / "static" / name).read_text("utf-8") for name in STYLES)
    page = page_of(public.report, public.tables) | {"styles": styles, "texts": TEXTS if with_texts else ""}
    return render_to_string("ranking/public.html", page)


def _texts(report: Report) -> str:
    """The source of every segment, and the outputs of the judged systems."""
    systems = list(System.objects.filter(campaign=report.campaign).judged().values_list("pk", "name"))
    segments = Segment.objects.filter(campaign=report.campaign).order_by("number")
    outputs: dict[tuple[int, int], str] = {
        (segment, system): text
        for segment, system, text in SystemOutput.objects.filter(system__in=[pk for pk, _ in systems]).values_list(
            "segment_id", "system_id", "candidate__text"
        )
    }
    rows = (
        (number, text, *(outputs.get((segment, system), "") for system, _ in systems))
        for segment, number, text in segments.values_list("pk", "number", "source")
    )
    return written_lines(("segment", "source", *(name for _, name in systems)), rows)
