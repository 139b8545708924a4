"""Export everything held about one person."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from judgments.archive.backups.places import for_its_owner
from judgments.management.base import PlatformCommand
from judgments.privacy.person import Person
from judgments.privacy.takeout import belongings


class Command(PlatformCommand):
    """export_person CAMPAIGN JUDGE --out FILE"""

    help = """Write everything that is held about the person behind a judge, in all campaigns, as a ZIP of JSON.

Judges take theirs along from the page "Your data"; this one also says which screens were there to judge the judge.
Nobody but its owner can read the file. Example:

  python manage.py export_person mytask ada --out ada.zip
"""

    def add_arguments(self, parser: ArgumentParser) -> None:
        self.add_campaign(parser)
        self.add_judge(parser)
        parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="where to write")

    def handle(self, **options: Any) -> str:
        judge = self.judge(self.campaign(options["campaign"]), options["judge"])
        return self.write_blocks(belongings(Person.behind(judge), is_own=False), options["out"], for_its_owner)
