"""How the platform runs: waiting, running and failed jobs, live processes, and free space."""

import platform
import shutil
from collections.abc import Iterator
from datetime import datetime, timedelta
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from django.conf import settings
from django.db import connection
from django.db.models import Count

from judgments.jobs.kinds import KINDS, JobKind
from judgments.jobs.queues import Unreachable, lengths
from judgments.models import Heartbeat, Job, heartbeats
from judgments.models.heartbeats import BEAT
from judgments.models.jobs import JobQuerySet

MOST_SHOWN = 100
FAILED_LATELY = timedelta(days=7)


class Space(NamedTuple):
    """Sizes in bytes."""

    database: int
    left: int
    disk: int


class Processes(NamedTuple):
    """The processes that write heartbeats."""

    workers: list[Heartbeat]
    beat: Heartbeat | None

    def unattended(self, queues: dict[str, int], now: datetime) -> list[str]:
        """Queues that no live worker serves."""
        return sorted(queues.keys() - heartbeats.served(self.workers, now))


def processes() -> Processes:
    found = {heartbeat.name: heartbeat for heartbeat in Heartbeat.objects.all()}
    beat = found.pop(BEAT, None)
    return Processes(list(found.values()), beat)


class Line(NamedTuple):
    job: Job
    is_stuck: bool


def queue_lengths() -> dict[str, int] | None:
    """The number of messages in each queue; None if the queues cannot be reached."""
    try:
        return lengths()
    except Unreachable:
        return None


def counts() -> Iterator[tuple[str, str, int]]:
    """Kind of job, state, and number of jobs: every state of every kind."""
    for name, kind in KINDS.items():
        found = dict(kind.rows.order_by().values_list("state").annotate(Count("pk")))
        for state in Job.State.values:
            yield name, state, found.get(state, 0)


def waiting_since() -> dict[str, datetime]:
    oldest = {name: kind.rows.oldest_request() for name, kind in KINDS.items()}
    return {name: since for name, since in oldest.items() if since}


def unfinished(now: datetime) -> list[Line]:
    found = []
    for kind in KINDS.values():
        stuck = set(kind.rows.stale(now).filter(state=Job.State.RUNNING).values_list("pk", flat=True))
        found += [Line(job, job.pk in stuck) for job in _shown(kind, kind.rows.unfinished().order_by("created_at"))]
    return sorted(found, key=lambda line: line.job.created_at)[:MOST_SHOWN]


def failed(now: datetime) -> list[Line]:
    lately = now - FAILED_LATELY
    found = []
    for kind in KINDS.values():
        rows = kind.rows.filter(state=Job.State.FAILED, finished_at__gt=lately).order_by("-finished_at")
        found += [Line(job, False) for job in _shown(kind, rows)]
    return sorted(found, key=lambda line: line.job.finished_at or lately, reverse=True)[:MOST_SHOWN]


def space() -> Space:
    """The size of the database, and the space left on the disk of the data folder."""
    disk = shutil.disk_usage(Path(settings.DATA_DIR))
    return Space(int(_from_database(_SIZES[connection.vendor])), disk.free, disk.total)


def versions() -> dict[str, str]:
    return {
        "Python": platform.python_version(),
        **{name: version(name) for name in ("Django", "celery", "gunicorn", "numpy")},
        _DATABASES[connection.vendor]: _from_database(_VERSIONS[connection.vendor]),
    }


_DATABASES = {"postgresql": "PostgreSQL", "sqlite": "SQLite"}
_SIZES = {
    "postgresql": "SELECT pg_database_size(current_database())",
    "sqlite": "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()",
}
_VERSIONS = {"postgresql": "SHOW server_version", "sqlite": "SELECT sqlite_version()"}


def _from_database(query: str) -> str:
    with connection.cursor() as cursor:
        cursor.execute(query)
        return str(cursor.fetchone()[0])


def _shown(kind: JobKind, jobs: JobQuerySet) -> JobQuerySet:
    """Jobs without the possibly long columns that only their own pages show."""
    columns = [field.name for field in Job._meta.local_fields]
    return jobs.select_related("campaign").only(*columns, *kind.model.named_by, "campaign__slug", "campaign__name")[
        :MOST_SHOWN
    ]
