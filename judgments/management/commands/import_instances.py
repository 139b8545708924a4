"""Import usages, and their classifications by systems, into a verdict campaign.

Usages come as CSV or JSON lines with id, sentence, start and end, and optionally document, domain and gold. Any
other file is named after its system and has the columns id and class (1 error, 0 fine) or probability. Everything is
checked first, and nothing is stored if there is a problem. A campaign that does not exist is created. Examples:

  python manage.py import_instances articles usages.csv Heron.csv Wren.csv
  python manage.py import_instances articles folder/ --preset madnani2011 --organiser olga
"""

from typing import Any

from django.db import transaction

from judgments.campaigns import settings
from judgments.management.base import NEW_CAMPAIGN, SLUG, PlatformCommand, argument, configure
from judgments.management.files import read_all
from judgments.material import storing_usages
from judgments.material.rules.usages import read_usage_files
from judgments.protocols.base import USAGES
from judgments.protocols.registry import protocols_about


class Command(PlatformCommand):
    arguments = (
        SLUG,
        argument("paths", nargs="+", metavar="FOLDER_OR_FILE", help="folders, files or ZIPs"),
        *NEW_CAMPAIGN,
    )

    def run(self, slug: str, paths: list[str], options: dict[str, Any]) -> str:
        campaign = settings.find_or_prepare(slug)
        known = {}
        if campaign.pk:
            storing_usages.refuse_other_material(campaign)
            known = storing_usages.known_usages(campaign)
        usages = read_usage_files(read_all(paths), known)
        with transaction.atomic():
            protocol = campaign.protocol if campaign.pk else protocols_about(USAGES)[0].name
            configure(campaign, options, protocol, is_recommended=True)
            stored = storing_usages.store_usages(campaign, usages, self.bar)
        for note in usages.notes:
            self.stderr.write(note)
        return (
            f"{campaign.slug}: {stored.usages} usages in {stored.segments} new sentences, {stored.systems} new "
            f"systems, {stored.classifications} classifications."
        )
