"""Runs the tests: `python -m tests [--long] [arguments for pytest]`, as `make test` and `make test-long` do.

Two rounds each. Without --long everything short runs on SQLite, with a real browser, and what is marked `postgresql`
once more on PostgreSQL. With --long everything runs that takes minutes, with real workers too; what asks the database
runs on PostgreSQL, the stricter of the two, and what is marked `postgresql` on both. Mark whatever depends on more than
simple queries: transactions, locks, constraints, aggregates, ordering, JSON, SQL of our own. What could not run is
listed at the end; in CI (CI=true) that is a failure, but for tests against published data that is not part of the
project.
"""

import os
import subprocess
import sys
import tempfile
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from time import monotonic
from xml.etree import ElementTree

from tests.services.house import ROOT, SECRET
from tests.services.servers import ServerUnavailable, provide_postgres, provide_redis
from tests.shared_data import LACKS

NOTHING_SELECTED = 5
# A file stays in one process, as its tests may share a server. The longest come first: tests/conftest.py.
BY_FILE = ["-n", "2", "--dist", "loadfile", "--no-loadscope-reorder"]
SHORT = {
    "everything short, on SQLite": "not long",
    "where the database matters, on PostgreSQL": "postgresql and not browser and not long",
}
LONG = {
    "what takes minutes, on SQLite": "long and (browser or postgresql or not database)",
    "what takes minutes and asks the database, on PostgreSQL": "long and database and not browser",
}


def main(arguments: list[str]) -> int:
    """Run both rounds and report; the exit status of the whole."""
    is_long = "--long" in arguments
    arguments = [argument for argument in arguments if argument != "--long"]
    (on_sqlite, chosen), (on_postgresql, chosen_again) = (LONG if is_long else SHORT).items()
    not_run: Counter[str] = Counter()
    with ExitStack() as servers:
        environment = dict(os.environ)
        # Two rounds and hundreds of processes would compile all modules anew.
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        for variable, provide in (("TEST_DATABASE_URL", provide_postgres), ("TEST_REDIS_URL", provide_redis)):
            try:
                server = servers.enter_context(provide())
            except ServerUnavailable as reason:
                not_run[str(reason)] += 1
            else:
                environment[variable] = server.url
                print(f"{variable}: {server.origin}", flush=True)
        url = environment.get("TEST_DATABASE_URL")
        if is_long and not url:
            chosen = "long"
        failed = run(on_sqlite, environment, [*BY_FILE, "-m", chosen, *arguments], not_run)
        if url:
            environment |= {"DATABASE_URL": url, "SECRET_KEY": SECRET}
            failed |= run(on_postgresql, environment, [*BY_FILE, "-m", chosen_again, *arguments], not_run)
    return conclude(failed, not_run)


def run(name: str, environment: dict[str, str], arguments: list[str], not_run: Counter[str]) -> bool:
    """One round of pytest; notes what it skipped and returns whether it failed."""
    print(f"\n=== {name}", flush=True)
    start = monotonic()
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [sys.executable, "-m", "pytest", f"--junitxml={report}", "-o", "junit_family=xunit1", *arguments]
        status = subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode
        if report.exists():
            tree = ElementTree.parse(report)  # noqa: S314 (pytest wrote it just now)
            not_run.update(element.get("message", "") for element in tree.iter("skipped"))
            for measured in tree.iter("property"):
                print(f"{measured.get('name')}: {measured.get('value')}")
    print(f"=== {name}: {monotonic() - start:.0f} s", flush=True)
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
