"""Runs the tests: `python -m tests [--long | --all] [arguments for pytest]`, as `make test` and its sisters do.

Two rounds: everything on SQLite, with a real browser, and what is marked `postgresql` once more on PostgreSQL. Mark
what depends on more than simple queries: transactions, locks, constraints, aggregates, ordering, JSON, SQL of our own.
Tests that cost more than half a second are marked `wide` and run when their room changed (tests/rooms.py). With --long
those run that take minutes, with real workers: what asks the database on PostgreSQL, the stricter of the two, and what
is marked `postgresql` on both. With --all everything runs, and property tests draw their examples by chance. Files,
ids, or -k and -m with a word after them choose tests, whatever they cost and however long they take.

At the end stands what did not run; in CI (CI=true) that is a failure, as are missing fonts, but for tests against
published data that is not part of the project. What pytest recorded is kept in test-output/.
"""

import json
import os
import resource
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass, field
from statistics import median
from time import monotonic
from typing import NamedTuple
from xml.etree import ElementTree

from tests.rooms import KERNELS, ROOMS_OF_KERNELS, changed_files, is_touched, room_of, touched_by
from tests.services.chromium import languages_without_font
from tests.services.house import ROOT, SECRET
from tests.services.servers import ServerUnavailable, provide_postgres, provide_redis
from tests.shared_data import LACKS

OUTPUT = ROOT / "test-output"
PROCESSES = max(2, os.cpu_count() or 2)
# Tests that wait for servers leave the processors to others.
PROCESSES_THAT_WAIT = 2 * PROCESSES
# Seconds of CPU for all of `make test` but wide tests, six minutes of two processors, so that it cannot creep up; more
# where the machine is slower than that for which it was set.
BUDGET = 720
BROWSER = "tests/browser/"
DEAREST = 10


class Found(NamedTuple):
    """A collected test."""

    id: str
    marks: set[str]


@dataclass
class Rounds:
    """Rounds of pytest, and what they say so far."""

    environment: dict[str, str]
    arguments: list[str]
    names: list[str] = field(default_factory=list)
    tests: list[dict[str, str]] = field(default_factory=list)
    not_run: Counter[str] = field(default_factory=Counter)
    dear: list[dict[str, str]] = field(default_factory=list)
    failed: bool = False

    def run(self, name: str, tests: list[Found], processes: int, *arguments: str) -> list[dict[str, str]]:
        """Run these tests, those of a file in one process by default, as they may share a server.

        Returns those that seem to cost too much.
        """
        environment = self.environment
        if "PostgreSQL" in name:
            if "TEST_DATABASE_URL" not in environment:
                self.not_run["There is no PostgreSQL."] += len(tests)
                return []
            environment = environment | {"DATABASE_URL": environment["TEST_DATABASE_URL"], "SECRET_KEY": SECRET}
        if not tests:
            return []
        print(f"\n=== {name}", flush=True)
        start = monotonic()
        record, ids = (OUTPUT / f"{'-'.join(name.split())}.{kind}" for kind in ("xml", "txt"))
        ids.write_text("\n".join(test.id for test in tests), encoding="utf-8")
        record.unlink(missing_ok=True)
        files = len({test.id.partition("::")[0] for test in tests})
        by_file = ("-n", str(min(processes, files) if files > 1 else 0), "--dist", "loadfile", "--no-loadscope-reorder")
        by_file += ("--max-worker-restart", "1")  # a test that waits for ever would be tried with each
        kept = (f"--junitxml={record}", "-o", "junit_family=xunit1")
        command = [sys.executable, "-m", "pytest", *by_file, *kept, *arguments, *self.arguments, f"@{ids}"]
        self.failed |= status_of(subprocess.Popen(command, cwd=ROOT, env=environment)) != 0
        self.names.append(name)
        if not record.exists():
            print("pytest left no record.")
            self.failed = True
            return []
        tree = ElementTree.parse(record)  # noqa: S314 (pytest wrote it just now)
        self.not_run.update(
            each.get("message", "") for each in tree.iter("skipped") if each.get("type") != "pytest.xfail"
        )
        ran = []
        for case in tree.iter("testcase"):
            properties = [(str(each.get("name")), str(each.get("value"))) for each in case.iter("property")]
            ended = {"failed": "yes"} if case.find("failure") is not None or case.find("error") is not None else {}
            ran.append(dict(case.attrib) | dict(properties) | ended | {"round": name})
            for measured in (value for about, value in properties if about == "measured"):
                print(f"measured: {measured}")
        self.tests += ran
        print(f"=== {name}: {monotonic() - start:.0f} s", flush=True)
        return [test for test in ran if "dear" in test]


