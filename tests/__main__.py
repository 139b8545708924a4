"""Runs everything: `python -m tests [arguments for pytest]`, as `make test` does.

All tests run on SQLite, those that ask the database once more on PostgreSQL, those of the services against a real
PostgreSQL, Redis and worker, those of the pages in Chromium. What could not run is said at the end; in CI (CI=true)
that is a failure, but for tests against published data that is not part of the project.
"""

import os
import subprocess
import sys
import tempfile
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from xml.etree import ElementTree

from tests.services.house import SECRET
from tests.services.servers import ServerUnavailable, provide_postgres, provide_redis
from tests.shared_data import LACKS

ROOT = Path(__file__).parent.parent
NOTHING_SELECTED = 5
# A file stays in one process: its tests may share a server. The longest ones come first, as tests/conftest.py has them.
BY_FILE = ["-n", "2", "--dist", "loadfile", "--no-loadscope-reorder"]
ON_SQLITE = BY_FILE
ON_POSTGRESQL = [*BY_FILE, "-m", "database and not browser"]


def main(arguments: list[str]) -> int:
    """Run both rounds and report; the exit status of the whole."""
    not_run: Counter[str] = Counter()
    with ExitStack() as servers:
        environment = dict(os.environ)
        for variable, provide in (("TEST_DATABASE_URL", provide_postgres), ("TEST_REDIS_URL", provide_redis)):
            try:
                server = servers.enter_context(provide())
            except ServerUnavailable as reason:
                not_run[str(reason)] += 1
            else:
                environment[variable] = server.url
                print(f"{variable}: {server.origin}", flush=True)
        failed = run("everything, on SQLite", environment, [*ON_SQLITE, *arguments], not_run)
        if url := environment.get("TEST_DATABASE_URL"):
            environment |= {"DATABASE_URL": url, "SECRET_KEY": SECRET}
            failed |= run("the database again, on PostgreSQL", environment, [*ON_POSTGRESQL, *arguments], not_run)
    return conclude(failed, not_run)


def run(name: str, environment: dict[str, str], arguments: list[str], not_run: Counter[str]) -> bool:
    """One round of pytest; notes what it skipped and gives whether it failed."""
    print(f"\n=== {name}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [sys.executable, "-m", "pytest", f"--junitxml={report}", *arguments]
        status = subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode
        if report.exists():
            skipped = ElementTree.parse(report).iter("skipped")  # noqa: S314 (pytest wrote it just now)
            not_run.update(element.get("message", "") for element in skipped)
    return status not in (0, NOTHING_SELECTED)


def conclude(failed: bool, not_run: Counter[str]) -> int:
    """Say what did not run and why; in CI that is a failure too."""
    print()
    for reason, count in not_run.items():
        print(f"NOT RUN ({count}): {reason}")
    if not not_run:
        print("Everything ran.")
    ours = [reason for reason in not_run if not reason.startswith(LACKS)]
    if ours and os.environ.get("CI"):
        print("In CI nothing may be left out.")
        return 1
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
