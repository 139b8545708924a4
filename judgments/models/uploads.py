"""Files uploaded by an organiser: checked and previewed first, stored as material or judgments on request."""

from typing import ClassVar, Self

from django.db import models
from django.db.models import Case, Q, When
from django.urls import reverse

from judgments.models.campaign import Campaign
from judgments.models.constraints import check, unique
from judgments.models.jobs import CampaignJob, Job, JobQuerySet
from judgments.models.pieces import Piece


class UploadQuerySet(JobQuerySet):
    def not_stored(self, campaign: Campaign) -> Self:
        """The campaign's uploads not yet stored, without the columns that only their own page shows."""
        stored = Q(stage=Upload.Stage.STORE, state=Job.State.DONE)
        rows = self.filter(campaign=campaign).exclude(stored).select_related("requested_by")
        return rows.defer("preview", "problems", "notes", "names")

    @classmethod
    def requested_at(cls) -> models.expressions.Combinable:
        """An upload is requested more than once: to be checked, and later to be stored."""
        return Case(When(request_number__gt=1, then="queued_at"), default="created_at")


class Upload(CampaignJob):
    """Files with the ways to read them, the findings in them, and the progress of storing them."""

    kind = "upload"

    class Purpose(models.TextChoices):
        MATERIAL = "material"
        JUDGMENTS = "judgments"

    class Stage(models.TextChoices):
        PREVIEW = "preview", "checked"
        STORE = "store", "stored"

    purpose = models.CharField(max_length=10, choices=Purpose, default=Purpose.MATERIAL)
    stage = models.CharField(max_length=10, choices=Stage, default=Stage.PREVIEW)
    request_number = models.PositiveIntegerField(
        default=1, help_text="The number of requests; attempts restart with each."
    )
    file_names = models.JSONField(help_text="The names of the files, as uploaded.")
    options = models.JSONField(help_text="How to read them: the roles of the files, or the format of the judgments.")
    names = models.JSONField(default=list, help_text="The systems in the files.")
    preview = models.JSONField(null=True, blank=True)
    notes = models.JSONField(default=list)
    problems = models.JSONField(default=list, help_text="File, line and message of each problem.")
    taken = models.JSONField(default=dict, help_text="Numbers of what was stored.")

    objects: ClassVar = UploadQuerySet.as_manager()

    class Meta(CampaignJob.Meta):
        constraints = [
            check("upload_stage_known", Q(stage__in=["preview", "store"])),
            check("upload_purpose_known", Q(purpose__in=["material", "judgments"])),
        ]

    def get_absolute_url(self) -> str:
        page = "judgments_upload" if self.purpose == self.Purpose.JUDGMENTS else "upload"
        return reverse(page, args=[self.campaign.slug, self.pk])

    def rows(self) -> JobQuerySet:
        """A queryset of this upload, empty once it has been requested anew: attempt numbers restart then."""
        return super().rows().filter(request_number=self.request_number)

    def missing_files(self) -> str:
        is_kept = UploadPiece.objects.filter(upload=self.pk).exists()
        return "" if is_kept else "The files were not kept. Ask the person who uploaded them to upload them again."

    @property
    def is_stored(self) -> bool:
        return self.stage == self.Stage.STORE and self.state == self.State.DONE

    @property
    def can_be_stored(self) -> bool:
        """Whether the upload is checked, free of problems, and neither stored nor being stored."""
        is_checked = self.stage == self.Stage.STORE or self.state == self.State.DONE
        return bool(self.preview and not self.problems and is_checked and self.is_over and not self.is_stored)


class UploadPiece(Piece):
    """A piece of the ZIP of an upload's files, kept while they are needed."""

    upload = models.ForeignKey(Upload, models.CASCADE, db_index=False)

    class Meta:
        constraints = [unique("one_piece_per_upload_and_number", "upload", "number")]

    def __str__(self) -> str:
        return f"piece {self.number} of the files of {self.upload}"