def main(arguments: list[str]) -> int:
    """Run the rounds and report; the exit status of the whole."""
    if "--help" in arguments or "-h" in arguments:
        print(__doc__, "Other arguments are those of pytest; see `python -m pytest --help`.", sep="\n")
        return 0
    is_long, is_all = "--long" in arguments, "--all" in arguments
    # Several rounds and hundreds of processes would compile all modules anew.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment["HYPOTHESIS_PROFILE"] = "by chance" if is_all else "always the same"
    rounds = Rounds(environment, [argument for argument in arguments if argument not in ("--long", "--all")])
    OUTPUT.mkdir(exist_ok=True)
    is_chosen = any(not argument.startswith("-") for argument in rounds.arguments)
    files = None if is_all or is_chosen else changed_files()
    touched = None if files is None else touched_by(files)
    needs_all = not is_chosen if touched is None else not touched.isdisjoint(ROOMS_OF_KERNELS)
    tests = prepare(rounds, () if needs_all else KERNELS)
    if touched is not None:
        known = len(tests)
        tests = [test for test in tests if "wide" not in test.marks or is_touched(test.id.partition("::")[0], touched)]
        print(f"{known - len(tests):,} wide tests are left out, as their rooms did not change.", flush=True)
    elif not (is_all or is_chosen):
        print("No wide test is left out: something changed on which all depend, or git cannot tell.", flush=True)
    with ExitStack() as servers:
        for variable, provide in (("TEST_DATABASE_URL", provide_postgres), ("TEST_REDIS_URL", provide_redis)):
            try:
                environment[variable] = servers.enter_context(provide()).url
            except ServerUnavailable as reason:
                print(reason)
        if not is_long:
            run_short(rounds, [test for test in tests if "long" not in test.marks])
        if is_long or is_all or is_chosen:
            run_long(rounds, [test for test in tests if "long" in test.marks])
    return conclude(rounds, is_bound=not (is_all or is_chosen or is_long))


def status_of(process: subprocess.Popen[bytes]) -> int:
    """Wait for the end of a process, also when we are told to end: then it reports, and ends its workers."""
    try:
        return process.wait()
    except KeyboardInterrupt:  # it has heard that too
        process.wait()
        raise
    except SystemExit:
        process.send_signal(signal.SIGINT)
        process.wait()
        raise


def prepare(rounds: Rounds, kernels: Iterable[str]) -> list[Found]:
    """Collect the tests, and meanwhile compile what several processes would need at the same time."""
    start, found = monotonic(), OUTPUT / "found.json"
    found.unlink(missing_ok=True)
    print("Collecting tests and compiling kernels ...", flush=True)
    collect = [sys.executable, "-m", "pytest", "--collect-only", "-qq", f"--found={found}", *rounds.arguments]
    warm = [[sys.executable, "-m", "tests.warming", str(part), str(PROCESSES), *kernels] for part in range(PROCESSES)]
    with ExitStack() as running:
        collecting, *warming = (
            running.enter_context(subprocess.Popen(command, cwd=ROOT, env=rounds.environment, stdout=subprocess.PIPE))
            for command in (collect, *warm)
        )
        for process in (collecting, *warming):
            running.callback(process.terminate)
        printed = collecting.communicate()[0].decode()
        if collecting.returncode or not found.exists():
            is_empty = collecting.returncode == 5  # as pytest says it
            sys.exit("No test matches." if is_empty else f"{printed}\nThe tests could not be collected.")
        if any(process.communicate() and process.returncode for process in warming):
            sys.exit("The kernels could not be compiled; run `appraise-gec warm_up`.")
    print(f"Tests collected and kernels compiled: {monotonic() - start:.0f} s", flush=True)
    described = json.loads(found.read_text(encoding="utf-8"))
    # The rounds are given ids instead of these.
    rounds.arguments = [argument for argument in rounds.arguments if argument not in described["arguments"]]
    return [Found(name, set(marks)) for name, marks in described["tests"]]


