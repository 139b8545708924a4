"""Bring usages of usage, and what systems say of them, into a campaign of verdicts."""

from argparse import ArgumentParser
from typing import Any

from django.db import transaction

from judgments.campaigns import settings
from judgments.campaigns.presets import PRESETS
from judgments.management.base import PlatformCommand
from judgments.management.files import read_all
from judgments.material import storing_usages
from judgments.material.rules.usages import read_usage_files
from judgments.models import Campaign
from judgments.protocols.base import USAGES
from judgments.protocols.registry import protocols_about


class Command(PlatformCommand):
    """import_instances CAMPAIGN FOLDER_OR_FILES"""

    help = """Bring usages of usage, and what systems say of them, into a campaign of verdicts.

Usages come as CSV or JSON lines with id, sentence, start and end, and if you like document, domain and gold. Any
other file is named after its system and has the columns id and class (1 error, 0 fine) or probability. Everything is
checked first, and nothing is stored unless all is well. A campaign that is not there yet is made. Examples:

  python manage.py import_instances articles usages.csv Heron.csv Wren.csv
  python manage.py import_instances articles folder/ --preset madnani2011 --organiser olga
"""

    def add_arguments(self, parser: ArgumentParser) -> None:
        self.add_campaign(parser)
        parser.add_argument("paths", nargs="+", metavar="FOLDER_OR_FILE", help="folders, files or ZIPs")
        parser.add_argument("--preset", choices=list(PRESETS), help="settings of a new campaign")
        parser.add_argument("--name", help="title of a new campaign")
        parser.add_argument("--language", help="language of the sentences, such as en or pl")
        parser.add_argument("--organiser", metavar="USERNAME", help="who runs the campaign")

    def handle(self, **options: Any) -> str:
        campaign = settings.find_or_prepare(options["campaign"])
        if campaign.pk:
            storing_usages.refuse_other_material(campaign)
        held = read_usage_files(
            read_all(options["paths"]), storing_usages.known_usages(campaign) if campaign.pk else {}
        )
        with transaction.atomic():
            settings.configure(campaign, **self._settings(options, campaign))
            if options["organiser"]:
                settings.make_organiser(campaign, options["organiser"])
            taken = storing_usages.store_usages(campaign, held, self.bar)
        for note in held.notes:
            self.stderr.write(note)
        return (
            f"{campaign.slug}: {taken.usages} usages in {taken.segments} new sentences, {taken.systems} new "
            f"systems, {taken.classifications} classifications."
        )

    def _settings(self, options: dict[str, Any], campaign: Campaign) -> dict[str, Any]:
        protocol = campaign.protocol if campaign.pk else protocols_about(USAGES)[0].name
        name = options["preset"] or (None if campaign.pk else "recommended")
        begun_with = settings.preset(name, protocol) if name else {}
        said = {name: options[name] for name in ("name", "language") if options[name]}
        return begun_with | {"protocol": protocol} | said
