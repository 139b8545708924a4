"""Import source sentences, system outputs, references and controls into a campaign.

Each file is UTF-8 with one sentence a line, and is named after its system. A file called INPUT or source is the
source. M2 files bring the source and references; a ZIP brings what is in it; documents.tsv says which document each
line belongs to. Everything is checked first, and nothing is stored if there is a problem. A campaign that does not
exist is created. Examples:

  python manage.py import_outputs mytask outputs/
  python manage.py import_outputs mytask outputs/ --references gold.m2 --source-takes-part
  python manage.py import_outputs mytask outputs/ --protocol rating --control source+error --references ref0 ref1
  python manage.py import_outputs mytexts source.txt --protocol correction
"""

from argparse import ArgumentParser
from typing import Any

from django.db import transaction

from judgments.campaigns import settings
from judgments.management.base import NEW_CAMPAIGN, SLUG, PlatformCommand, argument
from judgments.management.files import names_and_paths, passed_over, read_paths
from judgments.material import storing
from judgments.material.rules.reading import EmptyLine, Roles, read_material
from judgments.models import Campaign
from judgments.protocols import protocol_named
from judgments.protocols.base import TEXTS
from judgments.protocols.registry import protocols_about


def _protocol(parser: ArgumentParser) -> None:
    """Add the choices when the command runs, because only then all protocols are registered."""
    parser.add_argument("--protocol", choices=[one.name for one in protocols_about(TEXTS)], help="of a new campaign")


class Command(PlatformCommand):
    help = __doc__
    advice = {
        "the line is empty": "Say --empty-lines output or --empty-lines missing.",
        "no source": "Say --source NAME.",
    }
    arguments = (
        SLUG,
        argument("paths", nargs="+", metavar="FOLDER_OR_FILE", help="folders, text files, M2 files or ZIPs"),
        argument("--source", metavar="NAME", help="which file is the source, if not INPUT or source"),
        argument("--source-takes-part", action="store_true", help="judges compare the unchanged source too"),
        argument(
            "--references", nargs="+", default=[], metavar="NAME_OR_FILE", help="files that are human corrections"
        ),
        argument("--control", nargs="+", default=[], metavar="NAME_OR_FILE", help="files with the source made worse"),
        argument(
            "--empty-lines", choices=[choice.value for choice in EmptyLine], default=EmptyLine.ERROR.value,
            help="what an empty line means: an empty output, a missing one, or an error (default)",
        ),
        _protocol,
        *NEW_CAMPAIGN,
    )  # fmt: skip

    def run(
        self, slug: str, paths: list[str], references: list[str], control: list[str], options: dict[str, Any]
    ) -> str:
        reference_names, more = names_and_paths(references)
        controls, still_more = names_and_paths(control)
        files = read_paths([*paths, *more, *still_more])
        campaign = settings.find_or_prepare(slug)
        roles = Roles(
            source=options["source"],
            source_takes_part=options["source_takes_part"],
            references=frozenset(reference_names),
            controls=frozenset(controls),
            empty_line=EmptyLine(options["empty_lines"]),
        )
        material = read_material(files, roles, storing.places_of(campaign), storing.source_of(campaign))
        with transaction.atomic():
            settings.configure(campaign, **_settings(campaign, options))
            if options["organiser"]:
                settings.make_organiser(campaign, options["organiser"])
            taken = storing.store_material(campaign, material, self.bar)
        for note in [*passed_over(paths), *material.notes]:
            self.stderr.write(note)
        return (
            f"{campaign.slug}: {taken.segments} sentences, {taken.systems} new systems with {taken.outputs} outputs, "
            f"{storing.distinct_outputs(campaign):.3f} distinct judged outputs a sentence"
            + (f", {taken.replaced} outputs replaced." if taken.replaced else ".")
        )


def _settings(campaign: Campaign, options: dict[str, Any]) -> dict[str, Any]:
    # The defaults of a campaign suit comparisons; other protocols need their recommended settings.
    suits = not campaign.pk and options["protocol"] and protocol_named(options["protocol"]).recommended
    name = options["preset"] or ("recommended" if suits else None)
    preset = settings.preset(name, options["protocol"]) if name else {}
    return preset | {name: options[name] for name in ("protocol", "name", "language") if options[name]}
