"""What the worker does for reports; each task takes an id or nothing, and can run twice."""

from celery import shared_task
from celery.signals import worker_ready
from django.db import transaction
from django.utils import timezone

from ranking import reports
from ranking.models import Report


@shared_task(name="ranking.build_report")
def build_report(report_id: int) -> None:
    """Make one report."""
    reports.build(report_id)


@shared_task(name="ranking.sweep_reports")
def sweep_reports() -> None:
    """Queue again what a killed worker left behind or a lost message never brought."""
    for pk, heartbeat in Report.objects.stale(timezone.now()).values_list("pk", "heartbeat"):
        if Report.objects.requeue(pk, heartbeat):
            build_report.delay(pk)


@worker_ready.connect
def sweep_at_start(**_: object) -> None:
    """A worker that comes up looks for stale work at once."""
    sweep_reports.delay()


def enqueue(report: Report) -> None:
    """Hand a report to a worker once its row is there for all to see."""
    transaction.on_commit(lambda: build_report.delay(report.pk))
