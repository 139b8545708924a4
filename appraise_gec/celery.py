"""The Celery app, configured by Django's CELERY_ settings. Tasks carry the id of the request that queued them."""

import logging.config
import os
import time
from collections.abc import Sequence
from typing import Any

from celery import Celery
from celery.signals import before_task_publish, setup_logging, task_postrun, task_prerun

from appraise_gec import logs, workers

REQUEST_HEADER = "appraise_request"
TASKS = logging.getLogger("appraise_gec.tasks")

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "appraise_gec.settings")

__all__ = ["app", "workers"]

app = Celery("appraise_gec")
app.config_from_object("django.conf:settings", namespace="CELERY")


@setup_logging.connect
def configure_logging(**_: Any) -> None:
    """Celery does not configure logging once this signal has a receiver."""
    from django.conf import settings

    logging.config.dictConfig(settings.LOGGING)


@before_task_publish.connect
def send_request_along(headers: dict[str, Any], **_: Any) -> None:
    """Pass the id of the original request on, through any number of tasks."""
    if request := logs.request_id.get():
        headers[REQUEST_HEADER] = request


@task_prerun.connect
def note_task(task_id: str, task: Any, args: Sequence[Any], **_: Any) -> None:
    """Name this task and its arguments in all further log lines of this thread."""
    logs.request_id.set(task.request.get(REQUEST_HEADER) or "")
    logs.running_task.set(logs.RunningTask(task_id, task.name, " ".join(map(str, args)), time.perf_counter()))


@task_postrun.connect
def forget_task(state: str, **_: Any) -> None:
    """Log the outcome; at DEBUG for periodic tasks that succeed."""
    if task := logs.running_task.get():
        outcome = {"state": str(state), "ms": round(1000 * (time.perf_counter() - task.since))}
        is_news = logs.request_id.get() or state != "SUCCESS"
        TASKS.log(
            logging.INFO if is_news else logging.DEBUG, "%(state)s in %(ms)s ms", outcome, extra={"fields": outcome}
        )
    logs.running_task.set(None)
    logs.request_id.set("")
