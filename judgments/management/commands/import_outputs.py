"""Import source sentences, system outputs, references and controls, or usages and their classes, into a campaign.

A table (Excel, CSV, JSON lines) has a row for each sentence, a column for the source and one for each system; or a
row for each sentence and system. A text file is UTF-8 with one sentence per line, and is named after its system; one
called INPUT or source is the source, and one called ref0, gold or the like a reference (unless --columns ref0=text).
Campaigns of whole texts take files with a line such as ### essay_id = 1 before each text, or folders, one for each
system, with a file for each text. M2 files contain the source and references; ZIP archives are unpacked;
documents.tsv gives the document of each line. Campaigns of verdicts take usages as CSV or JSON
lines with id, sentence, start and end, and optionally document, domain and gold; any other file is named after its
system and has the columns id and class (1 error, 0 fine) or probability. Everything is checked first, and nothing is
stored if there is a problem.
A campaign that does not exist is created, with the recommended settings or those of --preset. Examples:

  python manage.py import_outputs mytask outputs.xlsx
  python manage.py import_outputs mytask outputs/
  python manage.py import_outputs mytask outputs/ --references gold.m2 --source-takes-part
  python manage.py import_outputs mytask outputs/ --protocol rating --control source+error --references ref0 ref1
  python manage.py import_outputs mytexts source.txt --protocol correction
  python manage.py import_outputs myessays orig.md systemA.md systemB.md --protocol essays
  python manage.py import_outputs articles usages.csv Heron.csv Wren.csv --preset madnani2011 --organiser olga
"""

from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Any

from django.db import transaction

from judgments.campaigns import settings
from judgments.campaigns.presets import PRESETS
from judgments.campaigns.steps import next_to_prepare
from judgments.charts.numbers import quantity
from judgments.management.base import NEW_CAMPAIGN, SLUG, PlatformCommand, argument, configure
from judgments.management.files import (
    check_paths,
    names_and_paths,
    read_all,
    read_paths,
    read_whole_texts,
    skipped_files,
)
from judgments.management.naming import Argument, as_called
from judgments.material import storing, storing_usages
from judgments.material.rules.reading import EmptyLine, Roles
from judgments.material.rules.tables import ASKS_ABOUT_HEADER, ColumnRole
from judgments.material.rules.usages import read_usage_files
from judgments.material.upload_handlers import HANDLERS, TextHandler
from judgments.models import Campaign
from judgments.protocols import PROTOCOLS, protocol_named
from judgments.rules.errors import Refused


def _protocol(parser: ArgumentParser) -> None:
    """Add the argument when the command runs: only then are all protocols registered."""
    parser.add_argument("--protocol", choices=[*PROTOCOLS], help="the protocol of a new campaign")


def _roles_of_columns(words: list[str]) -> dict[str, str]:
    columns = dict(word.rpartition("=")[::2] for word in words)
    if wrong := [role for role in columns.values() if role not in [*ColumnRole]]:
        raise Refused(
            f"{wrong[0]!r} is not what a column can hold; write NAME=ROLE with one of: {', '.join(ColumnRole)}."
        )
    return columns


class Command(PlatformCommand):
    advice = {
        "the line is empty": "Add --empty-lines output or --empty-lines missing.",
        "no source": "Add --source NAME.",
        "it cannot become a reference": "If it is a system that is called so, add --columns NAME=text.",
        ASKS_ABOUT_HEADER: "Add --header yes or --header no.",
        "lines; at most": "Unpack archives: files on disk are read a part at a time and may have any number of lines.",
    }
    arguments: Sequence[Argument] = (
        SLUG,
        argument("paths", nargs="+", metavar="FOLDER_OR_FILE", help="folders, texts, M2, ZIPs or campaigns of Pearmut"),
        argument("--source", metavar="NAME", help="the source, if its file is not called INPUT or source"),
        argument("--source-takes-part", action="store_true", help="let judges compare the unchanged source too"),
        argument(
            "--references", nargs="+", default=[], metavar="NAME_OR_FILE", help="human corrections"
        ),
        argument("--control", nargs="+", default=[], metavar="NAME_OR_FILE", help="the source with added errors"),
        argument(
            "--empty-lines", choices=[choice.value for choice in EmptyLine], default=EmptyLine.ERROR.value,
            help="what an empty line means: an empty output, a missing one, or an error (default)",
        ),
        argument("--header", choices=["yes", "no"], default="", help="whether the first row of a table has names"),
        argument(
            "--columns", nargs="+", default=[], metavar="NAME=ROLE",
            help="what columns of a table hold: " + ", ".join(ColumnRole),
        ),
        _protocol,
        *NEW_CAMPAIGN,
    )  # fmt: skip

    def run(
        self, slug: str, paths: list[str], references: list[str], control: list[str], options: dict[str, Any]
    ) -> str:
        reference_names, reference_paths = names_and_paths(references)
        controls, control_paths = names_and_paths(control)
        check_paths(paths)
        campaign = settings.find_or_prepare(slug)
        wanted = options["protocol"] or PRESETS.get(options["preset"], {}).get("protocol")
        protocol = protocol_named(str(wanted or campaign.protocol))
        handler = HANDLERS[protocol.material]
        if not isinstance(handler, TextHandler):
            return self._import_usages(campaign, paths, options, protocol.name)
        read = read_paths if protocol.has_lines else read_whole_texts
        files = handler.open_files(read([*paths, *reference_paths, *control_paths]))
        roles = Roles(
            source=options["source"],
            source_takes_part=options["source_takes_part"],
            references=frozenset(reference_names),
            controls=frozenset(controls),
            empty_line=EmptyLine(options["empty_lines"]),
            header=options["header"],
            columns=_roles_of_columns(options["columns"]),
        )
        material = handler.read(campaign, files, roles.as_json()).whole()
        with transaction.atomic():
            configure(campaign, options, options["protocol"])
            stored = storing.store_material(campaign, material, self.bar)
        for note in [*(skipped_files(paths) if protocol.has_lines else ()), *material.notes]:
            self.stderr.write(note)
        replaced = f", {stored.replaced} outputs replaced" if stored.replaced else ""
        return (
            f"{campaign.slug}: {quantity(stored.segments, protocol.unit)}, {stored.what} "
            f"with {quantity(stored.outputs, 'output')}, {storing.distinct_outputs(campaign):.1f} distinct judged "
            f"outputs per {protocol.unit}{replaced}.{_next(campaign)}"
        )

    def _import_usages(self, campaign: Campaign, paths: list[str], options: dict[str, Any], protocol: str) -> str:
        usages = read_usage_files(read_all(paths), storing_usages.known_usages(campaign))
        with transaction.atomic():
            configure(campaign, options, protocol)
            stored = storing_usages.store_usages(campaign, usages, self.bar)
        for note in usages.notes:
            self.stderr.write(note)
        return (
            f"{campaign.slug}: {stored.usages} usages in {stored.segments} new sentences, {stored.systems} new "
            f"systems, {stored.classifications} classifications.{_next(campaign)}"
        )


def _next(campaign: Campaign) -> str:
    step = next_to_prepare(campaign)
    nexts = {
        "material": f"python manage.py import_outputs {campaign.slug} FILES, with outputs of systems",
        "screens": f"python manage.py assign_screens {campaign.slug}",
    }
    return as_called(f"\nNext: {nexts[step.page]}") if step is not None and step.page in nexts else ""
