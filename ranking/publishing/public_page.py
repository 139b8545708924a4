"""The public form of a report: a folder of files that opens from disk and on any web host, without scripts.

It is made once, when the organiser publishes the report, so that a public page never changes by itself.
"""

from django.conf import settings
from django.db import transaction
from django.db.models.functions import Coalesce
from django.template.loader import render_to_string

from judgments.models import Job, Segment, System, SystemOutput
from judgments.models.journal import note
from judgments.rules.errors import Refused
from ranking.models import Publication, Report
from ranking.numbers.tables import written_lines
from ranking.publishing.facts import PublicFacts, ReleaseChoices, bibtex
from ranking.reports.answers import PLATFORM, works
from ranking.reports.downloads import bundle_files, make_zip, report_files
from ranking.reports.page import page_of
from ranking.reports.renaming import anonymous_report, can_reproduce

PAGE, STYLE, TEXTS = "index.html", "report.css", "texts.csv"
STYLES = ("house.css", "plots.css", "report.css")


@transaction.atomic
def publish(report: Report, choices: ReleaseChoices) -> Publication:
    """Make the public files, at the address that the report has already, if it was published before."""
    if report.state != Job.State.DONE:
        raise Refused("Only a finished report can be published; wait until it is ready.")
    publication = Publication.objects.filter(report=report).first() or Publication(report=report)
    publication.with_texts, publication.content = choices.with_texts, site_of(report, choices, publication.url)
    publication.save()
    note(report.campaign, f"published report {report.pk} {'with' if choices.with_texts else 'without'} texts")
    return publication


@transaction.atomic
def withdraw(report: Report) -> None:
    """Delete the public files; their address leads nowhere from now on."""
    if Publication.objects.filter(report=report).delete()[0]:
        note(report.campaign, f"withdrew report {report.pk} from the public")


def site_of(report: Report, choices: ReleaseChoices, address: str) -> bytes:
    """The ZIP of a finished report: its page, its files without names of judges and, if wanted, the texts."""
    public, with_texts = anonymous_report(report), choices.with_texts
    facts, has_bundle = PublicFacts(report, choices, address, is_release=False), can_reproduce(report, with_texts)
    citation = f"{bibtex(facts)}\n{works()[PLATFORM]}\n"
    files: dict[str, str | bytes] = {**report_files(public.report, public.tables)}
    files |= {
        "files.zip": make_zip(files),
        STYLE: "\n".join((settings.ASSETS / "static" / "css" / name).read_text("utf-8") for name in STYLES),
        "citation.bib": citation,
    }
    if has_bundle:
        files["bundle.zip"] = make_zip(bundle_files(public.report, public.tables, public.inputs))
    if with_texts:
        files[TEXTS] = _texts(report)
    page = page_of(public.report, public.tables, is_public=True)
    page |= {"texts": TEXTS if with_texts else "", "has_bundle": has_bundle, "facts": facts, "citation": citation}
    return make_zip({PAGE: render_to_string("ranking/public.html", page), **files})


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
