"""Uploads: files are kept, checked, previewed, and stored once or discarded."""

from collections.abc import Iterator, Sequence
from tempfile import TemporaryFile
from typing import Any

from django.db import transaction
from django.utils import timezone

from judgments.jobs.attempts import Attempt, StaleAttempt, problems_as_json
from judgments.jobs.tasks import enqueue
from judgments.material.upload_handlers import handler_of
from judgments.models import Campaign, FilePiece, Job, Upload
from judgments.models.members import Visitor
from judgments.rules.errors import Refused
from judgments.rules.files.archives import MOST_FILES, Sent, pack, unpack
from judgments.rules.files.problems import Problem, Problems
from judgments.rules.files.text_files import UploadedFile
from judgments.rules.tracing import current_request

MOST_BYTES = 100 * 2**20
OPENING, CHECKING, COMPARING, STORING = "opening the files", "checking the lines", "comparing the outputs", "storing"


def too_large() -> str:
    return (
        f"The files are larger than {MOST_BYTES // 2**20} MB together. Put them into a ZIP, or upload them one by one, "
        "the source first."
    )


def too_many() -> str:
    return f"You can upload at most {MOST_FILES} files at once. Choose fewer."


def upload_files(
    campaign: Campaign,
    user: Visitor,
    files: Sequence[Sent],
    options: Any,
    purpose: str = Upload.Purpose.MATERIAL,
) -> Upload:
    """Keep files until they are stored or discarded, and request their check; options say how they are read."""
    upload = Upload(
        campaign=Campaign.objects.get(pk=campaign.pk), requested_by_id=user.pk, about=purpose,
        file_names=[file.name or "" for file in files], options=options.as_json(),
    )  # fmt: skip
    handler_of(upload).refuse(upload.campaign)
    with TemporaryFile() as packed:
        pack(files, packed)
        with transaction.atomic():
            upload.save()
            FilePiece.keep(upload, packed)
            return enqueue(upload)


@transaction.atomic
def check_again(upload: Upload, options: Any) -> None:
    _lock(upload)
    if _is_stored_or_soon(upload):
        raise Refused("These files are already stored, or are being stored.")
    upload.options, upload.preview = options.as_json(), None
    _request(upload, Upload.Stage.PREVIEW)


@transaction.atomic
def request_storing(upload: Upload, request_number: int | str, options: Any = None) -> bool:
    """Request that the upload be stored as previewed at this request number; False if it already was.

    Other options are checked on the way, and if they lead to problems there is another preview instead.
    """
    handler_of(upload).refuse(upload.campaign)
    _lock(upload)
    if _is_stored_or_soon(upload):
        return False
    if not upload.can_be_stored:
        raise Refused("These files cannot be stored yet; wait until they are checked, or see the problems listed.")
    if str(upload.request_number) != str(request_number):
        raise Refused("The files were checked again in the meantime. Review the new preview, then store them.")
    if options:
        upload.options, upload.preview = options.as_json(), None
    _request(upload, Upload.Stage.STORE)
    return True


@transaction.atomic
def discard(campaign: Campaign, pk: int) -> None:
    """Delete an upload and its files if it still exists; what was stored stays."""
    # The row that a worker locks first.
    Job.objects.select_for_update().filter(id=pk, campaign=campaign).first()
    upload = Upload.objects.filter(id=pk, campaign=campaign).first()
    if upload and upload.is_stored:
        raise Refused("These files are already stored.")
    if upload:
        upload.delete()


def check_or_store(upload: Upload, attempt: Attempt) -> None:
    attempt.step(OPENING, 0.0)
    if upload.preview is None:
        found = _check(upload, attempt)
        if upload.stage == Upload.Stage.PREVIEW or found["problems"]:
            attempt.finish(**found, stage=Upload.Stage.PREVIEW)
            return
        attempt.write(**found)
    _store(upload, attempt)


def _check(upload: Upload, attempt: Attempt) -> dict[str, Any]:
    """Preview the files; problems in them do not make the job fail."""
    found: dict[str, Any] = {"preview": None, "problems": [], "notes": [], "names": []}
    try:
        handler, files = handler_of(upload), _open_files(upload)
        read = _read(upload, files, attempt)
        found["names"] = handler.names(read)
        attempt.step(COMPARING, 0.3)
        findings = handler.preview(upload.campaign, read, files, attempt.progress(0.3, 1.0))
        found |= {**findings._asdict(), "problems": problems_as_json(findings.problems)}
    except Problems as reason:
        found["problems"] = problems_as_json(reason.problems)
    except Refused as reason:
        found["problems"] = problems_as_json([Problem("", None, str(reason))])
    return found


def _store(upload: Upload, attempt: Attempt) -> None:
    handler = handler_of(upload)
    known = handler.state_of(upload.campaign)
    held = _read(upload, _open_files(upload), attempt)
    attempt.step(STORING, 0.3)
    with transaction.atomic():
        campaign = Campaign.objects.select_for_update(no_key=True).get(pk=upload.campaign.pk)
        if handler.state_of(campaign) != known:
            raise Refused("Other files were stored in the meantime. Try again.")
        taken = handler.store(campaign, held, attempt.progress(0.3, 1.0))
        # First the row, then the files: the order in which discarding locks them.
        attempt.finish(taken=taken, preview=None)
        FilePiece.objects.filter(job=upload).delete()


def _lock(upload: Upload) -> None:
    """Read it again, and let no other request and no worker change it until the transaction ends."""
    if Job.objects.select_for_update().filter(pk=upload.pk).first() is None:
        raise Refused("These files were discarded in the meantime.")
    upload.refresh_from_db()


def _is_stored_or_soon(upload: Upload) -> bool:
    return upload.stage == Upload.Stage.STORE and upload.state in (*upload.BUSY, upload.State.DONE)


def _request(upload: Upload, stage: Upload.Stage) -> None:
    """Queue a locked upload again, as another request."""
    now = timezone.now()
    upload.stage, upload.state = stage, upload.State.QUEUED
    upload.request_number, upload.requested_at, upload.queued_at = upload.request_number + 1, now, now
    upload.attempt, upload.progress, upload.step, upload.error, upload.problems = 0, 0, "", "", []
    upload.request_id = current_request()
    upload.save()
    enqueue(upload)


def _open_files(upload: Upload) -> list[UploadedFile]:
    kept = FilePiece.open(upload)
    if kept is None:  # discarded by another request
        raise StaleAttempt
    with kept:
        return handler_of(upload).open_files(unpack(kept, upload.file_names))


def _read(upload: Upload, files: list[UploadedFile], attempt: Attempt) -> Any:
    attempt.step(CHECKING, 0.1)
    progress = attempt.progress(0.1, 0.3)

    def counted() -> Iterator[UploadedFile]:
        for number, file in enumerate(files):
            progress(number, len(files))
            yield file

    return handler_of(upload).read(upload.campaign, counted(), upload.options)
