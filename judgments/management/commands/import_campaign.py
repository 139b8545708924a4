"""Create a campaign from a bundle."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from judgments.archive.importing import import_campaign
from judgments.management.base import PlatformCommand


class Command(PlatformCommand):
    """import_campaign BUNDLE [--as SLUG] [--organiser USERNAME]"""

    help = """Make a campaign from a bundle that export_campaign wrote, here or elsewhere.

The bundle is checked as a whole before anything is stored, and a campaign that is there is never touched. Judges keep
their pseudonyms and what they judged, and have no accounts here. Example:

  python manage.py import_campaign mytask.zip --as mytask-copy --organiser olga
"""

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("bundle", type=Path, metavar="BUNDLE", help="the ZIP")
        parser.add_argument("--as", dest="slug", metavar="SLUG", help="another short name for the campaign")
        parser.add_argument("--organiser", metavar="USERNAME", help="who runs the campaign")

    def handle(self, **options: Any) -> str:
        bundle: Path = options["bundle"]
        if not bundle.is_file():
            raise CommandError(f"{bundle}: there is no such file.")
        with bundle.open("rb") as file:
            made = import_campaign(bundle.name, file, options["slug"], options["organiser"], self.bar)
        new = " They have new keys, as this installation has the others already." if made.has_new_keys else ""
        return (
            f"{made.campaign.slug}: {made.segments} sentences, {made.judges} judges, {made.judgments} judgments.{new}"
        )
