"""The Celery app, configured by Django's CELERY_ settings."""

import logging.config
import os
import sys
import time
from importlib import import_module
from typing import Any

from celery import Celery
from celery.loaders.app import AppLoader
from celery.signals import celeryd_init, setup_logging, task_postrun, task_prerun
from django.core.exceptions import ImproperlyConfigured

from appraise_gec import logs, workers
from judgments.rules.tracing import request_id, running_job

TASKS_IN = (
    "judgments.jobs.tasks", "judgments.judges.prolific", "judgments.judges.reassignment", "judgments.judges.watching",
    "judgments.privacy.retention", "ranking.tasks",
)  # fmt: skip
TASKS = logging.getLogger("appraise_gec.tasks")

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "appraise_gec.settings")

__all__ = ["app", "workers"]


class Loader(AppLoader):
    def config_from_object(self, obj: Any, silent: bool = False) -> Any:
        """End with one sentence if a setting is bad; only Celery's own command reads settings first here."""
        try:
            return super().config_from_object(obj, silent=silent)
        except ImproperlyConfigured as reason:
            sys.exit(str(reason))


# Celery would check the code of all pages in every process.
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")
app = Celery("appraise_gec", loader="appraise_gec.celery:Loader")
app.config_from_object("django.conf:settings", namespace="CELERY")


@celeryd_init.connect
def import_tasks(**_: Any) -> None:
    """Workers alone import them; beat and web servers send tasks by name."""
    for name in TASKS_IN:
        import_module(name)


@setup_logging.connect
def configure_logging(**_: Any) -> None:
    """Celery does not configure logging once this signal has a receiver."""
    from django.conf import settings

    logging.config.dictConfig(settings.LOGGING)


@task_prerun.connect
def note_task(task_id: str, task: Any, **_: Any) -> None:
    """Name this task in all further log lines of this thread; its job then names itself and its request."""
    logs.running_task.set(logs.RunningTask(task_id, task.name, time.perf_counter()))
    for name in (running_job, request_id):  # of the task before
        name.set("")


@task_postrun.connect
def forget_task(state: str, **_: Any) -> None:
    """Log the outcome; at DEBUG for tasks without a job that succeed."""
    if task := logs.running_task.get():
        outcome = {"state": str(state), "ms": round(1000 * (time.perf_counter() - task.since))}
        is_news = running_job.get() or state != "SUCCESS"
        TASKS.log(
            logging.INFO if is_news else logging.DEBUG, "%(state)s in %(ms)s ms", outcome, extra={"fields": outcome}
        )
    logs.running_task.set(None)
    request_id.set("")
    running_job.set("")
