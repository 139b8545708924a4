"""Uploaded files: an organiser's, checked and previewed first and stored as material or judgments on request; those of
the teams of a shared task, of which the newest counts for each system; and the pieces in which they wait for a worker.
"""

from tempfile import TemporaryFile
from typing import Any, BinaryIO, ClassVar, Self

from django.db import models
from django.db.models import Q
from django.urls import reverse

from judgments.models.campaign import Campaign
from judgments.models.constraints import check, unique
from judgments.models.jobs import ImportJob, Job, JobQuerySet
from judgments.models.members import Link
from judgments.rules.files.names import LONGEST


class UploadQuerySet(JobQuerySet):
    def not_stored(self, campaign: Campaign) -> Self:
        """The campaign's uploads not yet stored, without the columns that only their own page shows."""
        stored = Q(stage=Upload.Stage.STORE, state=Job.State.DONE)
        rows = self.filter(campaign=campaign).exclude(stored).select_related("requested_by")
        return rows.defer("preview", "problems", "notes", "names")


class Upload(Job):
    """Files with the ways to read them, the findings in them, and the progress of storing them."""

    KIND = "upload"
    handler_path = "judgments.material.uploads.check_or_store"
    on_problems = "Nothing was stored: the files do not fit the campaign as it is now."
    has_files = True

    class Purpose(models.TextChoices):
        MATERIAL = "material"
        JUDGMENTS = "judgments"

    class Stage(models.TextChoices):
        PREVIEW = "preview", "checked"
        STORE = "store", "stored"

    stage = models.CharField(max_length=10, choices=Stage, default=Stage.PREVIEW)
    file_names = models.JSONField(help_text="The names of the files, as uploaded.")
    options = models.JSONField(help_text="How to read them: the roles of the files, or the format of the judgments.")
    names = models.JSONField(default=list, help_text="The systems in the files.")
    preview = models.JSONField(null=True, blank=True)
    notes = models.JSONField(default=list)
    taken = models.JSONField(default=dict, help_text="Numbers of what was stored.")

    objects: ClassVar[Any] = UploadQuerySet.as_manager()

    class Meta:
        constraints = [check("upload_stage_known", Q(stage__in=["preview", "store"]))]

    def get_absolute_url(self) -> str:
        page = "judgments_upload" if self.about == Upload.Purpose.JUDGMENTS else "upload"
        return reverse(page, args=[self.campaign.slug, self.pk])

    @property
    def purpose(self) -> str:
        return self.about

    @property
    def is_stored(self) -> bool:
        return self.stage == self.Stage.STORE and self.state == self.State.DONE

    @property
    def can_be_stored(self) -> bool:
        """Whether the upload is checked, free of problems, and neither stored nor being stored."""
        is_checked = self.stage == self.Stage.STORE or self.state == self.State.DONE
        return bool(self.preview and not self.problems and is_checked and self.is_over and not self.is_stored)


# A large value costs a process many times its size, and its connection to PostgreSQL keeps twice the size of the
# largest.
PIECE = 2**20


class FilePiece(models.Model):
    job = models.ForeignKey(Job, models.CASCADE, db_index=False)
    number = models.PositiveIntegerField()
    content = models.BinaryField()

    class Meta:
        constraints = [unique("one_piece_per_job_and_number", "job", "number")]

    def __str__(self) -> str:
        return f"piece {self.number} of the files of {self.job}"

    @classmethod
    def keep(cls, job: Job, file: BinaryIO) -> None:
        """Store a file; an empty one has one empty piece."""
        number = 0
        while (content := file.read(PIECE)) or not number:
            cls.objects.create(job_id=job.pk, number=number, content=content)
            number += 1

    @classmethod
    def open(cls, job: Job) -> BinaryIO | None:
        """The file that was kept, or None."""
        pieces = cls.objects.filter(job=job.pk).order_by("number").values_list("content", flat=True)
        found, file = False, TemporaryFile()  # noqa: SIM115 (for the caller)
        for content in pieces.iterator(chunk_size=1):
            found = True
            file.write(content)
        file.seek(0)
        return file if found else None

    @classmethod
    def discard(cls, job: Job) -> None:
        """Delete the bundle of an import that is over; an upload keeps its files until they are stored or discarded."""
        if job.kind == ImportJob.KIND:
            cls.objects.filter(job=job.pk, job__state__in=Job.OVER).delete()


class Team(Link):
    """A team and its link, which takes files until it expires, and shows what was received after that too."""

    page = "team"
    listed_on = "submissions"
    whose = "of {link.name}"

    name = models.CharField(max_length=LONGEST)

    class Meta:
        constraints = [unique("one_team_per_name", "campaign", "name")]

    def __str__(self) -> str:
        return f"{self.name} in {self.campaign}"

    @property
    def takes_files(self) -> bool:
        return self.is_valid and self.campaign.state in (Campaign.State.DRAFT, Campaign.State.OPEN)


class Submission(models.Model):
    """A checked file of outputs; a replacement takes its place, so that the last one counts."""

    team = models.ForeignKey(Team, models.CASCADE)
    system = models.CharField(max_length=LONGEST)
    content = models.BinaryField(help_text="The file as it was sent.")
    size = models.PositiveIntegerField()
    sha256 = models.CharField(max_length=64)
    fingerprint = models.CharField(max_length=32, help_text="A digest of the normalised outputs.")
    changed = models.PositiveIntegerField(help_text="The number of sentences that differ from the source.")
    version = models.PositiveIntegerField(default=0, help_text="The number of files received for this system.")
    received_at = models.DateTimeField()
    code = models.CharField(max_length=12, help_text="Shown to the team and to the organiser, to compare receipts.")
    accepted_as = models.CharField(max_length=LONGEST, blank=True, help_text="The name of the stored system.")
    accepted_version = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [unique("one_submission_per_system", "team", "system")]

    def __str__(self) -> str:
        return f"{self.system} of {self.team}"

    @property
    def file_name(self) -> str:
        """Of the accepted file: a name that a team chose must not give its file a role."""
        return f"outputs-{self.code}"
