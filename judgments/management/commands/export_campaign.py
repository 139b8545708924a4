"""Export a campaign as a bundle."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from judgments.exchange.exporters import EXPORTS
from judgments.management.base import PlatformCommand


class Command(PlatformCommand):
    """export_campaign CAMPAIGN --out FILE"""

    help = """Write a campaign as a ZIP that another installation imports to an identical one.

It holds settings, texts, systems, screens, assignments and all judgments with their revisions. Accounts, links, drafts
and what crowd platforms said of their workers stay behind: judges are their pseudonyms. The same campaign gives the
same bytes. Example:

  python manage.py export_campaign mytask --out mytask.zip
"""

    def add_arguments(self, parser: ArgumentParser) -> None:
        self.add_campaign(parser)
        parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="where to write")

    def handle(self, **options: Any) -> str:
        return self.write_blocks(EXPORTS["campaign.zip"].blocks(self.campaign(options["campaign"])), options["out"])
