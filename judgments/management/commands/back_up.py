"""Back up the installation."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from judgments.archive.backups.database import describe_database
from judgments.archive.backups.taking import back_up
from judgments.management.base import PlatformCommand

NO_CAMPAIGN = (
    "There is no campaign in this database. Is it the right one? See that DATABASE_URL and DATA_DIR are set here as "
    "they are for the platform."
)


class Command(PlatformCommand):
    """back_up FILE"""

    help = """Write the installation into one file: a snapshot of every table, and the data folder.

Judges can go on meanwhile. The file appears only when it is complete, and never replaces another one. It holds
accounts, links and the secret key of an installation without services: keep it as you keep passwords. Example:

  python manage.py back_up /backups/appraise-2026-01-31.backup
"""

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help="where to write")

    def handle(self, **options: Any) -> str:
        manifest = back_up(options["file"], self.bar)
        if not manifest.campaigns:
            self.stderr.write(NO_CAMPAIGN)
        size = options["file"].stat().st_size
        return f"{describe_database()}: {manifest} are in {options['file']}, {size:,} bytes."