def run_short(rounds: Rounds, tests: list[Found]) -> None:
    # One more, as browser tests wait half of their time.
    seem_dear = {test["dear"] for test in rounds.run("short on SQLite", tests, PROCESSES + 1, "--limited")}
    # Beside others a test may cost twice as much, so these are measured once more, alone.
    counted = len(rounds.tests)
    rounds.dear = rounds.run("dear tests alone", [test for test in tests if test.id in seem_dear], 0, "--limited")
    del rounds.tests[counted:]
    again = [test for test in tests if "postgresql" in test.marks and "browser" not in test.marks]
    rounds.run("short on PostgreSQL", again, PROCESSES)


def run_long(rounds: Rounds, tests: list[Found]) -> None:
    on_postgresql = [test for test in tests if "database" in test.marks and "browser" not in test.marks]
    on_sqlite = [test for test in tests if "postgresql" in test.marks or test not in on_postgresql]
    rounds.run("long on SQLite", on_sqlite, PROCESSES_THAT_WAIT)
    # Few of these share anything, and some files take minutes.
    rounds.run("long on PostgreSQL", on_postgresql, PROCESSES_THAT_WAIT, "--dist", "worksteal")


def conclude(rounds: Rounds, is_bound: bool) -> int:
    """Say what tests cost and which did not run; the exit status."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    cost = {id(test): float(test.get("cost", 0)) + float(test.get("shared", 0)) for test in rounds.tests}
    total = used.ru_utime + used.ru_stime
    # What no test is charged with, most of it by browsers, belongs to wide tests in proportion.
    beside = total - sum(cost.values())
    browsing = [(float(test["time"]), test.get("wide")) for test in rounds.tests if test["file"].startswith(BROWSER)]
    share = 1 - sum(time for time, wide in browsing if wide == "True") / (sum(time for time, _ in browsing) or 1)
    standing = share * beside + sum(cost[id(test)] for test in rounds.tests if test.get("wide") == "False")
    slower = median([float(test["slowness"]) for test in rounds.tests if "slowness" in test] or [1.0])
    print(f"\nThe {DEAREST} dearest tests, in seconds of CPU:")
    for test in sorted(rounds.tests, key=lambda test: -cost[id(test)])[:DEAREST]:
        print(f"{cost[id(test)]:8.1f}  {test['classname']}::{test['name']}")
    print("\nSeconds of each room, of CPU and on the clock:")
    rooms: dict[str, list[float]] = {}
    for test in rounds.tests:
        totals = rooms.setdefault(room_of(test["file"].removeprefix("tests/")), [0, 0])
        totals[0] += cost[id(test)]
        totals[1] += float(test["time"])
    for room, (of_cpu, on_the_clock) in sorted(rooms.items(), key=lambda row: -row[1][1]):
        print(f"{of_cpu:8.1f}{on_the_clock:8.1f}  {room}")
    print(f"\n{len(rounds.tests):,} tests ran in {len(rounds.names)} rounds: {', '.join(rounds.names) or 'none'}.")
    if rounds.tests:
        print(f"A test costs {1000 * sum(cost.values()) / len(rounds.tests):.0f} ms of CPU on average.")
    said = f"; the budget is {BUDGET * slower:.0f} s" if is_bound else ""
    print(f"All took {total:.0f} s of CPU, without wide tests {standing:.0f} s{said}.")
    failed = rounds.failed
    if not rounds.tests:
        print("No test was run; those that take minutes want --long, or their names.")
        failed = True
    if is_bound and standing > BUDGET * slower:
        print("That is over the budget: make some tests cheaper, or mark them wide.")
        failed = True
    lacks = [reason for reason in rounds.not_run if not reason.startswith(LACKS)]
    for reason, count in rounds.not_run.items():
        print(f"NOT RUN: {count:,} tests. {reason}")
    if languages := languages_without_font():
        lacks.append("fonts")
        print(f"No font was found for {', '.join(languages)}: install fontconfig and Noto fonts, see README.md.")
    if lacks and os.environ.get("CI"):
        print("In CI nothing may be left out.")
        failed = True
    for test in rounds.dear:
        print(f"{test['dear']} {test['why']}: make it cheaper, or mark it wide, so that it runs when its room changed.")
        failed = True
    for test in rounds.tests:
        if "failed" in test:
            print(f"FAILED {test['file']}::{test['name']} ({test['round']})")
    return int(failed)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(128 + signal.SIGINT)
