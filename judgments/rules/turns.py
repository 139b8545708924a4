"""Whose waiting job is next: owners take turns, and an owner's small jobs go before large ones.

An owner with fewer jobs running goes first, then the one who was served longest ago. Among the jobs of one owner a job
is due when it was requested plus the time that it takes, so a job of ten minutes lets others pass for ten minutes only.
Requested at 12:00 for ten minutes, and at 12:05 and 12:10 for one second each, they are due at 12:10:00, 12:05:01 and
12:10:01, and run in that order.
"""

from collections import deque
from collections.abc import Hashable, Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from heapq import heapify, heappop, heapreplace
from itertools import count
from typing import Any, NamedTuple


class Waiting(NamedTuple):
    """A waiting job, whose it is, when it was requested, and how many seconds of work it may be."""

    job: Any
    owner: Hashable
    since: datetime
    work: float = 0.0

    @property
    def due(self) -> datetime:
        return self.since + timedelta(seconds=self.work)


class Served(NamedTuple):
    """How many jobs of an owner run, and when the last one started."""

    running: int
    last: datetime


NEVER = Served(0, datetime.min.replace(tzinfo=UTC))
LATER = datetime.max.replace(tzinfo=UTC)


def in_turn(waiting: Iterable[Waiting], served: Mapping[Any, Served]) -> Iterator[Waiting]:
    """The waiting jobs in the order in which they would start if no others came."""
    of: dict[Hashable, deque[Waiting]] = {}
    for job in sorted(waiting, key=lambda job: job.due):
        of.setdefault(job.owner, deque()).append(job)
    known = {owner: served.get(owner, NEVER) for owner in of}
    # A job that starts counts as running, which gives every owner the same number of turns; `place` decides last.
    heap = [(known[owner], 0, jobs[0].due, place, owner) for place, (owner, jobs) in enumerate(of.items())]
    heapify(heap)
    for turn in count(1):
        if not heap:
            return
        before, _, _, place, owner = heap[0]
        yield of[owner].popleft()
        if of[owner]:
            heapreplace(heap, (Served(before.running + 1, LATER), turn, of[owner][0].due, place, owner))
        else:
            heappop(heap)
