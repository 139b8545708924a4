"""Restore an installation from a backup, completely or not at all.

Stop web servers, workers and beat first. The command refuses to start while workers run, but it cannot detect web
servers and beat. Files in the data folder that are not in the backup stay as they are.

A backup of SQLite can be restored into PostgreSQL and vice versa. A backup by an older version is migrated. --check
changes nothing and reports whether the installation equals the backup. Examples:

  python manage.py restore_backup /backups/appraise-2026-01-31.backup
  python manage.py restore_backup /backups/appraise-2026-01-31.backup --check
"""

from pathlib import Path

from django.core.management.base import CommandError

from judgments.archive.backups.layout import open_backup
from judgments.archive.backups.restoring import restore
from judgments.archive.backups.taking import differences, extra_files
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
            return _compared(file)
        manifest = restore(file, replace, self.bar)
        return f"Restored {manifest}, as of {manifest.made_at}.{_note_on(extra_files(manifest))}"


def _compared(path: Path) -> str:
    with open_backup(path) as backup:
        if found := differences(backup.manifest):
            raise CommandError("\n".join(["This installation differs from the backup.", *found]))
        others = extra_files(backup.manifest)
    return f"All {backup.manifest} are the same.{_note_on(others)}"


def _note_on(others: list[str]) -> str:
    if not others:
        return ""
    files = "one file that is" if len(others) == 1 else f"{len(others)} files that are"
    return f" The data folder has {files} not in the backup, such as {others[0]}; restoring keeps such files."
