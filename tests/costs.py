"""A plugin that measures what tests cost, and names those that cost much and are not marked so.

A cost is seconds of CPU of this process and of those it waited for; what browsers compute is not among them. Fixtures
that tests share are counted apart, as whichever test comes first pays for them.
"""

import json
import os
from contextlib import ExitStack, contextmanager
from pathlib import Path
from time import process_time
from typing import ClassVar

import pytest
from _pytest.runner import runtestprotocol
from numba.core import event

# Seconds of CPU above which a test is to be marked wide.
LIMIT = 0.5
# What `slowness` computes takes so long on the machine for which limits were set.
USUAL = 0.0055
# The first time a test may pay for what is imported or compiled once.
TRIES = 3


def seconds_of_cpu() -> float:
    return sum(os.times()[:4])


def slowness() -> float:
    """How many times slower this machine is now than the one for which limits were set; at least 1."""
    start = process_time()
    sum(number * number for number in range(100_000))
    return max(1.0, (process_time() - start) / USUAL)


class Compiled(event.Listener):
    """The names of kernels of ours that a test compiles, for seconds of CPU each; a later try compiles none."""

    names: ClassVar[list[str]] = []

    def on_start(self, event):
        kernel = event.data["dispatcher"].py_func
        if kernel.__module__.startswith("ranking."):
            self.names.append(f"{kernel.__module__}.{kernel.__name__}")

    def on_end(self, event):
        pass


event.register("numba:compile", Compiled())


def pytest_addoption(parser):
    group = parser.getgroup("costs")
    group.addoption("--found", type=Path, help="file to describe the collected tests in, as JSON")
    group.addoption("--limited", action="store_true", help=f"record which tests over {LIMIT} s lack a mark")


def pytest_collection_finish(session):
    if path := session.config.option.found:
        tests = [[item.nodeid, sorted({marker.name for marker in item.iter_markers()})] for item in session.items]
        path.write_text(json.dumps({"arguments": session.config.args, "tests": tests}), encoding="utf-8")


class Shared:
    """The cost of fixtures that are made for several tests; one may ask for another."""

    seconds = 0.0
    depth = 0


@contextmanager
def charged_to_all():
    Shared.depth += 1
    start = seconds_of_cpu()
    try:
        yield
    finally:
        Shared.depth -= 1
        Shared.seconds += 0 if Shared.depth else seconds_of_cpu() - start


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef):
    if fixturedef.scope == "function":
        return (yield)
    # The last finalizer to be added runs first, so these two stand around those of the fixture.
    teardown = ExitStack()
    fixturedef.addfinalizer(teardown.close)
    with charged_to_all():
        made = yield
    fixturedef.addfinalizer(lambda: teardown.enter_context(charged_to_all()))
    return made


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item, nextitem):
    """Run a test, again if it seems to cost too much, as the first time it may pay for others; judge by the least."""
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    is_bound = item.config.option.limited and not any(map(item.get_closest_marker, ("wide", "walk", "long")))
    costs: list[float] = []
    Compiled.names.clear()
    shared, slower = 0.0, 1.0
    while True:
        start, Shared.seconds = seconds_of_cpu(), 0.0
        reports = runtestprotocol(item, log=False, nextitem=nextitem)
        costs.append(seconds_of_cpu() - start - Shared.seconds)
        shared += Shared.seconds
        is_limited = is_bound and all(report.passed for report in reports)
        is_dear = is_limited and min(costs) > LIMIT and min(costs) > LIMIT * (slower := max(slower, slowness()))
        if not is_dear or len(costs) == TRIES:
            break
        item._initrequest()
    if is_limited and Compiled.names:
        reports[-1].outcome = "failed"
        reports[-1].longrepr = (
            f"{item.nodeid} compiles {', '.join(Compiled.names)}, which takes seconds. Mark it wide, or add what it "
            "uses to KERNELS in tests/rooms.py, so that it is compiled before the first test."
        )
    described = {"cost": costs[0], "shared": shared, "wide": bool(item.get_closest_marker("wide"))}
    if is_dear:
        why = f"costs {min(costs):.2f} s of CPU, on a machine on which {LIMIT * slower:.2f} s are allowed now"
        described |= {"dear": item.nodeid, "why": why}
    if nextitem is None or nextitem.path != item.path:
        described["slowness"] = slowness()
    reports[-1].user_properties = [*reports[-1].user_properties, *described.items()]
    for report in reports:
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True
