"""Back up the installation to one file: a snapshot of every table, and the data folder.

Judges can continue meanwhile. The file appears only when it is complete, and never replaces an existing one. It holds
accounts, links and, on an installation without services, the secret key: protect it like a password. Example:

  python manage.py back_up /backups/appraise-2026-01-31.backup
"""

from pathlib import Path

from judgments.archive.backups import back_up, describe_database
from judgments.management.base import PlatformCommand, argument

NO_CAMPAIGN = (
    "There is no campaign in this database. Is it the right one? Check that DATABASE_URL and DATA_DIR have the same "
    "values here as on the server."
)


class Command(PlatformCommand):
    arguments = (argument("file", type=Path, metavar="FILE", help="the file to write"),)

    def run(self, file: Path) -> str:
        manifest = back_up(file, self.bar)
        if not manifest.rows["judgments.campaign"]:
            self.stderr.write(NO_CAMPAIGN)
        return f"{describe_database()}: wrote {manifest} to {file}, {file.stat().st_size:,} bytes."
