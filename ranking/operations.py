"""How the platform runs: what waits, what goes on, what failed, who was heard of, and how much space there is."""

import platform
import shutil
from collections.abc import Iterator
from datetime import datetime, timedelta
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple, cast

from django.conf import settings
from django.db import connection
from django.db.models import Case, Count, F, Min, When
from django.urls import reverse

from judgments.jobs.queues import Unreachable, lengths
from judgments.models import Deal, Import, Mailing, Ruling, Sign, Upload, Work
from judgments.models.heartbeats import BEAT
from judgments.models.jobs import WorkQuerySet
from ranking.models import Report, Scoring

KINDS: dict[str, type[Work]] = {
    "report": Report,
    "scoring": Scoring,
    "import": Import,
    "upload": Upload,
    "deal": Deal,
    "ruling": Ruling,
    "mailing": Mailing,
}
MOST_SHOWN = 100
FAILED_LATELY = timedelta(days=7)


class Space(NamedTuple):
    """In bytes."""

    database: int
    left: int
    disk: int


class Heard(NamedTuple):
    """Who was heard of."""

    workers: list[Sign]
    beat: Sign | None

    def unattended(self, queues: dict[str, int], now: datetime) -> list[str]:
        """Queues from which no worker that lives takes work."""
        attended = {name for sign in self.workers if not sign.is_silent(now) for name in sign.queues.split(", ")}
        return [name for name in queues if name not in attended]


def heard() -> Heard:
    """Workers by name, and the clock."""
    signs = {sign.name: sign for sign in Sign.objects.all()}
    beat = signs.pop(BEAT, None)
    return Heard(list(signs.values()), beat)


class Line(NamedTuple):
    """One work as those who run the platform see it."""

    work: Work
    kind: str
    where: str
    is_stuck: bool


def queue_lengths() -> dict[str, int] | None:
    """How many messages wait in each queue; nothing where the queues cannot be asked."""
    try:
        return lengths()
    except Unreachable:
        return None


def counts() -> Iterator[tuple[str, str, int]]:
    """Kind of work, state, and how much there is, every state of every kind."""
    for name, kind in KINDS.items():
        found = dict(_works(kind).order_by().values_list("state").annotate(Count("pk")))
        for state in Work.State.values:
            yield name, state, found.get(state, 0)


def waiting_since() -> dict[str, datetime]:
    """When what waits for the longest was asked for, by kind; being queued again changes nothing about that."""
    # An upload is asked for more than once: to be checked, and later to be stored.
    of_uploads = Case(When(asked__gt=1, then="queued_at"), default="created_at")
    queued = {
        name: _in(kind, Work.State.QUEUED).aggregate(oldest=Min(of_uploads if kind is Upload else F("created_at")))
        for name, kind in KINDS.items()
    }
    return {name: found["oldest"] for name, found in queued.items() if found["oldest"]}


def going_on(now: datetime) -> list[Line]:
    """What waits or is being made, the oldest first."""
    stuck = {
        (name, pk)
        for name, kind in KINDS.items()
        for pk in _works(kind).stale(now).filter(state=Work.State.RUNNING).values_list("pk", flat=True)
    }
    found = [
        _line(name, work, (name, work.pk) in stuck)
        for name, kind in KINDS.items()
        for work in _shown(_in(kind, Work.State.QUEUED, Work.State.RUNNING).order_by("created_at"))
    ]
    return sorted(found, key=lambda line: line.work.created_at)[:MOST_SHOWN]


def failed(now: datetime) -> list[Line]:
    """What failed lately, the newest first."""
    lately = now - FAILED_LATELY
    found = [
        _line(name, work, False)
        for name, kind in KINDS.items()
        for work in _shown(_in(kind, Work.State.FAILED).filter(finished_at__gt=lately).order_by("-finished_at"))
    ]
    return sorted(found, key=lambda line: line.work.finished_at or lately, reverse=True)[:MOST_SHOWN]


def space() -> Space:
    """How large the database is, and what is left where files are kept."""
    disk = shutil.disk_usage(Path(settings.DATA_DIR))
    return Space(_database_bytes(), disk.free, disk.total)


def versions() -> dict[str, str]:
    """What the platform runs on."""
    return {
        "Python": platform.python_version(),
        **{name: version(name) for name in ("Django", "celery", "gunicorn", "numpy")},
        _DATABASES[connection.vendor]: _database_version(),
    }


_DATABASES = {"postgresql": "PostgreSQL", "sqlite": "SQLite"}
_SIZES = {
    "postgresql": "SELECT pg_database_size(current_database())",
    "sqlite": "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()",
}
_VERSIONS = {"postgresql": "SHOW server_version", "sqlite": "SELECT sqlite_version()"}


def _database_bytes() -> int:
    return int(_asked(_SIZES[connection.vendor]))


def _database_version() -> str:
    return _asked(_VERSIONS[connection.vendor])


def _asked(question: str) -> str:
    with connection.cursor() as cursor:
        cursor.execute(question)
        return str(cursor.fetchone()[0])


def _works(kind: type[Work]) -> WorkQuerySet:
    return cast(WorkQuerySet, kind._default_manager.all())


def _in(kind: type[Work], *states: str) -> WorkQuerySet:
    return _works(kind).filter(state__in=states)


def _shown(works: WorkQuerySet) -> WorkQuerySet:
    """Without what only pages of the works themselves show, which may be long."""
    named = ["file_name"] if works.model is Import else []
    fields = [field.name for field in Work._meta.local_fields]
    return works.select_related("campaign").only(*fields, *named, "campaign__slug", "campaign__name")[:MOST_SHOWN]


def _line(kind: str, work: Any, is_stuck: bool) -> Line:
    """With the page where its organiser sees it; that of an import is its importer's alone."""
    if isinstance(work, Import):
        return Line(work, kind, "", is_stuck)
    pages = {
        "report": ("report", work.pk),
        "scoring": ("metrics", work.campaign.slug),
        "upload": ("upload", work.campaign.slug, work.pk),
        "deal": ("show_deal", work.campaign.slug, work.pk),
    }
    name, *words = pages.get(kind, ("judges", work.campaign.slug))
    return Line(work, kind, reverse(name, args=words), is_stuck)
