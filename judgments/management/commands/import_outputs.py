"""Bring source sentences, system outputs, references and controls into a campaign."""

from argparse import ArgumentParser
from typing import Any

from django.db import transaction

from judgments.campaigns import settings
from judgments.campaigns.presets import PRESETS
from judgments.management.base import PlatformCommand
from judgments.management.files import names_and_paths, passed_over, read_paths
from judgments.material import storing
from judgments.material.rules.reading import EmptyLine, Roles, read_material
from judgments.protocols import protocol_named
from judgments.protocols.base import TEXTS
from judgments.protocols.registry import protocols_about


class Command(PlatformCommand):
    """import_outputs CAMPAIGN FOLDER_OR_FILES"""

    help = """Bring source sentences, system outputs, references and controls into a campaign.

Each file is UTF-8 with one sentence a line, and is named after its system. A file called INPUT or source is the
source. M2 files bring the source and references; a ZIP brings what is in it; documents.tsv says which document each
line belongs to. Everything is checked first, and nothing is stored unless all is well. A campaign that is not there
yet is made. Examples:

  python manage.py import_outputs mytask outputs/
  python manage.py import_outputs mytask outputs/ --references gold.m2 --source-takes-part
  python manage.py import_outputs mytask outputs/ --protocol rating --control source+error --references ref0 ref1
  python manage.py import_outputs mytexts source.txt --protocol correction
"""

    advice = {
        "the line is empty": "Say --empty-lines output or --empty-lines missing.",
        "no source": "Say --source NAME.",
    }

    def add_arguments(self, parser: ArgumentParser) -> None:
        self.add_campaign(parser)
        parser.add_argument("paths", nargs="+", metavar="FOLDER_OR_FILE", help="folders, text files, M2 files or ZIPs")
        parser.add_argument("--source", metavar="NAME", help="which file is the source, if not INPUT or source")
        parser.add_argument("--source-takes-part", action="store_true", help="judges compare the unchanged source too")
        parser.add_argument(
            "--references", nargs="+", default=[], metavar="NAME_OR_FILE", help="files that are human corrections"
        )
        parser.add_argument(
            "--control", nargs="+", default=[], metavar="NAME_OR_FILE", help="files with the source made worse"
        )
        parser.add_argument(
            "--empty-lines", choices=[choice.value for choice in EmptyLine], default=EmptyLine.ERROR.value,
            help="what an empty line means: an empty output, a missing one, or an error (default)",
        )  # fmt: skip
        parser.add_argument(
            "--protocol", choices=[one.name for one in protocols_about(TEXTS)], help="of a new campaign"
        )
        parser.add_argument("--preset", choices=list(PRESETS), help="settings of a new campaign")
        parser.add_argument("--name", help="title of a new campaign")
        parser.add_argument("--language", help="language of the sentences, such as en or pl")
        parser.add_argument("--organiser", metavar="USERNAME", help="who runs the campaign")

    def handle(self, **options: Any) -> str:
        references, more = names_and_paths(options["references"])
        controls, still_more = names_and_paths(options["control"])
        files = read_paths([*options["paths"], *more, *still_more])
        campaign = settings.find_or_prepare(options["campaign"])
        roles = Roles(
            source=options["source"],
            source_takes_part=options["source_takes_part"],
            references=frozenset(references),
            controls=frozenset(controls),
            empty_line=EmptyLine(options["empty_lines"]),
        )
        material = read_material(files, roles, storing.places_of(campaign), storing.source_of(campaign))
        with transaction.atomic():
            settings.configure(campaign, **self._settings(options, is_new=not campaign.pk))
            if options["organiser"]:
                settings.make_organiser(campaign, options["organiser"])
            taken = storing.store_material(campaign, material, self.bar)
        for note in [*passed_over(options["paths"]), *material.notes]:
            self.stderr.write(note)
        return (
            f"{campaign.slug}: {taken.segments} sentences, {taken.systems} new systems with {taken.outputs} outputs, "
            f"{storing.distinct_outputs(campaign):.3f} distinct judged outputs a sentence"
            + (f", {taken.replaced} outputs replaced." if taken.replaced else ".")
        )

    def _settings(self, options: dict[str, Any], *, is_new: bool) -> dict[str, Any]:
        # What a campaign has without a preset suits comparisons; other protocols say what suits them.
        suits = is_new and options["protocol"] and protocol_named(options["protocol"]).recommended
        name = options["preset"] or ("recommended" if suits else None)
        preset = settings.preset(name, options["protocol"]) if name else {}
        return preset | {name: options[name] for name in ("protocol", "name", "language") if options[name]}
