"""What the worker does for all that is collected; each task takes an id or nothing, and can run twice."""

from celery import shared_task
from celery.signals import worker_ready
from django.db import transaction
from django.utils import timezone

from judgments.archive import import_job
from judgments.assignment import assignment_job
from judgments.jobs import heartbeats
from judgments.jobs.queues import send
from judgments.judges import exclusion_job, mailing
from judgments.material import uploads
from judgments.models import Deal, Import, Mailing, Ruling, Upload, Work
from judgments.models.heartbeats import BEAT
from judgments.privacy import retention


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
    for stage, task in _TASKS.items():
        for pk in Upload.objects.filter(stage=stage).revive():
            task.delay(pk)


@shared_task(name="judgments.import_bundle")
def import_bundle(import_id: int) -> None:
    """Make a campaign of a bundle."""
    import_job.run(import_id)


@shared_task(name="judgments.sweep_imports")
def sweep_imports() -> None:
    """The same for imports."""
    for pk in Import.objects.revive():
        import_bundle.delay(pk)


@shared_task(name="judgments.assign_screens")
def assign_screens(deal_id: int) -> None:
    """Deal as it was asked for."""
    assignment_job.run(deal_id)


@shared_task(name="judgments.sweep_deals")
def sweep_deals() -> None:
    """The same for deals."""
    for pk in Deal.objects.revive():
        assign_screens.delay(pk)


@shared_task(name="judgments.apply_rule")
def apply_rule(ruling_id: int) -> None:
    """Exclude and include judges by the rule."""
    exclusion_job.run(ruling_id)


@shared_task(name="judgments.sweep_rulings")
def sweep_rulings() -> None:
    """The same for rulings."""
    for pk in Ruling.objects.revive():
        apply_rule.delay(pk)


@shared_task(name="judgments.send_links")
def send_links(mailing_id: int) -> None:
    """Send personal links by mail."""
    mailing.run(mailing_id)


@shared_task(name="judgments.sweep_mailings")
def sweep_mailings() -> None:
    """The same for mails."""
    for pk in Mailing.objects.revive():
        send_links.delay(pk)


@shared_task(name="judgments.forget_old")
def forget_old() -> None:
    """Let go of what is kept for a time alone."""
    retention.forget_old(timezone.now())


@shared_task(name="judgments.note_beat")
def note_beat() -> None:
    """What the clock asks for arrives: it ticks, the queue takes, and a worker fetches."""
    heartbeats.give(BEAT)


@worker_ready.connect
def sweep_at_start(**_: object) -> None:
    """A worker that comes up looks for stale work at once."""
    sweep_uploads.delay()
    sweep_imports.delay()
    sweep_deals.delay()
    sweep_mailings.delay()
    sweep_rulings.delay()


def enqueue(work: Work) -> None:
    """Hand work to a worker once its row is there for all to see."""
    task = _TASKS[Upload.Stage(work.stage)] if isinstance(work, Upload) else _TASKS_OF[type(work)]
    transaction.on_commit(lambda: send(task, work.pk))


_TASKS = {Upload.Stage.PREVIEW: preview_upload, Upload.Stage.STORE: store_upload}
_TASKS_OF = {Import: import_bundle, Deal: assign_screens, Mailing: send_links, Ruling: apply_rule}
# By the names of tasks.
WORK_OF = {task.name: kind for kind, task in _TASKS_OF.items()} | {task.name: Upload for task in _TASKS.values()}
