"""Pages for monitoring: liveness, readiness and metrics."""

import tempfile
from collections.abc import Callable
from functools import cache
from secrets import compare_digest
from threading import Lock, Thread
from time import monotonic

from django.conf import settings
from django.db import Error, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.templatetags.static import static
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4

from appraise_gec.health import prometheus
from judgments.jobs import queues


@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """Whether the web process answers; checks nothing else."""
    return HttpResponse("ok", content_type="text/plain")


@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """Whether the platform can do its work, with a sentence for each part that cannot."""
    faults = find_faults()
    report = {"ready": not faults, "parts": {name: faults.get(name, "ok") for name in CHECKS}}
    return JsonResponse(report, status=503 if faults else 200)


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Metrics for Prometheus, behind a bearer token; the page exists only with METRICS_TOKEN."""
    if not settings.METRICS_TOKEN:
        raise Http404("Metrics are off; METRICS_TOKEN turns them on.")
    if not compare_digest(
        request.headers.get("Authorization", "").encode(), f"Bearer {settings.METRICS_TOKEN}".encode()
    ):
        response = HttpResponse("Send METRICS_TOKEN as a header, Authorization: Bearer ...", "text/plain", 401)
        response["WWW-Authenticate"] = "Bearer"
        return response
    return HttpResponse(prometheus.exposition(), content_type=CONTENT_TYPE_PLAIN_0_0_4)


SECONDS = 3.0
SLOW = "did not answer within 3 seconds."
# Concurrent requests share one running check, so a part that hangs occupies one thread.
_running: dict[str, "_Check"] = {}
_lock = Lock()


def find_faults() -> dict[str, str]:
    """The parts of the platform that cannot work at the moment, each with the reason."""
    checks = {name: _started(name) for name in CHECKS}
    until = monotonic() + SECONDS
    faults = {name: check.fault_within(until - monotonic()) for name, check in checks.items()}
    return {name: f"{NAMES[name]} {fault}" for name, fault in faults.items() if fault}


def _started(name: str) -> "_Check":
    with _lock:
        if name not in _running or not _running[name].is_alive():
            _running[name] = _Check(CHECKS[name])
            _running[name].start()
        return _running[name]


class _Check(Thread):
    """A check in its own thread, because some checks can hang."""

    def __init__(self, check: Callable[[], str]):
        super().__init__(daemon=True)
        self._check = check
        self._fault = SLOW

    def fault_within(self, seconds: float) -> str:
        self.join(max(seconds, 0))
        return self._fault

    def run(self) -> None:
        try:
            self._fault = self._check()
        finally:
            connection.close()


def _database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except Error:
        return "cannot be reached. Check that it is running and that DATABASE_URL is right."
    return ""


def _migrations() -> str:
    try:
        applied = set(MigrationRecorder(connection).applied_migrations())
    except Error:
        return "cannot be checked, because the database does not answer."
    if missing := _newest() - applied:
        named = ", ".join(sorted(f"{app} {name}" for app, name in missing))
        return f"lacks {named}. Run: python manage.py migrate"
    return ""


@cache
def _newest() -> frozenset[tuple[str, str]]:
    return frozenset(MigrationLoader(None).graph.leaf_nodes())


def _queue() -> str:
    try:
        queues.lengths()
    except queues.Unreachable:
        return "cannot be reached. Check that Redis is running and that CELERY_BROKER_URL is right."
    return ""


def _files() -> str:
    try:
        with tempfile.TemporaryFile(dir=settings.DATA_DIR):
            return ""
    except OSError:
        return "cannot be written. Check the owner of DATA_DIR and the free space on its disk."


def _static() -> str:
    try:
        static("css/house.css")
    except ValueError:
        return "lack those of pages. Run: python manage.py collectstatic --no-input, then restart the web server."
    return ""


CHECKS = {"database": _database, "migrations": _migrations, "queue": _queue, "files": _files, "static": _static}
NAMES = {
    "database": "The database",
    "migrations": "The schema of the database",
    "queue": "The queue of background work",
    "files": "The folder for files",
    "static": "The static files",
}
