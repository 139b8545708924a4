"""Restore an installation from a backup, completely or not at all.

Stop web servers, workers and beat first. The command refuses to start while workers run, but it cannot detect web
servers and beat. Files in the data folder that are not in the backup stay as they are.

A backup of SQLite can be restored into PostgreSQL and vice versa. A backup by an older version is migrated. --check
changes nothing and reports whether the installation equals the backup. Examples:

  python manage.py restore /backups/appraise-2026-01-31.backup
  python manage.py restore /backups/appraise-2026-01-31.backup --check
"""

from pathlib import Path

from django.core.management.base import CommandError

from judgments.archive.backups import compare, extra_files, restore
from judgments.management.base import PlatformCommand, argument


class Command(PlatformCommand):
    # The tables may be missing, or those of another version.
    requires_migrations_checks = False
    arguments = (
        argument("file", type=Path, metavar="FILE", help="the backup"),
        argument("--replace", action="store_true", help="delete all present data first"),
        argument("--check", action="store_true", help="only compare, row by row and byte by byte"),
    )

    def run(self, file: Path, replace: bool, check: bool) -> str:
        if check:
            manifest, differences = compare(file, self.bar)
            if differences:
                raise CommandError("\n".join(["This installation differs from the backup.", *differences]))
            done = f"All {manifest} are the same."
        else:
            manifest = restore(file, replace, self.bar)
            done = f"Restored {manifest}, as of {manifest.made_at}."
        if others := extra_files(manifest):
            files = "one file that is" if len(others) == 1 else f"{len(others)} files that are"
            done += f" The data folder has {files} not in the backup, such as {others[0]}; restoring keeps such files."
        return done
