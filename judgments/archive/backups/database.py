"""Which database this is, and whether anybody works with it."""

from datetime import timedelta

from django.db import connection
from django.utils import timezone

from judgments.models import Heartbeat
from judgments.models.heartbeats import BEAT, SILENT_AFTER
from judgments.rules.errors import Refused

AT_WORK = (
    "The worker {name} is at work here (last heard of {seconds} s ago). Nothing was changed; stop web, workers and "
    "beat first. After a kill wait two minutes."
)


def describe_database() -> str:
    """Name the database so that an operator recognises it; never include a password."""
    settings = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"SQLite file {settings['NAME']}"
    port = f", port {settings['PORT']}" if settings["PORT"] else ""
    return f"PostgreSQL database {settings['NAME']} on {settings['HOST'] or 'this machine'}{port}"


def refuse_at_work() -> None:
    """Refuse while workers or the clock write heartbeats; web servers write none."""
    if Heartbeat._meta.db_table not in connection.introspection.table_names():
        return
    now = timezone.now()
    # A sign from far ahead was given by a clock that was wrong, and would be fresh for as long.
    fresh = Heartbeat.objects.exclude(name=BEAT).filter(seen_at__range=(now - SILENT_AFTER, now + SILENT_AFTER))
    newest = fresh.order_by("-seen_at").values_list("name", "seen_at").first()
    if newest:
        name, seen_at = newest
        seconds = max(now - seen_at, timedelta()).seconds
        raise Refused(AT_WORK.format(name=name, seconds=seconds))
