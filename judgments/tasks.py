"""What the worker does for uploads; each task takes an id or nothing, and can run twice."""

from celery import shared_task
from celery.signals import worker_ready
from django.db import transaction
from django.utils import timezone

from judgments import uploads
from judgments.models import Upload


@shared_task(name="judgments.preview_upload")
def preview_upload(upload_id: int) -> None:
    """Check files and find out what they would bring."""
    uploads.preview(upload_id)


@shared_task(name="judgments.store_upload")
def store_upload(upload_id: int) -> None:
    """Make material of files."""
    uploads.store(upload_id)


@shared_task(name="judgments.sweep_uploads")
def sweep_uploads() -> None:
    """Queue again what a killed worker left behind or a lost message never brought."""
    for pk, stage, heartbeat in Upload.objects.stale(timezone.now()).values_list("pk", "stage", "heartbeat"):
        if Upload.objects.filter(stage=stage).requeue(pk, heartbeat):
            _TASKS[Upload.Stage(stage)].delay(pk)


@worker_ready.connect
def sweep_at_start(**_: object) -> None:
    """A worker that comes up looks for stale work at once."""
    sweep_uploads.delay()


def enqueue(upload: Upload) -> None:
    """Hand an upload to a worker once its row is there for all to see."""
    transaction.on_commit(lambda: _TASKS[Upload.Stage(upload.stage)].delay(upload.pk))


_TASKS = {Upload.Stage.PREVIEW: preview_upload, Upload.Stage.STORE: store_upload}
