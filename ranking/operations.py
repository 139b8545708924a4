"""How the platform runs: waiting, running and failed jobs, live processes, and free space."""

import platform
import shutil
from collections.abc import Iterator
from datetime import datetime, timedelta
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

from django.conf import settings
from django.db import connection
from django.db.models import Count, Min

from judgments.jobs.queues import Unreachable, lengths
from judgments.models import Heartbeat, Job
from judgments.models.heartbeats import BEAT
from judgments.models.jobs import JobQuerySet, job_models

MOST_SHOWN = 100
FAILED_LATELY = timedelta(days=7)


class Space(NamedTuple):
    """Sizes in bytes."""

    database: int
    left: int
    disk: int


def processes() -> tuple[list[Heartbeat], Heartbeat | None]:
    """The workers, and the beat, that write heartbeats."""
    found = {heartbeat.name: heartbeat for heartbeat in Heartbeat.objects.all()}
    beat = found.pop(BEAT, None)
    return list(found.values()), beat


def queue_lengths() -> dict[str, int] | None:
    """The number of messages in each queue; None if the queues cannot be reached."""
    try:
        return lengths()
    except Unreachable:
        return None


def counts() -> Iterator[tuple[str, str, int]]:
    """Kind of job, state, and number of jobs: every state of every kind."""
    groups = Job.objects.order_by().values_list("kind", "state").annotate(jobs=Count("pk"))
    found = {(kind, state): jobs for kind, state, jobs in groups}
    for kind in job_models():
        for state in Job.State.values:
            yield kind, state, found.get((kind, state), 0)


def waiting_since() -> dict[str, datetime]:
    """When the longest-waiting job of each kind was requested."""
    waiting = Job.objects.filter(state=Job.State.QUEUED).order_by().values_list("kind")
    return dict(waiting.annotate(Min("requested_at")))


def unfinished_jobs(now: datetime) -> list[dict[str, Any]]:
    """Jobs, and whether each is stuck."""
    stuck = set(Job.objects.stale(now).filter(state=Job.State.RUNNING).values_list("pk", flat=True))
    jobs = _shown().unfinished().order_by("created_at")[:MOST_SHOWN]
    return [{"job": job, "is_stuck": job.pk in stuck} for job in jobs]


def failed_jobs(now: datetime) -> list[Job]:
    lately = _shown().filter(state=Job.State.FAILED, finished_at__gt=now - FAILED_LATELY)
    return list(lately.order_by("-finished_at")[:MOST_SHOWN])


def space() -> Space:
    """The size of the database, and the space left on the disk of the data folder."""
    disk = shutil.disk_usage(Path(settings.DATA_DIR))
    _, size, _ = _DATABASES[connection.vendor]
    return Space(int(_from_database(size)), disk.free, disk.total)


def versions() -> dict[str, str]:
    database, _, of_database = _DATABASES[connection.vendor]
    return {
        "Python": platform.python_version(),
        **{name: version(name) for name in ("Django", "celery", "gunicorn", "numpy")},
        database: _from_database(of_database),
    }


# By the name of the engine: what people call it, and the queries for the size in bytes and for the version.
_DATABASES = {
    "postgresql": ("PostgreSQL", "SELECT pg_database_size(current_database())", "SHOW server_version"),
    "sqlite": (
        "SQLite",
        "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()",
        "SELECT sqlite_version()",
    ),
}


def _from_database(query: str) -> str:
    with connection.cursor() as cursor:
        cursor.execute(query)
        return str(cursor.fetchone()[0])


def _shown() -> JobQuerySet:
    """Jobs without the possibly long columns that only their own pages show."""
    return Job.objects.select_related("campaign").defer("payload", "outcome", "problems")
