"""Write the installation into one file: a snapshot of every table, and the data folder.

Judges can continue meanwhile. The file appears only when it is complete, and never replaces another one. It holds
accounts, links and the secret key of an installation without services: keep it as you keep passwords. Example:

  python manage.py back_up /backups/appraise-2026-01-31.backup
"""

from pathlib import Path

from judgments.archive.backups.taking import back_up, describe_database
from judgments.management.base import PlatformCommand, argument

NO_CAMPAIGN = (
    "There is no campaign in this database. Is it the right one? See that DATABASE_URL and DATA_DIR are set here as "
    "they are for the platform."
)


class Command(PlatformCommand):
    help = __doc__
    arguments = (argument("file", type=Path, metavar="FILE", help="where to write"),)

    def run(self, file: Path) -> str:
        manifest = back_up(file, self.bar)
        if not manifest.campaigns:
            self.stderr.write(NO_CAMPAIGN)
        return f"{describe_database()}: {manifest} are in {file}, {file.stat().st_size:,} bytes."
