"""The public form of a report: a folder of files that opens from disk and on any web host, without scripts.

It is made once, when the organiser publishes the report, so that a public page never changes by itself.
"""

from django.conf import settings
from django.db.models.functions import Coalesce
from django.template.loader import render_to_string

from judgments.models import Segment, System, SystemOutput
from ranking.models import Report
from ranking.numbers.spreadsheets import written_lines
from ranking.publishing.anonymous import anonymised, can_reproduce
from ranking.publishing.release.choices import ReleaseChoices
from ranking.publishing.release.citation import bibtex
from ranking.publishing.release.facts import PageFacts
from ranking.reports.downloads import bundle_files, files_of, zipped
from ranking.reports.page import page_of
from ranking.reports.papers import PLATFORM, works

PAGE, STYLE, TEXTS, CITATION = "index.html", "report.css", "texts.csv", "citation.bib"
STYLES = ("house.css", "plots.css", "report.css")


def site_of(report: Report, choices: ReleaseChoices, address: str) -> bytes:
    """The ZIP of a finished report: its page, its files without names of judges and, if wanted, the texts."""
    public, with_texts = anonymised(report), choices.with_texts
    facts = PageFacts(public, choices, address)
    citation = f"{bibtex(facts)}\n{works()[PLATFORM]}\n"
    files: dict[str, str | bytes] = {file.name: file.text for file in files_of(public.report, public.tables)}
    files |= {
        "files.zip": zipped(files),
        STYLE: "\n".join((settings.ASSETS / "static" / "css" / name).read_text("utf-8") for name in STYLES),
        CITATION: citation,
    }
    if can_reproduce(report, with_texts):
        files["bundle.zip"] = zipped(bundle_files(public.report, public.tables, public.inputs))
    if with_texts:
        files[TEXTS] = _texts(report)
    return zipped({PAGE: _page(facts, citation), **files})


def _page(facts: PageFacts, citation: str) -> str:
    public, with_texts = facts.anonymous, facts.choices.with_texts
    page = page_of(public.report, public.tables, is_public=True)
    page |= {"texts": TEXTS if with_texts else "", "has_bundle": can_reproduce(public.report, with_texts)}
    page |= {"facts": facts, "citation": citation}
    return render_to_string("ranking/public.html", page)


def _texts(report: Report) -> str:
    """The source of every segment, and the outputs of the judged systems."""
    systems = dict(System.objects.filter(campaign=report.campaign).judged().values_list("pk", "name"))
    outputs = SystemOutput.objects.filter(system__in=systems)
    written = outputs.values_list("segment", "system", Coalesce("verbatim", "candidate__text"))
    text_of = {(segment, system): text for segment, system, text in written}
    rows = (
        (position + 1, source, *(text_of.get((segment, system)) for system in systems))
        for segment, position, source in Segment.objects.filter(campaign=report.campaign).values_list(
            "pk", "position", "text"
        )
    )
    return written_lines(("segment", "source", *systems.values()), rows)
