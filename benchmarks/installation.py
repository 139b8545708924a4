"""A fresh platform in a temporary folder: migrated, nothing in it; on SQLite where nothing else is said."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory

from benchmarks.processes import Measured, command

MANAGE = Path(__file__).resolve().parent.parent / "manage.py"
# Whatever the shell says of these, a benchmark must touch neither a real database nor a real queue.
NOT_INHERITED = {"DATABASE_URL", "CELERY_BROKER_URL", "DEBUG", "SECRET_KEY"}


@dataclass(frozen=True)
class Installation:
    """A folder in which a platform keeps everything, and what else its processes are told."""

    folder: Path
    variables: dict[str, str] = field(default_factory=dict)

    def environment(self) -> dict[str, str]:
        """The variables by which settings find the folder and nothing else."""
        inherited = {name: value for name, value in os.environ.items() if name not in NOT_INHERITED}
        own = {"DATA_DIR": str(self.folder), "DJANGO_SETTINGS_MODULE": "appraise_gec.settings"}
        return inherited | own | self.variables

    def manage(self, *words: str | Path) -> Measured[str]:
        """Run one of the platform's commands."""
        return command([sys.executable, str(MANAGE), *map(str, words)], self.environment())

    def enter(self) -> None:
        """Make this process one of the platform's."""
        import django  # the settings are read at once, so not before the environment is ready

        os.environ.clear()
        os.environ.update(self.environment())
        django.setup()


@contextmanager
def fresh_installation(**variables: str) -> Iterator[Installation]:
    """A migrated platform for the time of the block, with variables of its own."""
    with TemporaryDirectory(prefix="appraise-benchmark-") as folder:
        installation = Installation(Path(folder), variables)
        if "DATABASE_URL" in variables:
            installation.manage("migrate", "--verbosity", "0")
        else:
            copytree(_migrated().name, folder, dirs_exist_ok=True)
        yield installation


@cache
def _migrated() -> TemporaryDirectory:
    """A folder with an empty platform on SQLite, made once; it is gone when the process ends."""
    folder = TemporaryDirectory(prefix="appraise-benchmark-")
    Installation(Path(folder.name)).manage("migrate", "--verbosity", "0")
    return folder
